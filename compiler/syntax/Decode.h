#pragma once

#include "syntax/Tree.h"

namespace tikc::syntax {

/// A scalar where it stands in the text: from its first byte to its last, quotes and block header
/// included.
struct RawScalar {
  std::uint32_t begin;
  std::uint32_t end;
  Style style;
  std::uint32_t indent; // of a block scalar: blanks that each line loses
};

/// The scalar's value; fills the map, where one is asked for, with what every byte of it came from.
std::string decode(std::string_view text, const RawScalar& scalar, ScalarMap* map = nullptr);

} // namespace tikc::syntax
