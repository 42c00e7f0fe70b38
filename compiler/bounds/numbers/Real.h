#pragma once

#include "bounds/numbers/Interval.h"

#include <optional>
#include <string>
#include <variant>

namespace tikc::bounds {

/// factor · log(of), of > 1.
struct Logarithm {
  Rational factor, of;

  friend bool operator==(const Logarithm&, const Logarithm&) = default;
};

/// A number of a derivation: an exact rational as long as every step was rational, an outward
/// rounded interval from the first irrational step on. It carries the precision of that step, so a
/// formula is written once and evaluated at any precision. An interval may know which logarithm of
/// a rational it is around, so that what a bit or a ratio is in nats comes back as it was.
class Real {
public:
  /// A constant of a formula; it takes the precision of what it meets.
  Real(int number) : value_(Rational(number)) {}
  Real(Rational number, unsigned bits);
  Real(const Logarithm& number, unsigned bits);

  unsigned bits() const { return bits_; }
  /// The same number, computed with from here on at another precision.
  Real withBits(unsigned bits) const;

  bool isExact() const { return std::holds_alternative<Rational>(value_); }
  const std::optional<Logarithm>& logarithm() const { return logarithm_; }
  /// Neither end is infinite, and no step left its domain.
  bool isUsable() const;
  Rational lower() const;
  Rational upper() const;
  /// The upper end, exact; of an interval, rounded up to so many bits.
  Real ceiling(unsigned bits) const;
  Real floor(unsigned bits) const;
  /// |x| < 2^magnitude, and not much less.
  long magnitude() const;
  /// For choices that soundness does not rest on, such as where a search starts.
  double approximate() const;

  Real operator-() const;
  friend Real operator+(const Real& a, const Real& b);
  friend Real operator-(const Real& a, const Real& b);
  friend Real operator*(const Real& a, const Real& b);
  friend Real operator/(const Real& a, const Real& b);

  friend Real sqrt(const Real& x);
  friend Real exp(const Real& x);
  friend Real expm1(const Real& x);
  friend Real log(const Real& x);
  friend Real log1p(const Real& x);
  friend Real sinh(const Real& x);
  friend Real cosh(const Real& x);
  friend Real tanh(const Real& x);
  friend Real asinh(const Real& x);
  friend Real acosh(const Real& x);
  friend Real atanh(const Real& x);
  /// x to the n, for x >= 0; exact where n is whole and the result small enough.
  friend Real pow(const Real& x, const Real& n);
  friend Real min(const Real& a, const Real& b);
  friend Real max(const Real& a, const Real& b);
  friend Real abs(const Real& x);

  /// The interval between the lower end of one number and the upper end of another.
  friend Real hull(const Real& lower, const Real& upper);

  /// For certain; of two intervals that meet, neither is.
  friend bool isLess(const Real& a, const Real& b);
  friend bool isAtMost(const Real& a, const Real& b);

private:
  explicit Real(Interval value);
  Interval interval(unsigned bits) const;
  /// For one operation: the interval itself, or one around the exact number.
  const Interval& operand(unsigned bits, std::optional<Interval>& scratch) const;
  const Rational& exact() const { return std::get<Rational>(value_); }
  using Operation = int (*)(mpfi_ptr, mpfi_srcptr);
  using Operation2 = int (*)(mpfi_ptr, mpfi_srcptr, mpfi_srcptr);
  static Real apply(Operation operation, const Real& x);
  static Real apply(Operation2 operation, const Real& a, const Real& b);
  static Real settled(Rational number, unsigned bits);
  static Real powerOf(const Rational& base, const Rational& exponent, unsigned bits);

  std::variant<Rational, Interval> value_;
  std::optional<Logarithm> logarithm_; // of an interval
  unsigned bits_ = 0;
};

/// "0.2449186624" where all digits are certain to so many places, the two ends otherwise.
std::string print(const Real& x, unsigned digits);

} // namespace tikc::bounds
