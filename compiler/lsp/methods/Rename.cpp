#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Renaming.h"

namespace tikc::lsp {

namespace {

using Changes = std::map<std::string, json::Array>;

Changes editsByUri(const Renaming& renaming) {
  Changes out;
  for (const auto& [outline, edits] : renaming.edits) {
    Places places(*outline->sources, renaming.asked->encoding);
    for (const Edit& edit : edits)
      out[outline->id].push_back(
          json::Object{{"range", places.range(edit.span)}, {"newText", edit.text}});
  }
  return out;
}

/// The rename, once it is verified.
Task verified(const std::shared_ptr<const Renaming>& renaming) {
  auto verification = std::make_shared<std::optional<Verification>>();
  return [renaming, verification, changes = editsByUri(*renaming)](
             Session& session) mutable -> std::optional<llvm::Expected<json::Value>> {
    if (!*verification)
      verification->emplace(session, renaming);
    if (!(*verification)->isDone())
      return std::nullopt;
    if ((*verification)->hasFailed())
      return failure(ErrorCode::InternalError, "the rename could not be verified");
    if (auto why = (*verification)->fault())
      return failure(ErrorCode::RequestFailed, *why);
    return workspaceEdit(session, std::move(changes));
  };
}

} // namespace

Task onRename(const std::shared_ptr<const Asked>& asked, const json::Object& params) {
  auto name = params.getString("newName");
  if (!name)
    return refuse("there is no new name", ErrorCode::InvalidParams);
  if (!asked->isOnName())
    return answer(nullptr);
  if (auto why = unfitToRename(*asked))
    return refuse(*why);
  if (*name == asked->name.mention->name)
    return [](Session& session) -> std::optional<llvm::Expected<json::Value>> {
      return workspaceEdit(session, {});
    };
  if (auto why = unfitAsName(*asked, *name))
    return refuse(*why);
  auto found = renaming(asked, *name);
  return found->fault.empty() ? verified(found) : refuse(found->fault);
}

} // namespace tikc::lsp
