#pragma once

#include "support/Paint.h"
#include "support/Source.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tikc::diag::drawing {

/// The left edge of a finding: line numbers, right-aligned, then a bar.
class Frame {
public:
  Frame(std::size_t digits, const Painter& paint) : digits_(digits), paint_(paint) {}

  std::string indent() const { return std::string(digits_, ' '); }
  /// "   |" and the text, without trailing spaces.
  void bare(std::string& out, std::string_view text = {}) const;
  /// "12 | text", or another mark instead of the bar.
  void numbered(std::string& out, std::uint32_t line, std::string_view text, char mark = '|',
                PaintStyle style = PaintStyle::Frame) const;
  void skipped(std::string& out) const;

private:
  std::size_t digits_;
  const Painter& paint_;
};

/// A place in a source, its underline, and the words after it.
struct Underline {
  Span span;
  std::string_view label;
  PaintStyle style;
  char underline;
};

/// Returns the last line that is drawn for a span.
std::uint32_t lastLine(const SourceManager& sources, const Span& span);
void drawPlace(std::string& out, const SourceManager& sources, const Underline& place,
               const Frame& frame, const Painter& paint, std::size_t width);

} // namespace tikc::diag::drawing
