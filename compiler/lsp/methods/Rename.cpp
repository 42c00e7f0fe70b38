#include "lsp/answers/Convert.h"
#include "lsp/answers/Verification.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

namespace {

using Changes = std::map<std::string, json::Array>;

Changes editsByUri(const AskedName& name, const ide::Renaming& renaming) {
  Changes out;
  for (const auto& [outline, edits] : renaming.edits) {
    Places places(*outline->sources, name.encoding);
    for (const Edit& edit : edits)
      out[outline->id].push_back(
          json::Object{{"range", places.range(edit.span)}, {"newText", edit.text}});
  }
  return out;
}

/// The rename, once it is verified.
Task verified(const std::shared_ptr<const AskedName>& asked,
              const std::shared_ptr<const ide::Renaming>& renaming) {
  auto verification = std::make_shared<std::optional<Verification>>();
  return [asked, renaming, verification, changes = editsByUri(*asked, *renaming)](
             Session& session) mutable -> std::optional<llvm::Expected<json::Value>> {
    if (!*verification)
      verification->emplace(session, asked, renaming);
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

Task onRename(const std::shared_ptr<const AskedName>& asked, const json::Object& params) {
  auto name = params.getString("newName");
  if (!name)
    return refuse("missing new name", ErrorCode::InvalidParams);
  if (!asked->isOnName())
    return answer(nullptr);
  if (auto why = ide::unfitToRename(*asked->families, asked->name))
    return refuse(*why);
  if (*name == asked->name.mention->name)
    return [](Session& session) -> std::optional<llvm::Expected<json::Value>> {
      return workspaceEdit(session, {});
    };
  if (auto why = ide::unfitAsName(*asked->families, asked->name, *name))
    return refuse(*why);
  auto found =
      std::make_shared<const ide::Renaming>(ide::renaming(*asked->families, asked->name, *name));
  return found->fault.empty() ? verified(asked, found) : refuse(found->fault);
}

} // namespace tikc::lsp
