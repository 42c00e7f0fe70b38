#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tikc {

/// A place as people and tools count it, from 1. Columns are Unicode characters.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  auto operator<=>(const Position&) const = default;
};

/// Maps byte offsets of one text to lines. A line ends at LF; CRLF is one ending; a lone CR ends
/// nothing.
class LineTable {
public:
  LineTable() = default;
  explicit LineTable(std::string_view text);

  std::uint32_t lineCount() const { return static_cast<std::uint32_t>(starts_.size()); }
  /// Zero-based index of the line that holds the byte.
  std::uint32_t lineIndex(std::uint32_t offset) const;
  std::uint32_t lineStart(std::uint32_t index) const { return starts_[index]; }
  /// The line without its ending.
  std::string_view lineText(std::string_view text, std::uint32_t index) const;
  Position position(std::string_view text, std::uint32_t offset) const;
  /// One-based byte column, as rdjson counts.
  std::uint32_t byteColumn(std::uint32_t offset) const;

private:
  void markLongLine(std::string_view text, std::uint32_t begin, std::uint32_t end);

  /// A known column inside a long line. Without these a thousand findings on one line of megabytes
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
