#include "ide/Symbols.h"

#include "model/Keys.h"
#include "support/Check.h"
#include "support/StringRef.h"
#include "support/Utf8.h"
#include "yaml/NodePath.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace tikc::ide {

using yaml::Entry;
using yaml::Node;

namespace {

// Who wants more than these types another letter.
constexpr std::size_t mostSymbols = 256;

/// What a value says, in a line: of a clause its requirement, of a kernel its engine, of a slice
/// its condition.
std::string detailOf(const Node& value) {
  constexpr std::size_t longest = 80;
  const Node* node = &value;
  for (std::string_view key : {"require", "when", "engine"})
    if (const Node* target = value.find(key))
      node = target;
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

  std::optional<Symbol> document(const yaml::YamlDocument& document) const {
    const Node& root = *document.root;
    if (root.kind != Node::Kind::Mapping || root.entries.empty())
      return std::nullopt;
    Symbol out;
    out.kind = SymbolKind::Module;
    out.whole = root.span;
    out.named = placeOf(*root.entries.front().key);
    out.name = "contract";
    if (const Node* name = root.find("contract");
        name && name->kind == Node::Kind::Scalar && !name->value.empty()) {
      out.name = utf8::printable(name->value);
      out.named = placeOf(*name);
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
    out.named = placeOf(key);
    out.whole = join(out.named, placeOf(*entry.value));
    parent.whole = join(parent.whole, out.whole);
    out.detail = detailOf(*entry.value);
    std::uint32_t quote = key.style == yaml::Style::Plain ? 0 : 1;
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

/// How far apart the letters of the query stand in the name: the less, the nearer is what was
/// meant. Nothing where they do not occur in this order.
std::optional<std::size_t> distance(std::string_view query, std::string_view name) {
  std::size_t at = 0, out = 0;
  for (char letter : query) {
    std::size_t position = at;
    while (position < name.size() && llvm::toLower(name[position]) != llvm::toLower(letter))
      ++position;
    if (position == name.size())
      return std::nullopt;
    out += position - at;
    at = position + 1;
  }
  return out;
}

bool isListed(const sema::Mention& mention) {
  return mention.role == sema::Mention::Role::Definition &&
         mention.space != sema::NameSpace::LabelValue;
}

} // namespace

SymbolKind symbolKindOf(const sema::Mention& definition) {
  switch (definition.space) {
  case sema::NameSpace::Contract:
    return SymbolKind::Module;
  case sema::NameSpace::Kernel:
    return SymbolKind::Class;
  case sema::NameSpace::Label:
    return SymbolKind::Enum;
  case sema::NameSpace::Slice:
  case sema::NameSpace::LabelValue:
    return SymbolKind::EnumMember;
  case sema::NameSpace::Statement:
    return definition.section == "escalation" ? SymbolKind::Event
           : definition.section == "claims"   ? SymbolKind::Boolean
                                              : SymbolKind::Field;
  }
  TIKC_CHECK(false, "each space of names has its case");
}

std::vector<Symbol> symbolsIn(const Outline& outline, const yaml::Tree& tree) {
  Outliner outliner(outline);
  std::vector<Symbol> out;
  for (const yaml::YamlDocument& document : tree.documents)
    if (auto symbol = outliner.document(document))
      out.push_back(std::move(*symbol));
  return out;
}

Matches matchesOf(std::span<const std::shared_ptr<const Outline>> outlines,
                  std::string_view query) {
  struct Match {
    std::size_t distance;
    NamedPlace place;
  };
  std::vector<Match> out;
  for (const auto& outline : outlines)
    for (const Outline::Contract& contract : outline->contracts)
      for (const sema::Mention& mention : contract.mentions)
        if (isListed(mention))
          if (auto far = distance(query, mention.name))
            out.push_back({*far, {{outline.get(), &contract}, &mention}});
  auto rank = [](const Match& match) {
    const NamedPlace& place = match.place;
    return std::tie(match.distance, place.mention->name, place.site.outline->id,
                    place.mention->span.begin);
  };
  std::size_t all = out.size(), kept = std::min(all, mostSymbols);
  std::partial_sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(),
                    [&](const Match& a, const Match& b) { return rank(a) < rank(b); });
  out.erase(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
  Matches nearest{{}, all};
  for (const Match& match : out)
    nearest.places.push_back(match.place);
  return nearest;
}

} // namespace tikc::ide
