#include "data/text/Json.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace tikc::data {
namespace {

struct Word {
  std::string_view text;
  NumberClass of;
};
constexpr Word nonFiniteWords[] = {
    {"NaN", NumberClass::NaN},
    {"nan", NumberClass::NaN},
    {"-NaN", NumberClass::NaN},
    {"-nan", NumberClass::NaN},
    {"Infinity", NumberClass::Infinity},
    {"inf", NumberClass::Infinity},
    {"Inf", NumberClass::Infinity},
    {"+Infinity", NumberClass::Infinity},
    {"-Infinity", NumberClass::MinusInfinity},
    {"-inf", NumberClass::MinusInfinity},
    {"-Inf", NumberClass::MinusInfinity},
    {"null", NumberClass::Null},
};

double valueOf(NumberClass of) {
  switch (of) {
  case NumberClass::Infinity:
    return std::numeric_limits<double>::infinity();
  case NumberClass::MinusInfinity:
    return -std::numeric_limits<double>::infinity();
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

bool isWordCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.' || c == '_';
}

/// JSON's own way to write numbers, which is narrower than that of std::from_chars.
bool isWrittenAsNumber(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      ++at;
    return at - begin;
  };
  const bool isZero = at < text.size() && text[at] == '0';
  const std::size_t whole = digits();
  if (whole == 0 || (isZero && whole > 1))
    return false;
  if (at < text.size() && text[at] == '.' && (++at, digits() == 0))
    return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+'))
      ++at;
    if (digits() == 0)
      return false;
  }
  return at == text.size();
}

bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

const char* behindBlanks(const char* at, const char* end) {
  while (at != end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
    ++at;
  return at;
}

/// Digits as a number, as far as 64 bits hold it; `at` is behind them.
std::uint64_t readDigits(const char*& at, const char* end, std::uint64_t value) {
  for (; at != end && isDigit(*at); ++at)
    value = value * 10 + static_cast<std::uint64_t>(*at - '0');
  return value;
}

/// Powers of ten that a double holds.
constexpr double powersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// A number without an exponent, as JSON writes it; nullptr where there is another one, or none.
const char* readPlain(const char* at, const char* end, double& value) {
  const char* const begin = at;
  at += at != end && *at == '-' ? 1 : 0;
  const char* const whole = at;
  std::uint64_t digits = readDigits(at, end, 0);
  if (at == whole || (*whole == '0' && at - whole > 1))
    return nullptr;
  std::ptrdiff_t count = at - whole, fraction = 0;
  if (at != end && *at == '.') {
    const char* const point = ++at;
    digits = readDigits(at, end, digits);
    fraction = at - point;
    if (fraction == 0)
      return nullptr;
    count += fraction;
  }
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  // Both are doubles, so their quotient is the nearest one.
  if (count <= 19 && digits <= exact && fraction < std::ssize(powersOfTen)) {
    value = static_cast<double>(digits) / powersOfTen[fraction];
    value = *begin == '-' ? -value : value;
    return at;
  }
  const auto read = std::from_chars(begin, at, value, std::chars_format::fixed);
  return read.ec == std::errc() && read.ptr == at ? at : nullptr;
}

} // namespace

std::string_view nameOf(JsonKind kind) {
  switch (kind) {
  case JsonKind::Object:
    return "an object";
  case JsonKind::List:
    return "a list";
  case JsonKind::Text:
    return "text";
  case JsonKind::Number:
    return "a number";
  case JsonKind::True:
  case JsonKind::False:
    return "a truth value";
  case JsonKind::Null:
    return "null";
  case JsonKind::Other:
    return "something that is no JSON";
  case JsonKind::End:
    return "the end";
  }
  return {};
}

JsonKind JsonCursor::kind() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
  if (failed() || isDone())
    return JsonKind::End;
  switch (text_[at_]) {
  case '{':
    return JsonKind::Object;
  case '[':
    return JsonKind::List;
  case '"':
    return JsonKind::Text;
  case 't':
    return JsonKind::True;
  case 'f':
    return JsonKind::False;
  case 'n':
    return text_.substr(at_, 3) == "nan" ? JsonKind::Number : JsonKind::Null;
  case 'N':
  case 'I':
  case 'i':
  case '+':
  case '-':
    return JsonKind::Number;
  default:
    return text_[at_] >= '0' && text_[at_] <= '9' ? JsonKind::Number : JsonKind::Other;
  }
}

void JsonCursor::fail(std::string message, std::size_t at) {
  if (failed())
    return;
  fault_ = std::move(message);
  faultAt_ = at;
}

