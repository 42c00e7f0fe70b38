#include "lsp/answers/Convert.h"
#include "lsp/answers/Params.h"
#include "lsp/answers/SymbolKinds.h"
#include "lsp/methods/Methods.h"

namespace tikc::lsp {
namespace {

json::Object nested(Convert& convert, const ide::Symbol& symbol) {
  json::Object out{{"name", symbol.name},
                   {"kind", numberOf(symbol.kind)},
                   {"range", convert.range(symbol.whole)},
                   {"selectionRange", convert.range(symbol.named)}};
  if (!symbol.detail.empty())
    out["detail"] = symbol.detail;
  json::Array children;
  children.reserve(symbol.children.size()); // a value that has to move is copied
  for (const ide::Symbol& child : symbol.children)
    children.push_back(nested(convert, child));
  if (!children.empty())
    out["children"] = std::move(children);
  return out;
}

std::size_t countOf(const ide::Symbol& symbol) {
  std::size_t out = 1;
  for (const ide::Symbol& child : symbol.children)
    out += countOf(child);
  return out;
}

void flat(Convert& convert, const ide::Symbol& symbol, const std::string& container,
          json::Array& out) {
  json::Object object{{"name", symbol.name},
                      {"kind", numberOf(symbol.kind)},
                      {"location", convert.location(symbol.whole)}};
  if (!container.empty())
    object["containerName"] = container;
  out.push_back(std::move(object));
  for (const ide::Symbol& child : symbol.children)
    flat(convert, child, symbol.name, out);
}

} // namespace

llvm::Expected<json::Value> onDocumentSymbol(Session& session, const json::Object& params) {
  auto target = targetOf(session, params);
  if (!target)
    return target.takeError();
  if (!*target)
    return nullptr;
  Convert convert(session, *target->analysis->sources);
  json::Array out;
  for (const ide::Symbol& symbol :
       ide::symbolsIn(session.outlines.of(*target->document), *target->analysis->checked.tree)) {
    if (session.client.hasNestedSymbols) {
      out.push_back(nested(convert, symbol));
    } else {
      out.reserve(out.size() + countOf(symbol));
      flat(convert, symbol, "", out);
    }
  }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
