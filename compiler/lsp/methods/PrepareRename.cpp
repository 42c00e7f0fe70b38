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

llvm::Expected<json::Value> onPrepareRename(Session& session, const json::Object& params) {
  auto asked = nameAt(session, params);
  if (!asked)
    return asked.takeError();
  if (!asked->cursor)
    return nullptr;
  if (!*asked) {
    if (isWordAt(asked->cursor))
      return failure(ErrorCode::RequestFailed,
                     "only names that contracts give can be renamed: of contracts, kernels, "
                     "slices, labels, clauses, claims and rules");
    return nullptr;
  }
  if (!asked->isOnName())
    return nullptr;
  if (auto why = unfitToRename(*asked))
    return failure(ErrorCode::RequestFailed, *why);
  Convert convert(session, *asked->name.site.outline->sources);
  return json::Object{{"range", convert.range(asked->name.span())},
                      {"placeholder", asked->name.mention->name}};
}

} // namespace tikc::lsp
