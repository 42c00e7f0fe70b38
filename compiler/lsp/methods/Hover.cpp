#include "ide/hover/Hover.h"

#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"
#include "lsp/session/Waiting.h"

namespace tikc::lsp {
namespace {

json::Value hoverOf(Session& session, const Analysis& analysis,
                    const std::optional<ide::Hover>& found) {
  if (!found)
    return nullptr;
  return json::Object{
      {"contents", json::Object{{"kind", session.client.hasMarkdown ? "markdown" : "plaintext"},
                                {"value", found->text}}},
      {"range", Convert(session, *analysis.sources).range(found->span)}};
}

llvm::Expected<Task> beginHover(Session& session, const json::Object& params) {
  auto cursor = anyCursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  if (!*cursor)
    return answer(nullptr);
  auto find = [analysis = cursor->analysis, offset = cursor->offset,
               hasMarkdown = session.client.hasMarkdown] {
    return ide::hoverAt(*analysis, offset, hasMarkdown);
  };
  if (!ide::isSearchedFor(*cursor->analysis, cursor->offset))
    return answer(hoverOf(session, *cursor->analysis, find()));
  return byCrew(session, [analysis = cursor->analysis, find]() -> Reply {
    return [analysis, found = find()](Session& then) -> llvm::Expected<json::Value> {
      return hoverOf(then, *analysis, found);
    };
  });
}

} // namespace

Task onHover(Session&, const json::Object& params) { return onceChecked(params, beginHover); }

} // namespace tikc::lsp
