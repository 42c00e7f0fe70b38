#pragma once

#include "data/Limits.h"
#include "data/bytes/Stream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tikc::data {

/// The text of one record, until the next is asked for.
struct RecordText {
  std::string_view text;
  std::uint64_t line = 0;
  std::uint64_t byte = 0;
  /// Why there is no text; reading goes on behind it.
  std::string fault;
};

/// How records lie in a text: one a line, or values one after the other, those of a list each for
/// itself.
enum class TextLayout : std::uint8_t { Lines, Values };

/// By how the text starts. What a look at a window cannot tell are values.
TextLayout textLayoutOf(Window& window, const DataLimits& limits);

/// Cuts a text into records, without understanding more than brackets and quotes.
class Records {
public:
  Records(Window window, TextLayout layout, const DataLimits& limits)
      : window_(std::move(window)), layout_(layout), limits_(limits) {}

  std::optional<RecordText> next();
  /// What ended the text before its end.
  std::string fault() const { return fault_.empty() ? window_.fault() : fault_; }
  std::uint64_t line() const { return line_; }
  std::uint64_t byte() const { return window_.offset(); }

private:
  std::optional<RecordText> nextLine();
  std::optional<RecordText> nextValue();
  RecordText tooLong();
  void drop(std::size_t bytes);
  /// Drops blanks; whether something is behind them.
  bool skipBlanks();
  bool isAt(char character) const { return window_.view().starts_with(character); }
  bool skipSeparator();

  Window window_;
  TextLayout layout_;
  DataLimits limits_;
  std::size_t taken_ = 0; // of the record that was given last
  std::uint64_t line_ = 1;
  bool isInList_ = false;
  bool isFirst_ = true;
  bool isDone_ = false;
  std::string fault_;
};

} // namespace tikc::data
