#pragma once

#include "syntax/Tree.h"

#include <string_view>
#include <vector>

namespace tikc::ide {

/// What may be hidden behind the line that it begins on.
struct FoldableRange {
  enum class Kind : std::uint8_t { Comment, Block, Brackets };
  Kind kind = Kind::Block;
  std::uint32_t begin = 0, end = 0; // of Brackets: what is between them
};
/// The outer ones first. Some may be of one line.
std::vector<FoldableRange> foldsIn(std::string_view text, const syntax::Tree& tree);

} // namespace tikc::ide
