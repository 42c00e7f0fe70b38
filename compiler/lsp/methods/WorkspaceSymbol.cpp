#include "lsp/answers/Convert.h"
#include "lsp/answers/Naming.h"
#include "lsp/answers/SymbolKinds.h"
#include "lsp/methods/Methods.h"

#include <fmt/format.h>

namespace tikc::lsp {

Task onWorkspaceSymbol(const std::shared_ptr<const AskedName>& asked, const json::Object& params) {
  std::map<const Outline*, Places> converts;
  json::Array out;
  auto [found, count] = ide::matchesOf(asked->outlines, params.getString("query").value_or(""));
  for (const ide::NamedPlace& place : found) {
    const Outline* outline = place.site.outline;
    const sema::Mention& mention = *place.mention;
    auto [convert, fresh] = converts.try_emplace(outline, *outline->sources, asked->encoding);
    out.push_back(
        json::Object{{"name", mention.name},
                     {"kind", numberOf(ide::symbolKindOf(mention))},
                     {"containerName", mention.space == sema::NameSpace::Contract
                                           ? outline->path.filename().string()
                                           : place.site.contract->name},
                     {"location", json::Object{{"uri", outline->id},
                                               {"range", convert->second.range(mention.span)}}}});
  }
  if (count == found.size())
    return answer(std::move(out));
  std::string note = fmt::format(
      "{} of {} matching names are shown; type another letter to narrow them", found.size(), count);
  return [note, out = std::move(out)](
             Session& session) mutable -> std::optional<llvm::Expected<json::Value>> {
    session.notify("window/logMessage", json::Object{{"type", 3}, {"message", note}});
    return json::Value(std::move(out));
  };
}

} // namespace tikc::lsp
