#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tikc {

/// A place in a text, counted from 1. Columns count Unicode characters.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  auto operator<=>(const Position&) const = default;
};

/// Maps byte offsets of a text to lines. LF and CRLF end a line; a lone CR does not.
class LineTable {
public:
  LineTable() = default;
  explicit LineTable(std::string_view text);

  std::uint32_t lineCount() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// Returns the zero-based index of the line that contains the byte.
  std::uint32_t lineIndex(std::uint32_t offset) const;
  std::uint32_t lineStart(std::uint32_t index) const { return starts_[index]; }
  /// Returns the line without its newline.
  std::string_view lineText(std::string_view text, std::uint32_t index) const;
  Position position(std::string_view text, std::uint32_t offset) const;
  /// Returns the one-based byte column, as rdjson counts.
  std::uint32_t byteColumn(std::uint32_t offset) const;

private:
  void markLongLine(std::string_view text, std::uint32_t begin, std::uint32_t end);

  /// A known column inside a long line. Without marks, a thousand findings on a line of megabytes
  /// would count its characters a thousand times.
  struct Mark {
    std::uint32_t offset;
    std::uint32_t charactersBefore;
  };
  static constexpr std::uint32_t markEvery = 4096;

  std::vector<std::uint32_t> starts_;
  std::vector<Mark> marks_;
};

} // namespace tikc
