#include "support/Names.h"
#include "support/Utf8.h"
#include "yaml/ParserFault.h"
#include "yaml/TreeBuilder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tikc::yaml {

using utf8::ticked;

namespace {

/// The words that YAML 1.1 takes for booleans and YAML 1.2 for text.
bool isBooleanTrap(std::string_view text) {
  static constexpr std::string_view words[] = {"y",  "Y",  "n",  "N",  "yes", "Yes", "YES", "no",
                                               "No", "NO", "on", "On", "ON",  "off", "Off", "OFF"};
  return text.size() <= 3 && std::find(std::begin(words), std::end(words), text) != std::end(words);
}

bool allDigits(std::string_view text, char most) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [most](char c) { return c >= '0' && c <= most; });
}

std::string_view unsignedPart(std::string_view text) {
  return text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
}

bool isOctalTrap(std::string_view text) {
  text = unsignedPart(text);
  return text.size() > 1 && text[0] == '0' && allDigits(text, '7');
}

/// 12:30 is 750 to YAML 1.1.
bool isSexagesimalTrap(std::string_view text) {
  text = unsignedPart(text);
  auto colon = text.find(':');
  if (colon == std::string_view::npos || !allDigits(text.substr(0, colon), '9'))
    return false;
  for (bool last = false; !last;) {
    text.remove_prefix(colon + 1);
    colon = std::min(text.find(':'), text.size());
    last = colon == text.size();
    std::string_view part = text.substr(0, last ? std::min(text.find('.'), colon) : colon);
    if (part.size() > 2 || !allDigits(part, '9') || (part.size() == 2 && part[0] > '5'))
      return false;
    if (last && part.size() < text.size() && !allDigits(text.substr(part.size() + 1), '9') &&
        part.size() + 1 < text.size())
      return false;
  }
  return true;
}

std::string_view kindOf(ScalarType type) {
  return type == ScalarType::Null ? "a null" : type == ScalarType::Bool ? "a boolean" : "a number";
}

} // namespace

void TreeBuilder::checkTraps(const Node& scalar) {
  const Span& span = scalar.span;
  if (isBooleanTrap(scalar.value)) {
    sink_.report<diag::BooleanTrap>(span, ticked(scalar.value))
        .fix("quote it", {{span, singleQuoted(scalar.value)}});
  } else if (isOctalTrap(scalar.value)) {
    bool negative = scalar.value[0] == '-';
    std::string_view digits = unsignedPart(scalar.value);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    std::string decimal = (negative ? "-" : "") + std::string(digits);
    sink_.report<diag::OctalTrap>(span, ticked(scalar.value), "an octal number")
        .fix("write " + decimal, {{span, decimal}});
  } else if (isSexagesimalTrap(scalar.value)) {
    sink_.report<diag::OctalTrap>(span, ticked(scalar.value), "a number in base 60")
        .fix("quote it", {{span, singleQuoted(scalar.value)}});
  }
}

/// `{a:1}` is a map with the key `a:1` and no value, which nobody means.
void TreeBuilder::checkMissingSpace() {
  if (frames_.empty() || !frames_.back().bracketed ||
      frames_.back().node->kind != Node::Kind::Mapping || keySlot())
    return;
  Node& key = *frames_.back().node->entries.back().key;
  auto colon = key.value.find(':');
  bool bare = lastEnd_ == key.span.end && key.style == Style::Plain && !key.invalid;
  if (!bare || colon == std::string::npos || colon == 0 || key.value.find(' ') < colon)
    return;
  std::uint32_t at = key.span.begin + static_cast<std::uint32_t>(colon);
  sink_.report<diag::MissingSpace>(Span{file_, at, at + 1})
      .fix("insert a space", {{Span{file_, at + 1, at + 1}, " "}});
  key.invalid = true;
}

void TreeBuilder::checkKey(Entry& entry) {
  Node& key = *entry.key;
  if (key.invalid)
    return;
  Span span = key.aliasSpan.valid() ? key.aliasSpan : key.span;
  if (key.kind != Node::Kind::Scalar) {
    sink_.report<diag::ComplexKey>(span, key.kind == Node::Kind::Sequence ? "a list" : "a map");
  } else if (key.type != ScalarType::String) {
    bool colon = peek() && peek()->kind == YamlTokenKind::Colon;
    key.invalid = true;
    // Without its colon, the parser has lost its way and is about to say so, unless the text ends
    // here.
    if (key.style == Style::Empty && !colon)
      return peek() ? void() : reportStrayValue();
    if (key.style == Style::Empty)
      span = {file_, peek()->begin, peek()->end};
    std::string what = key.style == Style::Empty
                           ? "an empty key"
                           : fmt::format("{}, {}", kindOf(key.type), ticked(key.value));
    auto& found = sink_.report<diag::ComplexKey>(span, what);
    // No name is a number, in quotes or not.
    if (isIdentifier(key.value) && !key.aliasSpan.valid())
      found.fix("quote it", {{span, singleQuoted(key.value)}});
  } else if (key.style == Style::Plain && key.value == "<<") {
    sink_.report<diag::MergeKey>(span).note("use `extends` to take the keys of another contract");
  } else if (key.style == Style::Plain && reportMissingColon(span, key.value, sink_)) {
  } else if (!frames_.back().bracketed && !document_->recovered &&
             !(peek() && peek()->kind == YamlTokenKind::Colon)) {
    // The parser takes a last line without a colon for a key without a value.
    sink_.report<diag::SyntaxError>(
        span, fmt::format("{} is neither a `key: value` nor part of the value above it",
                          ticked(key.value)));
  } else {
    return;
  }
  key.invalid = true;
}

