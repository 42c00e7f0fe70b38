#include "lsp/answers/SemanticTokens.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onSemanticTokensRange(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection)
    return nullptr;
  return json::Object{{"data", numbers(semanticTokens(session, *selection, selection->range))}};
}

} // namespace tikc::lsp
