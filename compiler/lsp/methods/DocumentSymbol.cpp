#include "ide/NodePath.h"
#include "lsp/Convert.h"
#include "lsp/Methods.h"
#include "lsp/Params.h"
#include "lsp/SymbolKinds.h"
#include "model/Keys.h"
#include "support/Utf8.h"

#include <unordered_map>

namespace tikc::lsp {

using syntax::Entry;
using syntax::Node;

namespace {

struct Symbol {
  std::string name, detail;
  SymbolKind kind = SymbolKind::Property;
  Span whole, named;
  std::vector<Symbol> children;
};

/// What a value says, in a line: of a clause its requirement, of a kernel its engine, of a slice
/// its condition.
std::string detailOf(const Node& value) {
  constexpr std::size_t longest = 80;
  const Node* node = &value;
  for (std::string_view key : {"require", "when", "engine"})
    if (const Node* found = value.find(key))
      node = found;
  if (node->kind != Node::Kind::Scalar)
    return {};
  std::string_view text = node->value;
  std::string out = utf8::printable(text.substr(0, std::min(text.find('\n'), longest)));
  while (!out.empty() && utf8::firstInvalid(out)) // the cut may go through a character
    out.pop_back();
  return out;
}

class Outliner {
public:
  explicit Outliner(const Outline& outline) {
    for (const Outline::Contract& contract : outline.contracts)
      for (const sema::Mention& mention : contract.mentions)
        if (mention.role == sema::Mention::Role::Definition)
          definitions_.emplace(mention.span.begin, &mention);
  }

  std::optional<Symbol> document(const syntax::Document& document) const {
    const Node& root = *document.root;
    if (root.kind != Node::Kind::Mapping || root.entries.empty())
      return std::nullopt;
    Symbol out;
    out.kind = SymbolKind::Module;
    out.whole = root.span;
    out.named = ide::placeOf(*root.entries.front().key);
    out.name = "contract";
    if (const Node* name = root.find("contract");
        name && name->kind == Node::Kind::Scalar && !name->value.empty()) {
      out.name = utf8::printable(name->value);
      out.named = ide::placeOf(*name);
    }
    for (const Entry& entry : root.entries)
      add(out, entry);
    return out;
  }

private:
  /// Inside what a contract names there is nothing to go to.
  void add(Symbol& parent, const Entry& entry) const {
    const Node& key = *entry.key;
    if (key.kind != Node::Kind::Scalar || key.value.empty())
      return;
    Symbol out;
    out.name = utf8::printable(key.value);
    out.named = ide::placeOf(key);
    out.whole = join(out.named, ide::placeOf(*entry.value));
    parent.whole = join(parent.whole, out.whole);
    out.detail = detailOf(*entry.value);
    std::uint32_t quote = key.style == syntax::Style::Plain ? 0 : 1;
    auto definition = definitions_.find(key.span.begin + quote);
    bool isNamed = definition != definitions_.end() && !key.aliasSpan.valid();
    if (isNamed)
      out.kind = symbolKindOf(*definition->second);
    else if (entry.value->kind == Node::Kind::Mapping)
      out.kind = SymbolKind::Namespace;
    if (!isNamed && !entry.value->aliasSpan.valid())
      for (const Entry& inner : entry.value->entries)
        add(out, inner);
    parent.children.push_back(std::move(out));
  }

  std::unordered_map<std::uint32_t, const sema::Mention*> definitions_;
};

json::Object nested(Convert& convert, const Symbol& symbol) {
  json::Object out{{"name", symbol.name},
                   {"kind", static_cast<int>(symbol.kind)},
                   {"range", convert.range(symbol.whole)},
                   {"selectionRange", convert.range(symbol.named)}};
  if (!symbol.detail.empty())
    out["detail"] = symbol.detail;
  json::Array children;
  children.reserve(symbol.children.size()); // a value that has to move is copied
  for (const Symbol& child : symbol.children)
    children.push_back(nested(convert, child));
  if (!children.empty())
    out["children"] = std::move(children);
  return out;
}

std::size_t countOf(const Symbol& symbol) {
  std::size_t out = 1;
  for (const Symbol& child : symbol.children)
    out += countOf(child);
  return out;
}

void flat(Convert& convert, const Symbol& symbol, const std::string& container, json::Array& out) {
  json::Object object{{"name", symbol.name},
                      {"kind", static_cast<int>(symbol.kind)},
                      {"location", convert.location(symbol.whole)}};
  if (!container.empty())
    object["containerName"] = container;
  out.push_back(std::move(object));
  for (const Symbol& child : symbol.children)
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
  Outliner outliner(session.outlines.of(*target->document));
  json::Array out;
  for (const syntax::Document& document : target->analysis->checked.tree->documents)
    if (auto symbol = outliner.document(document)) {
      if (session.client.hasNestedSymbols)
        out.push_back(nested(convert, *symbol));
      else {
        out.reserve(out.size() + countOf(*symbol));
        flat(convert, *symbol, "", out);
      }
    }
  return json::Value(std::move(out));
}

} // namespace tikc::lsp
