#pragma once

#include "yaml/Tree.h"

#include <string_view>
#include <vector>

namespace tikc::ide {

/// A range that can be folded into its first line.
struct FoldableRange {
  enum class Kind : std::uint8_t { Comment, Block, Brackets };
  Kind kind = Kind::Block;
  std::uint32_t begin = 0, end = 0; // for Brackets: the text between them
};
/// Returns outer ranges first. Some may be on one line.
std::vector<FoldableRange> foldsIn(std::string_view text, const yaml::Tree& tree);

} // namespace tikc::ide
