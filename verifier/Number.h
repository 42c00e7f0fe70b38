#pragma once

#include "verifier/Integer.h"

#include <optional>

namespace verify {

/// A fraction in lowest terms.
struct Rational {
  Integer top = 0, bottom = 1; // bottom > 0

  Rational(std::int64_t value = 0) : top(value) {}
  /// `divisor` is not zero.
  Rational(Integer dividend, Integer divisor);

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) = default;
  friend bool operator<(const Rational& a, const Rational& b);
  friend bool operator<=(const Rational& a, const Rational& b) { return !(b < a); }
  bool isWhole() const { return bottom == 1; }
};

/// About ten digits, rounded up or down.
std::string decimal(const Rational& value, bool up);

/// Thrown where an interval is too wide to decide something, or a step left its domain: more bits
/// may help.
struct Undecided {};

/// Real numbers between lo·2^exponent and hi·2^exponent. Every operation rounds outward.
struct Interval {
  Integer lo, hi;
  std::int64_t exponent = 0;

  /// The bits that results keep.
  static inline std::int64_t precision = 320;
  Interval trimmed() const;
  /// As a multiple of 2^to, rounded outward.
  Interval at(std::int64_t to) const;
};

/// Keeps results to so many bits while it lives.
class Precision {
public:
  explicit Precision(std::int64_t bits) { Interval::precision = bits; }
  ~Precision() { Interval::precision = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

private:
  std::int64_t before_ = Interval::precision;
};

/// A number of a derivation: exact as long as every step was rational, an interval from the first
/// irrational step on.
class Number {
public:
  Number(int value) : exact_(Rational(value)) {}
  Number(Rational value);
  Number(Interval value) : interval_(value.trimmed()) {}

  const std::optional<Rational>& exact() const { return exact_; }
  Interval interval() const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator/(const Number& a, const Number& b);
  Number operator-() const { return 0 - *this; }

  /// Certain, either way; throws Undecided where the intervals meet.
  friend bool operator<(const Number& a, const Number& b);
  friend bool operator<=(const Number& a, const Number& b) { return !(b < a); }

  friend Number sqrt(const Number& x);
  friend Number expm1(const Number& x);
  friend Number log1p(const Number& x);
  friend Number min(const Number& a, const Number& b) { return -max(-a, -b); }
  friend Number max(const Number& a, const Number& b);

private:
  std::optional<Rational> exact_;
  Interval interval_;
};

Number exp(const Number& x);
inline Number log(const Number& x) { return log1p(x - 1); }
Number sinh(const Number& x);
Number cosh(const Number& x);
Number tanh(const Number& x);
Number atanh(const Number& x);
/// x to a whole power n >= 0, for x >= 0.
Number pow(const Number& x, const Number& n);

} // namespace verify
