#include "data/text/Json.h"

#include "support/Utf8.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>

namespace tikc::data {
namespace {

struct Word {
  std::string_view text;
  NumberClass numberClass;
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

double valueOf(NumberClass numberClass) {
  switch (numberClass) {
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

std::string_view JsonCursor::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && isWordCharacter(text_[at_]))
    ++at_;
  return text_.substr(begin, at_ - begin);
}

std::optional<double> JsonCursor::number(bool isText, NumberClass& numberClass) {
  const JsonKind found = kind();
  const std::size_t begin = at_;
  numberClass = NumberClass::Finite;
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
        return fail(fmt::format("{} is out of the range of a double", utf8::ticked(text)), begin),
               std::nullopt;
    }
    if (value == sentinelNumber)
      return numberClass = NumberClass::Sentinel, valueOf(NumberClass::Sentinel);
    return value;
  }
  for (const Word& each : nonFiniteWords)
    if (text == each.text)
      return numberClass = each.numberClass, valueOf(each.numberClass);
  if (found == JsonKind::Text)
    fail(fmt::format("expected a number, found the text {}", utf8::ticked(text)), begin);
  else
    fail(fmt::format("{} is not a number", utf8::ticked(text)), begin);
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
  fail(fmt::format("expected a whole number, found {}", utf8::ticked(text)), begin);
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
    fail(text.empty() ? "expected a value"
                      : fmt::format("{} is not valid JSON", utf8::ticked(text)),
         begin);
}

} // namespace tikc::data
