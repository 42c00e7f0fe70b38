#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Renaming.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onRename(Session& session, const json::Object& params) {
  auto asked = nameAt(session, params);
  if (!asked)
    return asked.takeError();
  auto name = params.getString("newName");
  if (!name)
    return failure(ErrorCode::InvalidParams, "there is no new name");
  if (!asked->isOnName())
    return nullptr;
  if (auto why = unfitToRename(*asked))
    return failure(ErrorCode::RequestFailed, *why);
  if (*name == asked->name.mention->name)
    return workspaceEdit(session, {});
  if (auto why = unfitAsName(*asked, *name))
    return failure(ErrorCode::RequestFailed, *why);
  auto edits = renamed(*asked, *name);
  if (auto why = changesMeaning(session, *asked, edits))
    return failure(ErrorCode::RequestFailed, *why);
  std::map<std::string, json::Array> changes;
  for (const auto& [outline, list] : edits) {
    Convert convert(session, *outline->sources);
    for (const Edit& edit : list)
      changes[outline->uri].push_back(convert.textEdit(edit));
  }
  return workspaceEdit(session, std::move(changes));
}

} // namespace tikc::lsp
