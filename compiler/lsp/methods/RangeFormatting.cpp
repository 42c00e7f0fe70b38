#include "lsp/answers/Formatting.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {
namespace {

llvm::Expected<Task> beginRangeFormatting(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection)
    return answer(nullptr);
  return formatted(session, *selection->document, selection->range);
}

} // namespace

Task onRangeFormatting(Session&, const json::Object& params) {
  return onceChecked(params, beginRangeFormatting);
}

} // namespace tikc::lsp
