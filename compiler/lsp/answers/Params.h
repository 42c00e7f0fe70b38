#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The contract that a request is about, as it is now, which was checked. Other documents have
/// nothing to ask of: their requests are answered with null.
struct Target {
  const Document* document = nullptr;
  std::shared_ptr<const Analysis> analysis;

  explicit operator bool() const { return analysis != nullptr; }
};
llvm::Expected<Target> targetOf(Session& session, const json::Object& params);
/// A file of tests as well.
llvm::Expected<Target> anyTargetOf(Session& session, const json::Object& params);

/// A place in it, as an offset of bytes.
struct Cursor : Target {
  std::uint32_t offset = 0;
};
llvm::Expected<Cursor> cursorOf(Session& session, const json::Object& params);
llvm::Expected<Cursor> anyCursorOf(Session& session, const json::Object& params);

struct Selection : Target {
  TextRange range;
};
llvm::Expected<Selection> selectionOf(Session& session, const json::Object& params);

/// The URI of params.textDocument; empty where there is none.
std::string uriIn(const json::Object& params);

} // namespace tikc::lsp
