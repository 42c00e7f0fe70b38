#include "ide/Folds.h"
#include "lsp/answers/Params.h"
#include "lsp/methods/Methods.h"

#include <set>

namespace tikc::lsp {
namespace {

using Kind = ide::FoldableRange::Kind;

/// A fold by its lines, the characters where only brackets' inside is hidden.
json::Object folded(const ide::FoldableRange& fold, ProtocolPlace begin, ProtocolPlace end,
                    bool linesOnly) {
  json::Object out{{"startLine", begin.line}, {"endLine", end.line}};
  if (fold.kind == Kind::Comment)
    out["kind"] = "comment";
  if (fold.kind == Kind::Brackets && !linesOnly) {
    out["startCharacter"] = begin.character;
    out["endCharacter"] = end.character;
  }
  return out;
}

} // namespace

llvm::Expected<json::Value> onFoldingRange(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  const std::string& text = target->document->text;
  Lines lines(text);
  auto placeOf = [&](std::uint32_t offset) {
    return lines.placeOf(text, offset, session.documents.encoding());
  };
  bool linesOnly = session.client.foldsLinesOnly;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  json::Array out;
  for (const ide::FoldableRange& fold : ide::foldsIn(text, *target->analysis->checked.tree)) {
    ProtocolPlace begin = placeOf(fold.begin), end = placeOf(fold.end);
    // Where only whole lines are hidden, that of the closing bracket stays.
    if (fold.kind == Kind::Brackets && linesOnly && end.line > 0)
      --end.line;
    if (begin.line < end.line && known.emplace(begin.line, end.line).second)
      out.push_back(folded(fold, begin, end, linesOnly));
  }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
