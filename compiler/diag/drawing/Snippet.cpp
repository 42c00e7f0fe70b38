#include "diag/drawing/Snippet.h"

#include "diag/drawing/DrawnLine.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::diag::drawing {
namespace {

/// A span as it is drawn: in whole lines, without the line ends and blank lines that it may close
/// with.
struct DrawnSpan {
  std::uint32_t firstLine;
  std::uint32_t lastLine;
  std::size_t begin; // bytes within the first line
  std::size_t end;   // bytes within the last line
};

/// A line without its ending, and without a byte-order mark, which nobody sees.
std::string_view visibleLine(const Source& source, std::uint32_t index) {
  std::string_view line = source.lines.lineText(source.text, index);
  return index == 0 ? utf8::withoutByteOrderMark(line) : line;
}

DrawnSpan extentOf(const Source& source, const Span& span) {
  const LineTable& lines = source.lines;
  auto size = static_cast<std::uint32_t>(source.text.size());
  std::uint32_t begin = std::min(span.begin, size);
  std::uint32_t end = std::clamp(span.end, begin, size);
  std::uint32_t first = lines.lineIndex(begin);
  if (lines.lineIndex(end) != first) {
    std::size_t solid = std::string_view(source.text).substr(0, end).find_last_not_of(" \t\r\n");
    std::uint32_t trimmed =
        solid == std::string_view::npos ? 0 : static_cast<std::uint32_t>(solid) + 1;
    end = trimmed > begin ? trimmed : begin;
    if (end == begin)
      end = lines.lineStart(first) +
            static_cast<std::uint32_t>(lines.lineText(source.text, first).size());
  }
  std::uint32_t last = std::max(first, lines.lineIndex(end));

  auto within = [&](std::uint32_t offset, std::uint32_t line) {
    std::string_view visible = visibleLine(source, line);
    auto start = static_cast<std::size_t>(visible.data() - source.text.data());
    return std::min(offset - std::min<std::size_t>(offset, start), visible.size());
  };
  return {first, last, within(begin, first), within(end, last)};
}

} // namespace

void Frame::bare(std::string& out, std::string_view text) const {
  out += indent() + paint_(PaintStyle::Frame, " |");
  if (!text.empty()) {
    out += ' ';
    out += text;
  }
  out += '\n';
}

void Frame::numbered(std::string& out, std::uint32_t line, std::string_view text, char mark,
                     PaintStyle style) const {
  out += paint_(PaintStyle::Frame, fmt::format("{:>{}}", line, digits_));
  out += paint_(style, fmt::format(" {}", mark));
  if (!text.empty())
    out += " " + paint_(style == PaintStyle::Frame ? PaintStyle::Plain : style, text);
  out += '\n';
}

void Frame::skipped(std::string& out) const {
  out += paint_(PaintStyle::Frame, fmt::format("{:.>{}}", "", std::max<std::size_t>(digits_, 3))) +
         '\n';
}

std::uint32_t lastLine(const SourceManager& sources, const Span& span) {
  return extentOf(sources.get(span.file), span).lastLine + 1;
}

namespace {

void drawOneLine(std::string& out, std::string_view line, const DrawnSpan& extent,
                 const Underline& place, const std::string& label, const Frame& frame,
                 const Painter& paint, std::size_t width) {
  DrawnLine drawn = drawLine(line, extent.begin, extent.end, width);
  frame.numbered(out, extent.firstLine + 1, drawn.text);
  frame.bare(out,
             std::string(drawn.begin, ' ') +
                 paint(place.style, std::string(drawn.end - drawn.begin, place.underline) + label));
}

/// The lines of a span are tied together by a bar in a margin of two cells.
void drawManyLines(std::string& out, const Source& source, const DrawnSpan& extent,
                   const Underline& place, const std::string& label, const Frame& frame,
                   const Painter& paint, std::size_t width) {
  static constexpr std::uint32_t leading = 4;
  static constexpr std::uint32_t mostLines = 7;
  std::string bar = paint(place.style, "|");
  width -= 2;
  for (std::uint32_t line = extent.firstLine; line <= extent.lastLine; ++line) {
    std::string_view text = visibleLine(source, line);
    if (line == extent.firstLine) {
      DrawnLine drawn = drawLine(text, extent.begin, extent.begin, width);
      bool fromStart =
          text.substr(0, extent.begin).find_first_not_of(" \t") == std::string_view::npos;
      frame.numbered(out, line + 1,
                     (fromStart ? paint(place.style, "/") + " " : "  ") + drawn.text);
      if (!fromStart)
        frame.bare(out,
                   " " + paint(place.style, std::string(drawn.begin + 1, '_') + place.underline));
    } else if (line == extent.lastLine) {
      std::size_t lastCharacter = extent.end - std::min<std::size_t>(extent.end, 1);
      while (lastCharacter > 0 && (static_cast<unsigned char>(text[lastCharacter]) & 0xC0) == 0x80)
        --lastCharacter;
      DrawnLine drawn = drawLine(text, lastCharacter, extent.end, width);
      frame.numbered(out, line + 1, bar + " " + drawn.text);
      frame.bare(out,
                 paint(place.style, "|" + std::string(drawn.end, '_') + place.underline + label));
    } else if (extent.lastLine - extent.firstLine + 1 > mostLines &&
               line == extent.firstLine + leading) {
      frame.skipped(out);
      line = extent.lastLine - 2;
    } else {
      DrawnLine drawn = drawLine(text, 0, 0, width);
      frame.numbered(out, line + 1, drawn.text.empty() ? bar : bar + " " + drawn.text);
    }
  }
}

} // namespace

void drawPlace(std::string& out, const SourceManager& sources, const Underline& place,
               const Frame& frame, const Painter& paint, std::size_t width) {
  const Source& source = sources.get(place.span.file);
  DrawnSpan extent = extentOf(source, place.span);
  std::string label = place.label.empty() ? std::string() : " " + utf8::printable(place.label);
  if (extent.firstLine == extent.lastLine) {
    drawOneLine(out, visibleLine(source, extent.firstLine), extent, place, label, frame, paint,
                width);
  } else {
    drawManyLines(out, source, extent, place, label, frame, paint, width);
  }
}

} // namespace tikc::diag::drawing
