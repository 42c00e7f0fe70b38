#include "diag/drawing/DrawnLine.h"

#include "support/Utf8.h"

#include <algorithm>
#include <vector>

namespace tikc::diag::drawing {
namespace {

struct Glyph {
  std::size_t offset;
  std::string text;
  std::size_t cells;
};

bool startsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

Glyph glyphAt(std::string_view line, std::size_t offset, std::size_t& next) {
  auto decoded = utf8::decode(line.substr(offset));
  std::string_view bytes = line.substr(offset, decoded ? decoded->bytes : 1);
  next = offset + bytes.size();
  if (bytes == "\t")
    return {offset, "    ", 4};
  std::string shown = utf8::printable(bytes);
  // What printable() spelled out is ASCII.
  std::size_t cells = shown == bytes && decoded
                          ? static_cast<std::size_t>(utf8::displayWidth(decoded->character))
                          : shown.size();
  return {offset, std::move(shown), cells};
}

/// The glyphs [first, last) of a line that are shown, and the cells that they take.
class LineWindow {
public:
  LineWindow(const std::vector<Glyph>& glyphs, std::size_t at)
      : glyphs_(glyphs), first(at), last(at) {}

  void growRight(std::size_t budget, std::size_t stop) {
    while (last < glyphs_.size() && glyphs_[last].offset < stop &&
           cells + glyphs_[last].cells <= budget)
      cells += glyphs_[last++].cells;
  }
  void growLeft(std::size_t budget) {
    while (first > 0 && cells + glyphs_[first - 1].cells <= budget)
      cells += glyphs_[--first].cells;
  }

private:
  const std::vector<Glyph>& glyphs_;

public:
  std::size_t first;
  std::size_t last;
  std::size_t cells = 0;
};

} // namespace

DrawnLine drawLine(std::string_view line, std::size_t begin, std::size_t end, std::size_t width) {
  // Four bytes are the most that a character takes, so this reach fills any window.
  std::size_t reach = width * 4;
  std::size_t from = begin > reach ? begin - reach : 0;
  std::size_t to = line.size() - begin > 2 * reach ? begin + 2 * reach : line.size();
  while (from < begin && !startsCharacter(line[from]))
    ++from;
  while (to < line.size() && !startsCharacter(line[to]))
    ++to;

  std::vector<Glyph> glyphs;
  std::size_t total = 0;
  for (std::size_t i = from; i < to;) {
    glyphs.push_back(glyphAt(line, i, i));
    total += glyphs.back().cells;
  }
  auto indexOf = [&](std::size_t offset) {
    auto glyph = std::find_if(glyphs.begin(), glyphs.end(),
                              [&](const Glyph& g) { return g.offset >= offset; });
    return static_cast<std::size_t>(glyph - glyphs.begin());
  };

  std::size_t beginIndex = indexOf(begin);
  LineWindow window(glyphs, beginIndex);
  bool whole = from == 0 && to == line.size() && total <= width;
  std::size_t room = whole ? total : width - std::min<std::size_t>(width, 2);
  window.growRight(whole ? room : room * 2 / 3, end);
  window.growLeft(whole ? room : std::min(room, window.cells + room / 3));
  window.growRight(room, line.size());
  window.growLeft(room);

  DrawnLine drawn;
  bool cutLeft = from > 0 || window.first > 0;
  if (cutLeft)
    drawn.text = "…";
  std::size_t cell = cutLeft ? 1 : 0;
  drawn.begin = cell;
  drawn.end = cell;
  for (std::size_t i = window.first; i < window.last; ++i) {
    drawn.text += glyphs[i].text;
    cell += glyphs[i].cells;
    if (glyphs[i].offset < begin)
      drawn.begin = cell;
    if (glyphs[i].offset < end)
      drawn.end = cell;
  }
  if (to < line.size() || window.last < glyphs.size())
    drawn.text += "…";
  drawn.end = std::max(drawn.end, drawn.begin + 1);
  return drawn;
}

} // namespace tikc::diag::drawing
