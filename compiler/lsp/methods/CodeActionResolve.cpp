#include "lsp/answers/Actions.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

/// The action with the edit that it lacked; as it is where it lacked none.
llvm::Expected<json::Value> onCodeActionResolve(Session& session, const json::Object& params) {
  json::Object action = params;
  if (const json::Object* data = params.getObject("data"); data && !params.get("edit")) {
    auto edit = editOf(session, *data);
    if (!edit)
      return edit.takeError();
    action["edit"] = std::move(*edit);
  }
  return json::Value(std::move(action));
}

} // namespace tikc::lsp
