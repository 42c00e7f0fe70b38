#include "ide/Hints.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onInlayHint(Session& session, const json::Object& params) {
  auto selection = selectionOf(session, params);
  if (!selection)
    return selection.takeError();
  if (!*selection || !session.configuration.hints)
    return nullptr;
  const Analysis& analysis = *selection->analysis;
  Convert convert(session, *analysis.sources);
  json::Array out;
  for (ide::Hint& hint : ide::hintsIn(analysis, selection->range))
    out.push_back(json::Object{{"position", convert.position(analysis.file, hint.offset)},
                               {"label", std::move(hint.label)},
                               {"tooltip", std::move(hint.reason)},
                               {"paddingLeft", true}});
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
