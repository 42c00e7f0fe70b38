#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tikc::diag::drawing {

/// A source line as a terminal shows it, and the cells of a range of its bytes. `end` is greater
/// than `begin` even for an empty range, so that a caret has a place.
struct DrawnLine {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 1;
};

/// Draws at most `width` cells of the line around [begin, end). Tabs become spaces, misleading
/// characters are escaped, and ellipses mark cuts. The cost does not depend on the line's length.
DrawnLine drawLine(std::string_view line, std::size_t begin, std::size_t end, std::size_t width);

} // namespace tikc::diag::drawing
