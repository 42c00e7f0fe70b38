#pragma once

#include "yaml/Scanner.h"
#include "yaml/Tree.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

namespace tikc::yaml {

inline constexpr std::uint32_t indentStep = 2;

/// The columns, in the canonical layout, of everything that may begin a line, by the offset of its
/// first byte.
class LayoutPlaces {
public:
  LayoutPlaces(std::string_view text, const Tree& tree, std::span<const Token> tokens);

  /// Returns the column of a key or dash of a block.
  std::optional<std::uint32_t> ofEntry(std::uint32_t begin) const { return find(entries_, begin); }
  /// Returns the column of a value on its own line.
  std::optional<std::uint32_t> ofValue(std::uint32_t begin) const { return find(values_, begin); }
  /// Returns the column of the closing bracket of an outermost flow collection.
  std::optional<std::uint32_t> ofFlow(std::uint32_t begin) const { return find(flows_, begin); }
  /// Returns how far the block that contains the scalar moves.
  std::int64_t shift(std::uint32_t begin) const;
  std::uint32_t columnIn(std::uint32_t offset) const;

private:
  using Columns = std::unordered_map<std::uint32_t, std::uint32_t>;

  static std::optional<std::uint32_t> find(const Columns& columns, std::uint32_t begin);
  static std::uint32_t startOf(const Node& node) {
    return node.aliasSpan.valid() ? node.aliasSpan.begin : node.span.begin;
  }
  void mapping(const Node& node, std::uint32_t column);
  void sequence(const Node& node, std::uint32_t column);
  void value(const Node& node, std::uint32_t column, std::uint32_t flowColumn, std::int64_t shift);

  std::string_view text_;
  std::span<const Token> tokens_;
  std::size_t nextDash_ = 0;
  Columns entries_, values_, flows_;
  std::unordered_map<std::uint32_t, std::int64_t> shifts_;
};

} // namespace tikc::yaml
