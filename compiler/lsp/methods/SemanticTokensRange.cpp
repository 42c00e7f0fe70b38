#include "lsp/Methods.h"
#include "lsp/Params.h"
#include "lsp/TokenAnswers.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onSemanticTokensRange(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection)
    return nullptr;
  return json::Object{{"data", numbers(semanticTokens(
                                   session.outlines.of(*selection->document), *selection->analysis,
                                   session.documents.encoding(), selection->range))}};
}

} // namespace tikc::lsp
