#include "yaml/LayoutPlaces.h"

#include "support/Utf8.h"

#include <algorithm>

namespace tikc::yaml {

LayoutPlaces::LayoutPlaces(std::string_view text, const Tree& tree, std::span<const Token> tokens)
    : text_(text), tokens_(tokens) {
  for (const YamlDocument& document : tree.documents) {
    const Node& root = *document.root;
    if (root.kind == Node::Kind::Scalar) {
      // It is no contract, and the parser minds where some of these stand.
      values_.emplace(root.span.begin, std::min(columnIn(root.span.begin), indentStep));
    } else if (root.flow) {
      values_.emplace(root.span.begin, 0);
      flows_.emplace(root.span.begin, 0);
    } else if (root.kind == Node::Kind::Mapping) {
      mapping(root, 0);
    } else {
      sequence(root, 0);
    }
  }
}

std::optional<std::uint32_t> LayoutPlaces::find(const Columns& columns, std::uint32_t begin) {
  auto found = columns.find(begin);
  return found == columns.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t LayoutPlaces::shift(std::uint32_t begin) const {
  auto found = shifts_.find(begin);
  return found == shifts_.end() ? 0 : found->second;
}

std::uint32_t LayoutPlaces::columnIn(std::uint32_t offset) const {
  std::size_t feed = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  std::size_t start = feed == std::string_view::npos
                          ? text_.size() - utf8::withoutByteOrderMark(text_).size()
                          : feed + 1;
  return offset - static_cast<std::uint32_t>(start);
}

void LayoutPlaces::mapping(const Node& node, std::uint32_t column) {
  for (const Entry& entry : node.entries) {
    std::uint32_t begin = startOf(*entry.key);
    entries_.emplace(begin, column);
    value(*entry.value, column, column, std::int64_t{column} - columnIn(begin));
  }
}

/// A sequence knows its items, but not the dashes before them: those are met in their order.
void LayoutPlaces::sequence(const Node& node, std::uint32_t column) {
  for (const auto& item : node.items) {
    while (nextDash_ < tokens_.size() && tokens_[nextDash_].kind != YamlTokenKind::Dash)
      ++nextDash_;
    if (nextDash_ == tokens_.size())
      return;
    std::uint32_t dash = tokens_[nextDash_++].begin;
    entries_.emplace(dash, column);
    value(*item, column, column + indentStep, std::int64_t{column} - columnIn(dash));
  }
}

void LayoutPlaces::value(const Node& node, std::uint32_t column, std::uint32_t flowColumn,
                         std::int64_t shift) {
  bool isAlias = node.aliasSpan.valid();
  if (!isAlias && !node.flow && node.kind == Node::Kind::Mapping)
    return mapping(node, column + indentStep);
  if (!isAlias && !node.flow && node.kind == Node::Kind::Sequence)
    return sequence(node, column + indentStep);
  if (node.style == Style::Empty && !isAlias)
    return;
  values_.emplace(startOf(node), column + indentStep);
  shifts_.emplace(startOf(node), shift);
  if (node.flow && !isAlias)
    flows_.emplace(startOf(node), flowColumn);
}

} // namespace tikc::yaml
