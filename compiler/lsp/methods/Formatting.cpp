#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

/// There is one style: the client's options are not asked.
llvm::Expected<json::Value> onFormatting(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  Range all{0, static_cast<std::uint32_t>(target->document->text.size())};
  return formatted(session, *target->document, all);
}

} // namespace tikc::lsp
