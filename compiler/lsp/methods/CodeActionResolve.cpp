#include "lsp/answers/Actions.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {
namespace {

llvm::Expected<Task> beginEdit(Session& session, const json::Object& action) {
  const json::Object& data = *action.getObject("data");
  const Document* document = session.documents.find(data.getString("uri").value_or(""));
  if (!document || document->kind != Document::Kind::Contract)
    return failure(ErrorCode::InvalidParams, "no contract of that uri is open");
  if (document->version != data.getInteger("version").value_or(-1))
    return textHasChanged();
  auto does = laterIn(data);
  if (!does)
    return failure(ErrorCode::InvalidParams, "no action of tikc has such data");
  auto work = [snapshot = session.workspace.snapshotOf(*document),
               analysis = session.workspace.knownOf(*document), does = *does, action]() -> Reply {
    auto edits =
        std::make_shared<llvm::Expected<std::vector<Edit>>>(editsOf(*snapshot, *analysis, does));
    return [edits, analysis, action](Session& then) -> llvm::Expected<json::Value> {
      if (!*edits)
        return failure(ErrorCode::RequestFailed, llvm::toString(edits->takeError()));
      json::Object out = action;
      out["edit"] = Convert(then, *analysis->sources).workspaceEdit(**edits);
      return json::Value(std::move(out));
    };
  };
  return byCrew(session, work);
}

} // namespace

/// The action with the edit that it lacked; as it is where it lacked none.
Task onCodeActionResolve(Session&, const json::Object& params) {
  if (!params.getObject("data") || params.get("edit"))
    return answer(json::Object(params));
  return onceChecked(params, beginEdit);
}

} // namespace tikc::lsp
