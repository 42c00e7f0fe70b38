#pragma once

#include "lsp/Family.h"
#include "lsp/Params.h"

namespace tikc::lsp {

/// The name at the place that a request is about, if there is one, among all contracts that there
/// are.
struct Asked {
  Cursor cursor;
  std::unique_ptr<Families> families;
  NamedPlace name;

  explicit operator bool() const { return static_cast<bool>(name); }
  /// Not so where the place is in the file that an `extends` names, or its quotes.
  bool isOnName() const {
    return name && name.span().begin <= cursor.offset && cursor.offset <= name.span().end;
  }
};
llvm::Expected<Asked> nameAt(Session& session, const json::Object& params);

json::Array locations(const Session& session, std::span<const NamedPlace> places);

/// "a slice": what a name of the space names.
std::string_view whatIs(sema::NameSpace space);

} // namespace tikc::lsp
