#include "support/Rational.h"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace tikc {
namespace {

std::string_view takeDigits(std::string_view& text) {
  auto end = std::find_if_not(text.begin(), text.end(), llvm::isDigit);
  auto size = static_cast<std::size_t>(end - text.begin());
  std::string_view digits = text.substr(0, size);
  text.remove_prefix(size);
  return digits;
}

mpz_class power(unsigned long base, unsigned long exponent) {
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}

} // namespace

std::optional<Rational> parseDecimal(std::string_view text, const Limits& limits) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  std::string_view whole = takeDigits(text);
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = takeDigits(text);
  }
  if (whole.empty() && fraction.empty())
    return std::nullopt;

  long exponent = 0;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') && !text.starts_with("+-"))
      text.remove_prefix(1);
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (error != std::errc() || end == text.data())
      return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  const long mostExponent = limits.numberExponent;
  if (!text.empty() || exponent > mostExponent || exponent < -mostExponent)
    return std::nullopt;

  std::string digits = std::string(whole) + std::string(fraction);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  exponent -= static_cast<long>(fraction.size());
  // Digits count as much as the exponent does, or a page of them would slip past the limit.
  if (digits == "0")
    return Rational(0);
  auto magnitude = exponent + static_cast<long>(digits.size()) - 1;
  if (digits.size() > limits.expressionBytes || std::abs(magnitude) > mostExponent)
    return std::nullopt;
  mpz_class mantissa(digits, 10);
  Rational value(mantissa);
  if (exponent >= 0)
    value *= Rational(power(10, static_cast<unsigned long>(exponent)));
  else
    value /= Rational(power(10, static_cast<unsigned long>(-exponent)));
  value.canonicalize();
  return negative ? Rational(-value) : value;
}

std::optional<Rational> parseCoreNumber(std::string_view text, const Limits& limits) {
  int base = text.starts_with("0x") ? 16 : text.starts_with("0o") ? 8 : 10;
  if (base == 10)
    return parseDecimal(text, limits);
  mpz_class value;
  // The same bound as for decimals: 10^e has fewer hexadecimal digits than e, and fewer octal ones
  // than 2e.
  std::string digits(text.substr(2));
  bool few = !digits.empty() && digits.size() <= limits.numberExponent;
  if (!few || digits.front() == '-' || value.set_str(digits, base) != 0)
    return std::nullopt;
  return Rational(value);
}

std::string printRational(const Rational& value) {
  mpz_class rest = value.get_den();
  auto twos = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(2).get_mpz_t());
  auto fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), mpz_class(5).get_mpz_t());
  if (rest != 1)
    return value.get_str();

  auto places = static_cast<long>(std::max(twos, fives));
  mpz_class scaled =
      mpz_class(value.get_num() * power(10, static_cast<unsigned long>(places)) / value.get_den());
  std::string digits = mpz_class(abs(scaled)).get_str();
  std::string sign = scaled < 0 ? "-" : "";
  if (places == 0) {
    auto zeros = static_cast<long>(digits.size() -
                                   std::min(digits.find_last_not_of('0') + 1, digits.size()));
    if (zeros >= 7 && scaled != 0)
      return sign + digits.substr(0, digits.size() - static_cast<std::size_t>(zeros)) + "e" +
             std::to_string(zeros);
    return sign + digits;
  }
  // A value such as 1e-9 reads better in its scientific form than as a row of zeros.
  auto leadingZeros = places - static_cast<long>(digits.size());
  if (leadingZeros >= 4) {
    std::string mantissa = digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "");
    return sign + mantissa + "e-" + std::to_string(leadingZeros + 1);
  }
  if (leadingZeros >= 0)
    return sign + "0." + std::string(static_cast<std::size_t>(leadingZeros), '0') + digits;
  auto point = digits.size() - static_cast<std::size_t>(places);
  return sign + digits.substr(0, point) + "." + digits.substr(point);
}

namespace {

constexpr int failed = 3;

void* orStop(void* memory) {
  if (memory)
    return memory;
  std::fputs("tikc: out of memory\n", stderr);
  std::_Exit(failed); // no exception may pass through the library
}

} // namespace

void stopWithoutMemoryForNumbers() {
  mp_set_memory_functions(
      [](std::size_t size) { return orStop(std::malloc(size)); },
      [](void* old, std::size_t, std::size_t size) { return orStop(std::realloc(old, size)); },
      [](void* memory, std::size_t) { std::free(memory); });
}

} // namespace tikc
