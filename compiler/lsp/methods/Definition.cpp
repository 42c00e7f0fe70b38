#include "ide/Aliased.h"
#include "lsp/answers/Convert.h"
#include "lsp/answers/Naming.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

Task onDefinition(const std::shared_ptr<const AskedName>& asked, const json::Object& params) {
  if (*asked)
    return answer(locations(*asked, asked->families->definitions(asked->name)));
  return [params](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    auto cursor = cursorOf(session, params);
    if (!cursor)
      return cursor.takeError();
    const Analysis& analysis = *cursor->analysis;
    const auto* aliased = ide::aliasedAt(*analysis.checked.tree, cursor->offset);
    if (!aliased)
      return nullptr;
    return Convert(session, *analysis.sources).location(aliased->span);
  };
}

} // namespace tikc::lsp
