#pragma once

#include "bounds/numbers/Interval.h"

#include <optional>
#include <string>
#include <variant>

namespace tikc::bounds {

/// factor · log(of), for of > 1.
struct Logarithm {
  Rational factor, of;

  friend bool operator==(const Logarithm&, const Logarithm&) = default;
};

/// A number of a derivation. It is an exact rational while every step is rational, and then an
/// interval rounded outward. It carries its precision, so a formula is written once for every
/// precision. An interval may know the logarithm that it encloses, so that conversions between bits
/// and nats are lossless.
class Real {
public:
  /// A constant of a formula, with the precision of the other operand.
  Real(int number) : value_(Rational(number)) {}
  Real(Rational number, unsigned bits);
  Real(const Logarithm& number, unsigned bits);

  unsigned bits() const { return bits_; }
  /// Returns the number for computations at another precision.
  Real withBits(unsigned bits) const;

  bool isExact() const { return std::holds_alternative<Rational>(value_); }
  const std::optional<Logarithm>& logarithm() const { return logarithm_; }
  /// Whether both ends are finite and no step left its domain.
  bool isUsable() const;
  Rational lower() const;
  Rational upper() const;
  /// Returns the exact upper end; for an interval, rounded up to the given bits.
  Real ceiling(unsigned bits) const;
  Real floor(unsigned bits) const;
  /// Returns an exponent with |x| < 2^magnitude that is not much too large.
  long magnitude() const;
  /// Returns an approximation for choices that do not affect soundness, such as the start of a
  /// search.
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
  /// x to the n, for x >= 0; exact if n is whole and the result small enough.
  friend Real pow(const Real& x, const Real& n);
  friend Real min(const Real& a, const Real& b);
  friend Real max(const Real& a, const Real& b);
  friend Real abs(const Real& x);

  /// Returns the interval from the lower end of one number to the upper end of another.
  friend Real hull(const Real& lower, const Real& upper);

  /// Whether a < b is certain; false for intervals that overlap.
  friend bool isLess(const Real& a, const Real& b);
  friend bool isAtMost(const Real& a, const Real& b);

private:
  explicit Real(Interval value);
  Interval interval(unsigned bits) const;
  /// Returns the interval for one operation: its own, or one around the exact number.
  const Interval& operand(unsigned bits, std::optional<Interval>& scratch) const;
  const Rational& exact() const { return std::get<Rational>(value_); }
  using Operation = int (*)(mpfi_ptr, mpfi_srcptr);
  using Operation2 = int (*)(mpfi_ptr, mpfi_srcptr, mpfi_srcptr);
  static Real apply(Operation operation, const Real& x);
  static Real apply(Operation2 operation, const Real& a, const Real& b);
  static Real settled(Rational number, unsigned bits);
  static Real powerOf(const Rational& base, const Rational& exponent, unsigned bits);

  std::variant<Rational, Interval> value_;
  std::optional<Logarithm> logarithm_; // that an interval encloses
  unsigned bits_ = 0;
};

/// Returns "0.2449186624" if that many digits are certain, otherwise both ends.
std::string print(const Real& x, unsigned digits);

} // namespace tikc::bounds
