#pragma once

#include "lsp/session/Session.h"

namespace tikc::lsp {

/// The checked contract of a request, in its present state. Requests about other documents are
/// answered with null.
struct Target {
  const Document* document = nullptr;
  std::shared_ptr<const Analysis> analysis;

  explicit operator bool() const { return analysis != nullptr; }
};
llvm::Expected<Target> targetOf(Session& session, const json::Object& params);
/// Accepts test files, too.
llvm::Expected<Target> anyTargetOf(Session& session, const json::Object& params);

/// A place in a document, as a byte offset.
struct Cursor : Target {
  std::uint32_t offset = 0;
};
llvm::Expected<Cursor> cursorOf(Session& session, const json::Object& params);
llvm::Expected<Cursor> anyCursorOf(Session& session, const json::Object& params);

struct Selection : Target {
  TextRange range;
};
llvm::Expected<Selection> selectionOf(Session& session, const json::Object& params);

/// Returns the URI of params.textDocument; empty without one.
std::string uriIn(const json::Object& params);

} // namespace tikc::lsp
