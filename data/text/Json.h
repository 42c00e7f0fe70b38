#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

enum class JsonKind : std::uint8_t { Object, List, Text, Number, True, False, Null, Other, End };
/// Returns the name of a kind, such as "a number".
std::string_view nameOf(JsonKind kind);

/// The value that vLLM writes for a log-prob of minus infinity.
inline constexpr double sentinelNumber = -9999;

/// The class of a value where a number is expected.
enum class NumberClass : std::uint8_t {
  Finite,
  NaN,
  Infinity,
  MinusInfinity,
  Null,
  Sentinel, // -9999, which vLLM writes for minus infinity
};

/// Walks a JSON text once, value by value. It also accepts bare NaN and Infinity, which Python
/// writes. The first fault is kept and ends the walk.
class JsonCursor {
public:
  JsonCursor(std::string_view text, std::size_t nestingDepth)
      : text_(text), nestingDepth_(nestingDepth) {}

  /// Returns the kind of the next value, after whitespace.
  JsonKind kind();
  std::size_t at() const { return at_; }
  std::string_view textFrom(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  bool enter(JsonKind kind);
  /// Returns whether another entry comes; at the end, leaves the object or list.
  bool more(JsonKind container, bool& isFirst);
  /// Returns a key of an object and consumes its colon. The view lives until the next text is read.
  std::string_view key();
  std::string_view string();
  /// Returns whether the last text had half of a surrogate pair, which is read as U+FFFD.
  bool hadHalfPair() const { return hadHalfPair_; }
  /// Reads a number, or a word for NaN or infinity. `isText` also allows quotes.
  std::optional<double> number(bool isText, NumberClass& numberClass);
  std::optional<std::int64_t> integer();
  /// Adds the plain numbers that follow in a list, in one fast loop: they are most of a record.
  /// `more()` continues after them.
  void numbers(std::vector<double>& to);
  void integers(std::vector<std::int64_t>& to);
  void skip();
  /// Requires the end of the text.
  void finish();

  bool failed() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }
  std::size_t faultAt() const { return faultAt_; }
  void fail(std::string message, std::size_t at);
  void expected(std::string_view what);

private:
  bool isDone() const { return at_ >= text_.size(); }
  void skipString();
  /// Checks that an unread text is valid JSON.
  void checkString(std::size_t begin);
  void skipScalar();
  std::string_view word();
  void unescape(std::string_view written);
  void unescapeOne(std::string_view written, std::size_t& at);
  template <class Value, class Read> void eachPlain(std::vector<Value>& to, Read read);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t nestingDepth_;
  std::string scratch_;
  bool hadHalfPair_ = false;
  std::string fault_;
  std::size_t faultAt_ = 0;
};

} // namespace tikc::data
