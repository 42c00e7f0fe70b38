#pragma once

#include "data/Limits.h"
#include "data/bytes/Stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::data {

/// The text of one record. It lives until the next one is read.
struct RecordText {
  std::string_view text;
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  /// Why there is no text; reading continues after it.
  std::string fault;
  /// The last line, if nothing ends it.
  bool isOpen = false;
};

/// How records are arranged in a text: one per line, or one value after another; the items of a
/// list are separate records.
enum class TextLayout : std::uint8_t { Lines, Values };

/// Determines the arrangement from the start of a text; Values if a window does not show it.
TextLayout textLayoutOf(Window& window, const DataLimits& limits);

/// Cuts a text into records by brackets and quotes alone.
class Records {
public:
  /// `isStart`: the window begins where the text does, which may have a byte order mark.
  Records(Window window, TextLayout layout, const DataLimits& limits, bool isStart = true)
      : window_(std::move(window)), layout_(layout), limits_(limits),
        line_(1 + window_.droppedLines()), isStart_(isStart) {}

  std::optional<RecordText> next();
  /// The fault that ended the text early.
  std::string fault() const { return fault_.empty() ? window_.fault() : fault_; }
  std::uint64_t line() const { return line_; }
  std::uint64_t byte() const { return window_.offset(); }

private:
  std::optional<RecordText> nextLine();
  std::optional<RecordText> nextValue();
  RecordText tooLong();
  void drop(std::size_t bytes);
  /// Skips whitespace; returns whether more text follows.
  bool skipBlanks();
  bool isAt(char character) const { return window_.view().starts_with(character); }
  bool skipSeparator();

  Window window_;
  TextLayout layout_;
  DataLimits limits_;
  std::size_t taken_ = 0; // the size of the last record
  std::uint64_t line_;
  bool isInList_ = false;
  bool isFirst_ = true;
  bool isStart_;
  bool isDone_ = false;
  std::string fault_;
};

} // namespace tikc::data
