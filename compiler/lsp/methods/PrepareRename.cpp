#include "ide/Renaming.h"
#include "lsp/answers/Convert.h"
#include "lsp/answers/Naming.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

Task onPrepareRename(const std::shared_ptr<const AskedName>& asked, const json::Object& params) {
  if (!*asked)
    return [params](Session& session) -> std::optional<llvm::Expected<json::Value>> {
      auto cursor = cursorOf(session, params);
      if (!cursor)
        return cursor.takeError();
      if (*cursor && ide::isWordAt(*cursor->analysis, cursor->offset))
        return failure(
            ErrorCode::RequestFailed,
            "you can rename only contracts, kernels, slices, labels, clauses, claims and rules");
      return nullptr;
    };
  if (!asked->isOnName())
    return answer(nullptr);
  if (auto why = ide::unfitToRename(*asked->families, asked->name))
    return refuse(*why);
  Places places(*asked->name.site.outline->sources, asked->encoding);
  return answer(json::Object{{"range", places.range(asked->name.span())},
                             {"placeholder", asked->name.mention->name}});
}

} // namespace tikc::lsp
