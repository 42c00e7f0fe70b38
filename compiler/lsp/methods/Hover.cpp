#include "ide/hover/Hover.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

llvm::Expected<json::Value> onHover(Session& session, const json::Object& params) {
  auto cursor = cursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  if (!*cursor)
    return nullptr;
  bool hasMarkdown = session.client.hasMarkdown;
  auto found = ide::hoverAt(*cursor->analysis, cursor->offset, hasMarkdown);
  if (!found)
    return nullptr;
  Convert convert(session, *cursor->analysis->sources);
  return json::Object{{"contents", json::Object{{"kind", hasMarkdown ? "markdown" : "plaintext"},
                                                {"value", std::move(found->text)}}},
                      {"range", convert.range(found->span)}};
}

} // namespace tikc::lsp
