#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onRangeFormatting(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection)
    return nullptr;
  return formatted(session, *selection->document, selection->range);
}

} // namespace tikc::lsp
