#include "data/pairing/Words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace tikc::data {
namespace {

std::optional<double> spelledNumber(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

} // namespace

std::optional<std::string> keyOfNumber(std::string_view written) {
  const std::size_t sign = written.starts_with('-') ? 1 : 0;
  const std::size_t end = std::min(written.find_first_not_of("0123456789", sign), written.size());
  const std::string_view whole = written.substr(0, end);
  const std::string_view fraction = written.substr(end);
  if (end == sign)
    return std::nullopt;
  if (!fraction.empty()) {
    // A float wrote this: beyond what it holds, its digits may not be those of the key.
    std::int64_t value = 0;
    const auto read = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    const bool isZero = fraction.size() > 1 && fraction.front() == '.' &&
                        fraction.find_first_not_of('0', 1) == std::string_view::npos;
    constexpr auto most = static_cast<std::int64_t>(exactWhole);
    if (!isZero || read.ec != std::errc() || value >= most || value <= -most)
      return std::nullopt;
  }
  return whole == "-0" ? "0" : std::string(whole);
}

std::optional<std::string> keyOfNumber(double number, double exact) {
  // Written so that NaN is refused. The next integer after `exact` was rounded to it.
  if (!(std::abs(number) < exact) || number != std::trunc(number))
    return std::nullopt;
  return std::to_string(static_cast<std::int64_t>(number));
}

bool isSameWord(std::string_view a, std::string_view b) {
  if (a == b)
    return true;
  const auto first = spelledNumber(a), second = spelledNumber(b);
  return first && second && *first == *second && std::abs(*first) < exactWhole;
}

} // namespace tikc::data
