#include "lsp/methods/Methods.h"
#include "lsp/session/Work.h"

namespace tikc::lsp {
namespace {

template <typename Do> void eachFolder(const json::Array* folders, Do&& act) {
  if (!folders)
    return;
  for (const json::Value& value : *folders)
    if (const json::Object* folder = value.getAsObject())
      if (auto path = pathOf(folder->getString("uri").value_or("")))
        act(*path);
}

} // namespace

llvm::Error onDidChangeWorkspaceFolders(Session& session, const json::Object& params) {
  const json::Object* event = params.getObject("event");
  if (!event)
    return failure(ErrorCode::InvalidParams, "missing event");
  auto before = session.workspace.files();
  eachFolder(event->getArray("removed"),
             [&](const auto& folder) { session.workspace.removeRoot(folder); });
  for (const auto& file : before)
    if (!session.workspace.files().contains(file) && !session.documents.findPath(file))
      withdraw(session, uriOf(file));
  eachFolder(event->getArray("added"),
             [&](const auto& folder) { session.workspace.addRoot(folder); });
  session.isDiscovered = false;
  return llvm::Error::success();
}

} // namespace tikc::lsp
