#include "lsp/answers/SemanticTokens.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onSemanticTokensFull(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  const Session::Tokens& now = freshTokens(session, *target);
  return json::Object{{"resultId", now.id}, {"data", numbers(now.numbers)}};
}

} // namespace tikc::lsp
