#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Renaming.h"

namespace tikc::lsp {

namespace {

struct Renaming {
  json::Object params;
  NamesKnown areNamesKnown;
  std::uint64_t revision = 0; // of the documents
  Asked asked;
  std::map<const Outline*, std::vector<Edit>> edits;
  std::optional<Verification> verification;
};

/// The answer where one is known without asking the crew.
std::optional<llvm::Expected<json::Value>> begin(Session& session, Renaming& state) {
  auto asked = nameAt(session, state.params);
  if (!asked)
    return asked.takeError();
  auto name = state.params.getString("newName");
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
  state.asked = std::move(*asked);
  state.edits = renamed(state.asked, *name);
  state.revision = session.documents.revision();
  state.verification.emplace(session, state.asked, state.edits);
  return std::nullopt;
}

json::Value editOf(Session& session, const Renaming& state) {
  std::map<std::string, json::Array> changes;
  for (const auto& [outline, list] : state.edits) {
    Convert convert(session, *outline->sources);
    for (const Edit& edit : list)
      changes[outline->uri].push_back(convert.textEdit(edit));
  }
  return workspaceEdit(session, std::move(changes));
}

} // namespace

Task onRename(Session&, const json::Object& params) {
  auto state = std::make_shared<Renaming>();
  state->params = params;
  return [state](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    if (!state->verification) {
      if (!state->areNamesKnown(session))
        return std::nullopt;
      if (auto answer = begin(session, *state))
        return answer;
    }
    if (state->revision != session.documents.revision())
      return failure(ErrorCode::ContentModified, "the text has changed");
    if (!state->verification->isDone())
      return std::nullopt;
    if (auto why = state->verification->fault())
      return failure(ErrorCode::RequestFailed, *why);
    return editOf(session, *state);
  };
}

} // namespace tikc::lsp
