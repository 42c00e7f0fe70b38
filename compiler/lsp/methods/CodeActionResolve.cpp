#include "lsp/answers/Actions.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {
namespace {

llvm::Expected<Task> beginEdit(Session& session, const json::Object& action) {
  return laterEdit(session, *action.getObject("data"),
                   [action](Session&, json::Value edit) -> llvm::Expected<json::Value> {
                     json::Object out = action;
                     out["edit"] = std::move(edit);
                     return json::Value(std::move(out));
                   });
}

} // namespace

/// The action with the edit that it lacked; as it is where it lacked none.
Task onCodeActionResolve(Session&, const json::Object& params) {
  if (!params.getObject("data") || params.get("edit"))
    return answer(json::Object(params));
  return onceChecked(params, beginEdit);
}

} // namespace tikc::lsp
