#include "data/text/Records.h"

#include "data/Fault.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tikc::data {
namespace {

bool isBlankCharacter(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/// Finds where a value ends, as its text comes in.
class ValueEnd {
public:
  /// How many characters of `text` the value has; nothing where it goes on behind it.
  std::optional<std::size_t> find(std::string_view text) {
    for (; at_ < text.size(); ++at_)
      if (ends(text[at_]))
        return at_ + (isClosed_ ? 1 : 0);
    return std::nullopt;
  }
  bool isScalar() const { return depth_ == 0 && !isQuoted_; }

private:
  bool ends(char character) {
    if (isEscaped_) {
      isEscaped_ = false;
    } else if (isQuoted_) {
      isEscaped_ = character == '\\';
      isQuoted_ = character != '"';
      isClosed_ = !isQuoted_ && depth_ == 0;
    } else if (character == '"') {
      isQuoted_ = true;
    } else if (character == '{' || character == '[') {
      ++depth_;
    } else if (character == '}' || character == ']') {
      if (depth_ == 0)
        return true;
      isClosed_ = --depth_ == 0;
    } else if (depth_ == 0 && (character == ',' || isBlankCharacter(character))) {
      return true;
    }
    return isClosed_;
  }

  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  bool isQuoted_ = false;
  bool isEscaped_ = false;
  bool isClosed_ = false;
};

/// Whether a first line is one of many.
bool isOneValue(std::string_view line) {
  ValueEnd value;
  const std::size_t size = value.find(line).value_or(value.isScalar() ? line.size() : 0);
  return size != 0 && std::all_of(line.begin() + static_cast<std::ptrdiff_t>(size), line.end(),
                                  isBlankCharacter);
}

std::size_t lineEndsIn(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

TextLayout textLayoutOf(Window& window, const DataLimits& limits) {
  std::size_t searched = 0, begin = 0;
  for (bool hasMore = true;;) {
    const std::string_view text = window.view();
    if (begin == 0 && text.starts_with(utf8::byteOrderMark))
      begin = utf8::byteOrderMark.size();
    while (begin < text.size() && isBlankCharacter(text[begin]))
      if (++begin % MappedFile::step == 0)
        window.forget(begin);
    // Whitespace may be in front of every layout.
    if (begin == text.size() && window.dropLines(begin)) {
      begin = searched = 0;
      if (!window.grow())
        return TextLayout::Lines;
      continue;
    }
    if (begin < text.size() && text[begin] == '[')
      return TextLayout::Values;
    const std::string_view first = text.substr(0, begin + limits.recordBytes);
    const std::size_t end = first.find('\n', std::max(begin, searched));
    if (begin < text.size() && (end != std::string_view::npos || !hasMore))
      return isOneValue(first.substr(begin, end - begin)) ? TextLayout::Lines : TextLayout::Values;
    if (!hasMore || text.size() > limits.recordBytes)
      return TextLayout::Lines;
    searched = text.size();
    hasMore = window.grow();
  }
}

std::optional<RecordText> Records::next() {
  // A line has no end of a line in it.
  if (layout_ == TextLayout::Lines)
    window_.drop(taken_);
  else
    drop(taken_);
  taken_ = 0;
  if (isDone_)
    return std::nullopt;
  if (isFirst_ && isStart_ && window_.offset() == 0) {
    while (window_.view().size() < utf8::byteOrderMark.size() && window_.grow()) {
    }
    if (window_.view().starts_with(utf8::byteOrderMark))
      drop(utf8::byteOrderMark.size());
  }
  std::optional<RecordText> record = layout_ == TextLayout::Lines ? nextLine() : nextValue();
  isFirst_ = false;
  isDone_ = !record;
  return record;
}

void Records::drop(std::size_t bytes) {
  line_ += lineEndsIn(window_.view().substr(0, bytes));
  window_.drop(bytes);
}

bool Records::skipBlanks() {
  for (;;) {
    const std::string_view text = window_.view().substr(0, MappedFile::step);
    std::size_t count = 0;
    while (count < text.size() && isBlankCharacter(text[count]))
      ++count;
    const bool isFound = count < text.size();
    drop(count);
    if (isFound)
      return true;
    if (window_.view().empty() && !window_.grow())
      return false;
  }
}

RecordText Records::tooLong() {
  return {{},
          line_,
          window_.offset(),
          fmt::format("a record is longer than {}; is there one record per line?",
                      inBytes(limits_.recordBytes))};
}

std::optional<RecordText> Records::nextLine() {
  if (!skipBlanks())
    return std::nullopt;
  std::size_t searched = 0;
  std::optional<RecordText> fault;
  for (;;) {
    const std::string_view text = window_.view().substr(0, searched + MappedFile::step);
    const void* found = std::memchr(text.data() + searched, '\n', text.size() - searched);
    const std::size_t end =
        found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - text.data())
                         : text.size();
    if (!fault && end > limits_.recordBytes)
      fault = tooLong();
    if (fault)
      window_.drop(end);
    if (found != nullptr)
      return taken_ = fault ? 0 : end,
             fault ? *fault : RecordText{text.substr(0, end), line_, window_.offset(), {}};
    searched = fault ? 0 : end;
    if (window_.view().size() == searched && !window_.grow()) {
      // Half a line of a stream that is damaged says nothing.
      if (!window_.fault().empty())
        return std::nullopt;
      taken_ = window_.view().size();
      return fault ? *fault : RecordText{window_.view(), line_, window_.offset(), {}, true};
    }
  }
}

bool Records::skipSeparator() {
  bool isThere = skipBlanks();
  if (isFirst_ && isAt('[')) {
    isInList_ = true;
    drop(1);
    isThere = skipBlanks();
  } else if (isInList_ && !isFirst_ && isAt(',')) {
    drop(1);
    isThere = skipBlanks();
    if (isAt(']')) {
      fault_ = "expected a record after the comma";
      return false;
    }
  } else if (isInList_ && !isFirst_ && isThere && !isAt(']')) {
    fault_ = "expected a comma or the end of the list after a record";
    return false;
  }
  if (isInList_ && isAt(']')) {
    drop(1);
    if (skipBlanks())
      fault_ = "unexpected text after the list of records";
    return false;
  }
  if (isInList_ && !isThere && window_.fault().empty())
    fault_ = "the list of records does not end; the file is truncated or still being written";
  return isThere;
}

std::optional<RecordText> Records::nextValue() {
  if (!skipSeparator())
    return std::nullopt;
  ValueEnd end;
  for (;;) {
    const std::string_view text = window_.view().substr(0, limits_.recordBytes + 1);
    const std::optional<std::size_t> size = end.find(text);
    if (!size && text.size() > limits_.recordBytes) {
      // Where the next one begins is not known.
      isDone_ = true;
      fault_ = tooLong().fault;
      return std::nullopt;
    }
    // What is not closed at the end is told by who reads it.
    if (size || !window_.grow()) {
      if (!size && !window_.fault().empty())
        return std::nullopt;
      taken_ = size.value_or(window_.view().size());
      // A bracket that closes nothing has no text: it would come for ever.
      taken_ = std::max<std::size_t>(taken_, 1);
      if (taken_ > limits_.recordBytes)
        return tooLong();
      return RecordText{window_.view().substr(0, taken_), line_, window_.offset(), {}};
    }
  }
}

} // namespace tikc::data