void JsonCursor::expected(std::string_view what) {
  const JsonKind found = kind();
  if (found == JsonKind::End)
    fail(fmt::format("the text ends where {} is expected", what), at_);
  else
    fail(fmt::format("{} is expected, and here is {}", what, nameOf(found)), at_);
}

bool JsonCursor::enter(JsonKind wanted) {
  if (kind() != wanted)
    return expected(nameOf(wanted)), false;
  if (++depth_ > nestingDepth_)
    return fail(fmt::format("it is nested deeper than {}", nestingDepth_), at_), false;
  ++at_;
  return true;
}

bool JsonCursor::more(JsonKind of, bool& isFirst) {
  const char close = of == JsonKind::Object ? '}' : ']';
  kind();
  if (failed())
    return false;
  if (!isDone() && text_[at_] == close) {
    ++at_;
    --depth_;
    return false;
  }
  if (!isFirst) {
    if (isDone() || text_[at_] != ',')
      return expected(of == JsonKind::Object ? "a comma or }" : "a comma or ]"), false;
    ++at_;
  }
  isFirst = false;
  return true;
}

std::string_view JsonCursor::key() {
  if (kind() != JsonKind::Text)
    return expected("a key in quotes"), std::string_view();
  const std::string_view found = string();
  kind();
  if (isDone() || text_[at_] != ':')
    return expected("a colon"), std::string_view();
  ++at_;
  return found;
}

std::string_view JsonCursor::string() {
  if (kind() != JsonKind::Text)
    return expected("text"), std::string_view();
  const std::size_t begin = at_ + 1;
  skipString();
  if (failed())
    return {};
  const std::string_view written = text_.substr(begin, at_ - begin - 1);
  hadHalfPair_ = false;
  if (written.find('\\') == std::string_view::npos)
    return written;
  unescape(written);
  return scratch_;
}

void JsonCursor::skipString() {
  const std::size_t begin = at_++;
  for (;;) {
    const void* const quote = std::memchr(text_.data() + at_, '"', text_.size() - at_);
    if (quote == nullptr)
      return fail("text does not end", begin);
    const auto end = static_cast<std::size_t>(static_cast<const char*>(quote) - text_.data());
    std::size_t slashes = 0;
    while (end - slashes > begin + 1 && text_[end - slashes - 1] == '\\')
      ++slashes;
    at_ = end + 1;
    if (slashes % 2 == 0)
      return checkString(begin + 1);
  }
}

void JsonCursor::checkString(std::size_t begin) {
  const std::string_view written = text_.substr(begin, at_ - 1 - begin);
  bool isPlain = true;
  for (const char each : written)
    isPlain = isPlain && static_cast<signed char>(each) >= ' ';
  if (isPlain)
    return;
  const auto control = std::find_if(written.begin(), written.end(), [](char each) {
    return static_cast<unsigned char>(each) < ' ';
  });
  if (control != written.end())
    return fail("a control character stands in a text, where JSON has an escape",
                begin + static_cast<std::size_t>(control - written.begin()));
  if (const auto invalid = utf8::firstInvalid(written))
    fail("bytes that are no UTF-8 stand in a text", begin + *invalid);
}

void JsonCursor::unescape(std::string_view written) {
  scratch_.clear();
  for (std::size_t at = 0; at < written.size() && !failed();)
    if (written[at] != '\\')
      scratch_ += written[at++];
    else
      unescapeOne(written, at);
}

void JsonCursor::unescapeOne(std::string_view written, std::size_t& at) {
  constexpr std::string_view names = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
  const char name = written[at + 1];
  if (const std::size_t found = names.find(name); found != std::string_view::npos) {
    scratch_ += meant[found];
    at += 2;
    return;
  }
  auto unit = [&](std::size_t from) -> std::uint32_t {
    std::uint32_t value = 0;
    if (written.substr(from, 2) != "\\u" || from + 6 > written.size())
      return ~0u;
    const char* const end = written.data() + from + 6;
    const auto read = std::from_chars(written.data() + from + 2, end, value, 16);
    return read.ptr == end ? value : ~0u;
  };
  std::uint32_t value = unit(at);
  if (value == ~0u)
    return fail("an escape that JSON does not have", at_);
  at += 6;
  if (value >= 0xd800 && value < 0xdc00)
    if (const std::uint32_t low = unit(at); low >= 0xdc00 && low < 0xe000) {
      value = 0x10000 + ((value - 0xd800) << 10) + (low - 0xdc00);
      at += 6;
    }
  const bool isHalf = value >= 0xd800 && value < 0xe000;
  hadHalfPair_ = hadHalfPair_ || isHalf;
  utf8::append(scratch_, isHalf ? 0xfffd : char32_t{value});
}

