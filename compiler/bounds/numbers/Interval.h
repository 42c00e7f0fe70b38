#pragma once

#include "support/Rational.h"

#include <mpfi.h>

#include <string>

namespace tikc::bounds {

/// A closed interval of binary numbers that contains a real one: every operation rounds outward.
/// An end may be infinite; an operation outside its domain gives an interval that is not usable.
class Interval {
public:
  explicit Interval(unsigned bits) { mpfi_init2(value_, bits); }
  Interval(const Rational& number, unsigned bits);
  Interval(const Interval& other);
  Interval(Interval&& other) noexcept;
  Interval& operator=(const Interval& other);
  Interval& operator=(Interval&& other) noexcept;
  ~Interval();

  unsigned bits() const { return static_cast<unsigned>(mpfi_get_prec(value_)); }
  /// Both ends are finite numbers.
  bool isUsable() const { return mpfi_bounded_p(value_) != 0; }
  Rational lower() const;
  Rational upper() const;
  /// The upper end with fewer bits, rounded up.
  Rational upper(unsigned bits) const;
  double middle() const { return mpfi_get_d(value_); }
  /// The exponent of the larger end: |x| < 2^magnitude.
  long magnitude() const;

  mpfi_ptr raw() { return value_; }
  mpfi_srcptr raw() const { return value_; }

private:
  mpfi_t value_;
};

/// -1 where a < b for certain, 1 where a > b for certain, 0 where the intervals meet.
int compare(const Interval& a, const Interval& b);
int compare(const Interval& a, const Rational& b);

enum class Rounding : bool { Down, Up };
/// A decimal of so many significant digits on the given side of the number.
std::string decimal(const Rational& number, unsigned digits, Rounding rounding);
/// The same of a share in percent, in words where its digits would tell nobody anything: "less than
/// 1e-9%".
std::string percent(const Rational& share, unsigned digits, Rounding rounding);
/// The number that this decimal is.
Rational rounded(const Rational& number, unsigned digits, Rounding rounding);

} // namespace tikc::bounds
