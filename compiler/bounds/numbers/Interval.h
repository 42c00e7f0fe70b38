#pragma once

#include "support/Rational.h"

#include <mpfi.h>

#include <string>

namespace tikc::bounds {

/// A closed interval of binary numbers around a real number; every operation rounds outward. An end
/// may be infinite. An operation outside its domain returns an unusable interval.
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
  /// Whether both ends are finite numbers.
  bool isUsable() const { return mpfi_bounded_p(value_) != 0; }
  Rational lower() const;
  Rational upper() const;
  /// Returns the upper end with fewer bits, rounded up.
  Rational upper(unsigned bits) const;
  double middle() const { return mpfi_get_d(value_); }
  /// Returns the exponent of the larger end: |x| < 2^magnitude.
  long magnitude() const;

  mpfi_ptr raw() { return value_; }
  mpfi_srcptr raw() const { return value_; }

private:
  mpfi_t value_;
};

/// Returns -1 if a < b is certain, 1 if a > b is certain, and 0 if the intervals overlap.
int compare(const Interval& a, const Interval& b);
int compare(const Interval& a, const Rational& b);

enum class Rounding : bool { Down, Up };
/// Returns a decimal with `digits` significant digits, rounded in the given direction.
std::string decimal(const Rational& number, unsigned digits, Rounding rounding);
/// Returns a share in percent, rounded in the given direction; "less than 1e-9%" for tiny shares.
std::string percent(const Rational& share, unsigned digits, Rounding rounding);
/// Returns the number that `decimal` prints.
Rational rounded(const Rational& number, unsigned digits, Rounding rounding);

} // namespace tikc::bounds