std::string_view JsonCursor::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && isWordCharacter(text_[at_]))
    ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<double> JsonCursor::number(bool isText, NumberClass& of) {
  const JsonKind found = kind();
  const std::size_t begin = at_;
  of = NumberClass::Finite;
  std::string_view text;
  if (found == JsonKind::Text)
    text = string();
  else if (found == JsonKind::Number || found == JsonKind::Null)
    text = word();
  else
    return expected("a number"), std::nullopt;
  if (failed())
    return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isRead = read.ptr == text.data() + text.size() && isWrittenAsNumber(text);
  if (isRead && (isText || found != JsonKind::Text)) {
    if (read.ec == std::errc::result_out_of_range) {
      // What is too small for a double is 0 to it.
      value = std::strtod(std::string(text).c_str(), nullptr);
      if (std::isinf(value))
        return fail(fmt::format("{} is beyond what a double holds", utf8::ticked(text)), begin),
               std::nullopt;
    }
    if (value == sentinelNumber)
      return of = NumberClass::Sentinel, valueOf(NumberClass::Sentinel);
    return value;
  }
  for (const Word& each : nonFiniteWords)
    if (text == each.text)
      return of = each.of, valueOf(each.of);
  if (found == JsonKind::Text)
    fail(fmt::format("a number is expected, and here is the text {}", utf8::ticked(text)), begin);
  else
    fail(fmt::format("{} is no number", utf8::ticked(text)), begin);
  return std::nullopt;
}

std::optional<std::int64_t> JsonCursor::integer() {
  if (kind() != JsonKind::Number)
    return expected("a whole number"), std::nullopt;
  const std::size_t begin = at_;
  const std::string_view text = word();
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec == std::errc() && read.ptr == text.data() + text.size())
    return value;
  fail(fmt::format("a whole number is expected, and here is {}", utf8::ticked(text)), begin);
  return std::nullopt;
}

template <class Value, class Read> void JsonCursor::eachPlain(std::vector<Value>& to, Read read) {
  const char *const begin = text_.data(), *const end = begin + text_.size();
  for (const char* at = behindBlanks(begin + at_, end); at != end;) {
    Value value{};
    const char* const behind = read(at, end, value);
    if (behind == nullptr)
      return;
    const char* const next = behindBlanks(behind, end);
    if (next == end || (*next != ',' && *next != ']'))
      return;
    to.push_back(value);
    at_ = static_cast<std::size_t>(behind - begin);
    if (*next == ']')
      return;
    at = behindBlanks(next + 1, end);
  }
}

void JsonCursor::numbers(std::vector<double>& to) {
  eachPlain(to, [](const char* at, const char* end, double& value) {
    const char* const behind = readPlain(at, end, value);
    return value == sentinelNumber ? nullptr : behind;
  });
}

void JsonCursor::integers(std::vector<std::int64_t>& to) {
  eachPlain(to, [](const char* at, const char* end, std::int64_t& value) -> const char* {
    const auto read = std::from_chars(at, end, value);
    return read.ec == std::errc() ? read.ptr : nullptr;
  });
}

void JsonCursor::skipScalar() {
  const std::size_t begin = at_;
  const std::string_view text = word();
  bool isKnown = text == "true" || text == "false" || isWrittenAsNumber(text);
  for (const Word& each : nonFiniteWords)
    isKnown = isKnown || text == each.text;
  if (!isKnown)
    fail(text.empty() ? "a value is expected" : fmt::format("{} is no JSON", utf8::ticked(text)),
         begin);
}

void JsonCursor::skip() {
  // Its own stack: what is nested deep must cost no stack of the program.
  std::string open;
  const std::size_t outer = depth_;
  do {
    const JsonKind found = kind();
    if (found == JsonKind::End)
      return expected("a value");
    if (found == JsonKind::Object || found == JsonKind::List) {
      if (!enter(found))
        return;
      open += found == JsonKind::Object ? '}' : ']';
      kind();
      if (!isDone() && text_[at_] != open.back()) {
        if (found == JsonKind::Object)
          key();
        continue;
      }
    } else if (found == JsonKind::Text) {
      skipString();
    } else {
      skipScalar();
    }
    while (!open.empty() && !failed()) {
      const JsonKind of = open.back() == '}' ? JsonKind::Object : JsonKind::List;
      bool isFirst = false;
      kind();
      if (more(of, isFirst)) {
        if (of == JsonKind::Object)
          key();
        break;
      }
      open.pop_back();
    }
  } while (!open.empty() && !failed());
  depth_ = outer;
}

void JsonCursor::finish() {
  if (kind() != JsonKind::End)
    fail("the record has ended, and something follows", at_);
}

} // namespace tikc::data
