#include "lsp/answers/Convert.h"
#include "lsp/answers/Naming.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {

/// A cursor that moves asks this each time: of the document's own contracts alone.
llvm::Expected<json::Value> onDocumentHighlight(Session& session, const json::Object& params) {
  constexpr int read = 2, write = 3;
  auto cursor = cursorOf(session, params);
  if (!cursor)
    return cursor.takeError();
  if (!*cursor)
    return nullptr;
  const Outline* outline = &session.outlines.of(*cursor->document);
  ide::NamedPlace name = ide::Families::at(*outline, cursor->offset);
  if (!name)
    return nullptr;
  Convert convert(session, *outline->sources);
  json::Array out;
  std::vector<ide::NamedPlace> found = ide::Families(std::span(&outline, 1)).mentions(name);
  if (found.empty()) // a parent in another file
    found.push_back(name);
  for (const ide::NamedPlace& each : found)
    out.push_back(
        json::Object{{"range", convert.range(each.span())},
                     {"kind", each.mention->role == sema::Mention::Role::Use ? read : write}});
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
