#pragma once

#include "yaml/Tree.h"

namespace tikc::yaml {

/// A scalar in the text, from its first byte to its last, with quotes and block header.
struct RawScalar {
  std::uint32_t begin;
  std::uint32_t end;
  Style style;
  std::uint32_t indent; // for a block scalar: the spaces removed from each line
};

/// Returns the scalar's value. Fills `map`, if given, with the source of every byte.
std::string decode(std::string_view text, const RawScalar& scalar, ScalarMap* map = nullptr);

} // namespace tikc::yaml
