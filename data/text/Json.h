#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::data {

enum class JsonKind : std::uint8_t { Object, List, Text, Number, True, False, Null, Other, End };
/// "a number"
std::string_view nameOf(JsonKind kind);

/// What vLLM writes for a log-prob of minus infinity.
inline constexpr double sentinelNumber = -9999;

/// A number of a record, or what stands in the place of one.
enum class NumberClass : std::uint8_t {
  Finite,
  NaN,
  Infinity,
  MinusInfinity,
  Null,
  Sentinel, // -9999, which vLLM writes for minus infinity
};

/// Walks a text of JSON once, value by value; also over bare NaN and Infinity, which Python writes.
/// The first fault stays, and ends the walk.
class JsonCursor {
public:
  JsonCursor(std::string_view text, std::size_t nestingDepth)
      : text_(text), nestingDepth_(nestingDepth) {}

  /// Of what comes next; blanks are passed over.
  JsonKind kind();
  std::size_t at() const { return at_; }
  std::string_view textFrom(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  bool enter(JsonKind kind);
  /// Whether one more entry comes; at the end the object or list is left.
  bool more(JsonKind kind, bool& isFirst);
  /// A key of an object, and the colon behind it; until the next text is asked for.
  std::string_view key();
  std::string_view string();
  /// Whether the last text had half of a surrogate pair, which is read as U+FFFD.
  bool hadHalfPair() const { return hadHalfPair_; }
  /// A number, or a word for what is none. `isText` allows them in quotes.
  std::optional<double> number(bool isText, NumberClass& of);
  std::optional<std::int64_t> integer();
  /// Adds the entries of a list from here on that are plain numbers, as long as they are: what most
  /// of a record is, at once. Where it ends `more()` goes on.
  void numbers(std::vector<double>& to);
  void integers(std::vector<std::int64_t>& to);
  void skip();
  /// Nothing may follow.
  void finish();

  bool failed() const { return !fault_.empty(); }
  const std::string& fault() const { return fault_; }
  std::size_t faultAt() const { return faultAt_; }
  void fail(std::string message, std::size_t at);
  void expected(std::string_view what);

private:
  bool isDone() const { return at_ >= text_.size(); }
  void skipString();
  /// That a text, as it is written, is one of JSON.
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
