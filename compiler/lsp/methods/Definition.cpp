#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Naming.h"

namespace tikc::lsp {
namespace {

using syntax::Node;

/// What the alias at the offset stands for. An alias marks all that it copied; the outermost is the
/// anchored value itself.
const Node* aliasedAt(const Node& node, std::uint32_t offset) {
  if (node.aliasSpan.valid())
    return node.aliasSpan.begin <= offset && offset <= node.aliasSpan.end ? &node : nullptr;
  for (const auto& item : node.items)
    if (const Node* found = aliasedAt(*item, offset))
      return found;
  for (const syntax::Entry& entry : node.entries)
    for (const Node* each : {entry.key.get(), entry.value.get()})
      if (const Node* found = aliasedAt(*each, offset))
        return found;
  return nullptr;
}

json::Value aliasedAt(Session& session, const Cursor& cursor) {
  const Analysis& analysis = *cursor.analysis;
  for (const syntax::Document& document : analysis.checked.tree->documents)
    if (const Node* node = aliasedAt(*document.root, cursor.offset))
      return Convert(session, *analysis.sources).location(node->span);
  return nullptr;
}

} // namespace

Task onDefinition(const std::shared_ptr<const Asked>& asked, const json::Object& params) {
  if (*asked)
    return answer(locations(*asked, asked->families->definitions(asked->name)));
  return [params](Session& session) -> std::optional<llvm::Expected<json::Value>> {
    auto cursor = cursorOf(session, params);
    if (!cursor)
      return cursor.takeError();
    return aliasedAt(session, *cursor);
  };
}

} // namespace tikc::lsp
