#include "logic/Magnitudes.h"

#include "support/Check.h"

namespace tikc::logic {
namespace {

/// log 2 lies between this and one more in the last digit.
const Rational& logarithmOfTwo() {
  static const Rational digits = [] {
    auto read = parseDecimal("0.6931471805599453094172321214581765680755001343602552541206800094933"
                             "936219696947156058633269964186875");
    TIKC_CHECK(read, "the digits of log 2 are a decimal");
    return *read;
  }();
  return digits;
}

const Rational& lastDigit() {
  static const Rational place = [] {
    auto read = parseDecimal("1e-100");
    TIKC_CHECK(read, "a power of ten is a decimal");
    return *read;
  }();
  return place;
}

std::strong_ordering ordered(const Rational& a, const Rational& b) { return cmp(a, b) <=> 0; }

} // namespace

Magnitude magnitudeOf(const model::Amount& amount) {
  return {amount.scaled(), amount.unit == model::Unit::Bit};
}

bool isSameAmount(const std::optional<model::Amount>& a, const std::optional<model::Amount>& b) {
  if (!a || !b)
    return !a && !b;
  if (a->unit == b->unit && a->per == b->per)
    return a->value == b->value;
  auto order = compare(magnitudeOf(*a), magnitudeOf(*b));
  return a->dimension() == b->dimension() && order && *order == 0;
}

std::optional<std::strong_ordering> compare(const Magnitude& a, const Magnitude& b) {
  if (a.isBits == b.isBits || a.value == 0 || b.value == 0)
    return ordered(a.value, b.value);
  const Rational& low = logarithmOfTwo();
  Rational high = low + lastDigit();
  auto ends = [&](const Magnitude& magnitude) {
    return magnitude.isBits
               ? std::pair(Rational(magnitude.value * low), Rational(magnitude.value * high))
               : std::pair(magnitude.value, magnitude.value);
  };
  auto atLow = ordered(ends(a).first, ends(b).first);
  auto atHigh = ordered(ends(a).second, ends(b).second);
  if (atLow != atHigh || atLow == 0)
    return std::nullopt;
  return atLow;
}

Rational floorOf(const Rational& value) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

bool isMultiple(const Rational& longer, const Rational& shorter) {
  return shorter > 0 && longer >= shorter && Rational(longer / shorter).get_den() == 1;
}

} // namespace tikc::logic
