#include "yaml/Tree.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace tikc::yaml {

const Entry* Node::findEntry(std::string_view key) const {
  for (const Entry& entry : entries)
    if (entry.key->value == key && entry.key->kind == Kind::Scalar && !entry.key->invalid)
      return &entry;
  return nullptr;
}

std::unique_ptr<Node> copyOf(const Node& node, const Span& alias) {
  auto out = std::make_unique<Node>();
  out->kind = node.kind;
  out->style = node.style;
  out->type = node.type;
  out->flow = node.flow;
  out->inFlow = node.inFlow;
  out->invalid = node.invalid;
  out->span = node.span;
  out->indent = node.indent;
  out->value = node.value;
  out->aliasSpan = alias.valid() ? alias : node.aliasSpan;
  for (const auto& item : node.items)
    out->items.push_back(copyOf(*item, alias));
  for (const Entry& entry : node.entries)
    out->entries.push_back({copyOf(*entry.key, alias), copyOf(*entry.value, alias), entry.span});
  return out;
}

const Node* Node::find(std::string_view key) const {
  const Entry* entry = findEntry(key);
  return entry ? entry->value.get() : nullptr;
}

namespace {

bool oneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

using llvm::isDigit;

std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), isDigit) -
                                  text.begin());
}

bool isRadix(std::string_view text) {
  auto all = [&](auto allowed) {
    return text.size() > 2 && std::all_of(text.begin() + 2, text.end(), allowed);
  };
  if (text.starts_with("0o"))
    return all([](char c) { return c >= '0' && c <= '7'; });
  if (text.starts_with("0x"))
    return all(
        [](char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
  return false;
}

ScalarType numberType(std::string_view text) {
  if (isRadix(text))
    return ScalarType::Int;
  if (text.starts_with('+') || text.starts_with('-'))
    text.remove_prefix(1);
  if (oneOf(text, {".inf", ".Inf", ".INF"}))
    return ScalarType::Float;
  std::size_t whole = digits(text);
  text.remove_prefix(whole);
  if (whole > 0 && text.empty())
    return ScalarType::Int;
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = digits(text);
    text.remove_prefix(fraction);
  }
  if (whole + fraction == 0)
    return ScalarType::String;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-'))
      text.remove_prefix(1);
    std::size_t exponent = digits(text);
    if (exponent == 0)
      return ScalarType::String;
    text.remove_prefix(exponent);
  }
  return text.empty() ? ScalarType::Float : ScalarType::String;
}

} // namespace

ScalarType coreType(std::string_view text) {
  if (text.empty() || oneOf(text, {"~", "null", "Null", "NULL"}))
    return ScalarType::Null;
  char c = text[0];
  if (!isDigit(c) && c != '+' && c != '-' && c != '.')
    return oneOf(text, {"true", "True", "TRUE", "false", "False", "FALSE"}) ? ScalarType::Bool
                                                                            : ScalarType::String;
  if (oneOf(text, {".nan", ".NaN", ".NAN"}))
    return ScalarType::Float;
  return numberType(text);
}

} // namespace tikc::yaml