/// The parser takes a last line of `~` for the value of the key above, even in that key's column,
/// and then misses another key.
void TreeBuilder::reportStrayValue() {
  const std::vector<Entry>& entries = frames_.back().node->entries;
  if (frames_.back().bracketed || document_->recovered || entries.size() < 2)
    return;
  const Node& value = *entries[entries.size() - 2].value;
  sink_.report<diag::SyntaxError>(
      value.span, fmt::format("{} is neither a `key: value` nor part of the value above it",
                              ticked(value.value)));
}

/// Two contracts in one map: what comes after the second `tikc` is the second's.
bool TreeBuilder::checkSecondContract(Node& mapping) {
  auto isHead = [](const Entry& entry) {
    return entry.key->value == "tikc" && !entry.key->invalid;
  };
  auto& entries = mapping.entries;
  auto first = std::find_if(entries.begin(), entries.end(), isHead);
  auto second = first == entries.end() ? first : std::find_if(first + 1, entries.end(), isHead);
  auto isNamed = [](auto begin, auto end) {
    return std::any_of(begin, end,
                       [](const Entry& entry) { return entry.key->value == "contract"; });
  };
  if (second == entries.end() || mapping.flow || !isNamed(first, second) ||
      !isNamed(second, entries.end()))
    return false;
  Span head = second->key->span;
  sink_.report<diag::DuplicateKey>(head, ticked(second->key->value))
      .withLabel("another contract seems to begin here")
      .relatedTo(first->key->span, "first given here")
      .fix("separate the contracts with `---`", {{head.start(), "---\n"}});
  for (auto entry = second; entry != entries.end(); ++entry) {
    entry->key->invalid = true;
    if (entry->value)
      entry->value->invalid = true;
  }
  return true;
}

/// Sorting bounds the time whatever the keys are; a hash table's depends on who chose them.
void TreeBuilder::checkDuplicates(Node& mapping) {
  if (checkSecondContract(mapping))
    return;
  auto& entries = mapping.entries;
  auto keyOf = [&](std::size_t i) -> const Node& { return *entries[i].key; };
  std::vector<std::uint32_t> order;
  order.reserve(entries.size());
  for (std::uint32_t i = 0; i < entries.size(); ++i)
    if (!keyOf(i).invalid && keyOf(i).kind == Node::Kind::Scalar)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    int compared = keyOf(a).value.compare(keyOf(b).value);
    return compared != 0 ? compared < 0 : a < b;
  });
  for (std::size_t i = 1, first = 0; i < order.size(); ++i) {
    const Node& original = keyOf(order[first]);
    Node& again = *entries[order[i]].key;
    if (original.value != again.value) {
      first = i;
      continue;
    }
    auto place = [](const Node& node) {
      return node.aliasSpan.valid() ? node.aliasSpan : node.span;
    };
    sink_.report<diag::DuplicateKey>(place(again), ticked(again.value))
        .relatedTo(place(original), "first given here");
    again.invalid = true;
    if (entries[order[i]].value)
      entries[order[i]].value->invalid = true;
  }
}

/// A copy of the anchored node, while the budget lasts.
std::unique_ptr<Node> TreeBuilder::expand(const Span& alias, const Anchor& anchor) {
  auto fallback = [&] {
    auto node = make(Node::Kind::Scalar);
    node->style = Style::Empty;
    node->span = alias;
    node->invalid = true;
    return node;
  };
  std::string name =
      ticked(std::string_view(source_.text).substr(alias.begin + 1, alias.size() - 1));
  if (!anchor.node || anchor.open) {
    sink_.report<diag::CyclicAlias>(alias, name);
    return fallback();
  }
  if (exhausted_)
    return fallback();
  std::uint64_t budget = limits_.aliasExpansion - expanded_;
  Weight weight = weigh(*anchor.node, budget);
  if (weight.nodes > budget) {
    sink_.report<diag::AliasExpansion>(alias, limits_.aliasExpansion);
    exhausted_ = true;
    return fallback();
  }
  if (frames_.size() + weight.height > limits_.nestingDepth) {
    sink_.report<diag::NestingTooDeep>(alias, limits_.nestingDepth);
    return fallback();
  }
  expanded_ += weight.nodes;
  return copyOf(*anchor.node, alias);
}

/// A long text weighs as much as the nodes that would take its memory. Counting ends soon after
/// `most`.
TreeBuilder::Weight TreeBuilder::weigh(const Node& node, std::uint64_t most) const {
  Weight total{1 + node.value.size() / 64, node.kind == Node::Kind::Scalar ? 0u : 1u};
  std::uint32_t below = 0;
  auto add = [&](const Node& child) {
    Weight part = weigh(child, most - std::min(most, total.nodes));
    total.nodes += part.nodes;
    below = std::max(below, part.height);
    return total.nodes <= most;
  };
  for (const auto& item : node.items)
    if (!add(*item))
      break;
  for (const Entry& entry : node.entries)
    if (!add(*entry.key) || (entry.value && !add(*entry.value)))
      break;
  total.height += below;
  return total;
}

} // namespace tikc::yaml
