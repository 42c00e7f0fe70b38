#pragma once

#include "lsp/Family.h"
#include "lsp/Params.h"

namespace tikc::lsp {

/// The name at the place that a request is about, if there is one, among all contracts that there
/// are.
struct Asked {
  Cursor cursor;
  std::vector<std::shared_ptr<const Outline>> outlines; // which the rest is made of
  std::unique_ptr<Families> families;
  NamedPlace name;

  explicit operator bool() const { return static_cast<bool>(name); }
  /// Not so where the place is in the file that an `extends` names, or its quotes.
  bool isOnName() const {
    return name && name.span().begin <= cursor.offset && cursor.offset <= name.span().end;
  }
};
llvm::Expected<Asked> nameAt(Session& session, const json::Object& params);

/// Whether every contract that there is was looked at; called again until it was.
class NamesKnown {
public:
  bool operator()(Session& session);

private:
  std::shared_ptr<Outlines::Gathering> gathering_;
};
/// The request is answered then.
Task onceNamesAreKnown(Session& session, const json::Object& params, Handler handle);

json::Array locations(const Session& session, std::span<const NamedPlace> places);

/// "a slice": what a name of the space names.
std::string_view whatIs(sema::NameSpace space);

} // namespace tikc::lsp
