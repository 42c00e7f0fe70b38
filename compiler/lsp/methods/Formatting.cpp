#include "lsp/answers/Formatting.h"

#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {
namespace {

llvm::Expected<Task> beginFormatting(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return answer(nullptr);
  TextRange all{0, static_cast<std::uint32_t>(target->document->text.size())};
  return formatted(session, *target->document, all);
}

} // namespace

Task onFormatting(Session&, const json::Object& params) {
  return onceChecked(params, beginFormatting);
}

} // namespace tikc::lsp
