#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tikc::diag::drawing {

/// A line of source as a terminal shows it, and the cells that some of its bytes fall in. `end`
/// lies past `begin` even where no byte does, so that a caret has a place.
struct DrawnLine {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 1;
};

/// Draws at most width cells of the line around [begin, end); tabs become spaces, what could
/// mislead is spelled out, and an ellipsis stands for what is cut. Costs no more for a longer line.
DrawnLine drawLine(std::string_view line, std::size_t begin, std::size_t end, std::size_t width);

} // namespace tikc::diag::drawing
