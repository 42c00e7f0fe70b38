#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Renaming.h"

#include <llvm/ADT/StringExtras.h>

namespace tikc::lsp {
namespace {

bool isWordAt(const Cursor& cursor) {
  const std::string& text = cursor.document->text;
  for (const syntax::Comment& comment : cursor.analysis->checked.tree->comments)
    if (comment.span.begin < cursor.offset && cursor.offset <= comment.span.end)
      return false;
  return cursor.offset < text.size() &&
         (text[cursor.offset] == '_' || llvm::isAlnum(text[cursor.offset]));
}

} // namespace

Task onPrepareRename(const std::shared_ptr<const Asked>& asked, const json::Object& params) {
  if (!*asked)
    return [params](Session& session) -> std::optional<llvm::Expected<json::Value>> {
      auto cursor = cursorOf(session, params);
      if (!cursor)
        return cursor.takeError();
      if (isWordAt(*cursor))
        return failure(ErrorCode::RequestFailed,
                       "only names that contracts give can be renamed: of contracts, kernels, "
                       "slices, labels, clauses, claims and rules");
      return nullptr;
    };
  if (!asked->isOnName())
    return answer(nullptr);
  if (auto why = unfitToRename(*asked))
    return refuse(*why);
  Places places(*asked->name.site.outline->sources, asked->encoding);
  return answer(json::Object{{"range", places.range(asked->name.span())},
                             {"placeholder", asked->name.mention->name}});
}

} // namespace tikc::lsp
