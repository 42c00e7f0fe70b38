#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// tikc-verify: checks the certificates of tikc with its own arithmetic.
namespace verify {

/// The reason why a certificate is rejected.
struct Rejection {
  std::string why;
};

inline void require(bool condition, std::string_view otherwise) {
  if (!condition)
    throw Rejection{std::string(otherwise)};
}

/// The work limit of a run, in steps on 32-bit words, so that no certificate occupies the checker
/// for long.
struct Work {
  static void spend(std::size_t steps);
  static inline std::uint64_t used = 0, limit = 10'000'000'000;
};

/// An integer of any size: a sign, and 32-bit words in ascending order, without leading zeros.
class Integer {
public:
  Integer(std::int64_t value = 0);
  /// Parses decimal digits.
  static Integer parse(std::string_view digits);

  int sign() const { return words_.empty() ? 0 : negative_ ? -1 : 1; }
  /// Returns the least number of bits such that |x| < 2^bits.
  std::int64_t bits() const;
  /// Returns an integer of at most 62 bits.
  std::int64_t small() const;

  Integer operator-() const;
  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b) { return a + -b; }
  friend Integer operator*(const Integer& a, const Integer& b);
  friend bool operator==(const Integer& a, const Integer& b) = default;
  friend bool operator<(const Integer& a, const Integer& b);
  friend bool operator<=(const Integer& a, const Integer& b) { return !(b < a); }

  /// Returns x·2^by, rounded down.
  Integer shifted(std::int64_t by) const;
  /// Returns the quotient, rounded down. The divisor is positive.
  friend Integer floorDivide(const Integer& a, const Integer& divisor);
  friend Integer ceilDivide(const Integer& a, const Integer& d) { return -floorDivide(-a, d); }
  /// Returns the square root of x >= 0, rounded down.
  friend Integer rootOf(const Integer& x);

private:
  /// Compares absolute values.
  static bool isShorter(const Integer& a, const Integer& b);
  void trim();

  std::vector<std::uint32_t> words_;
  bool negative_ = false;
};

/// Thrown if an interval is too wide to decide a comparison, or a step left its domain: more bits
/// may help.
struct Undecided : Rejection {
  Undecided() : Rejection{"a number cannot be computed."} {}
};

/// A real number between lo/scale and hi/scale. It is exact (lo = hi) while every step was
/// rational. From the first irrational step on, every operation rounds outward to multiples of
/// 2^-precision. A number remembers that it is an exact multiple of an exact number's logarithm, so
/// that exponentiation restores it exactly.
class Number {
public:
  Number(std::int64_t value = 0) : lo_(value), hi_(value) {}
  /// A fraction; the divisor is positive.
  Number(const Integer& dividend, Integer divisor)
      : lo_(dividend), hi_(dividend), scale_(std::move(divisor)) {}

  bool isExact() const { return lo_ == hi_; }
  bool isZero() const { return lo_.sign() == 0 && hi_.sign() == 0; }
  bool isWhole() const { return lo_ == hi_ && floor() * scale_ == lo_; }
  /// Rounds the lower end down.
  Integer floor() const { return floorDivide(lo_, scale_); }

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b) { return a + -b; }
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator/(const Number& a, const Number& b);
  Number operator-() const;

  /// Decide with certainty, or throw Undecided if the intervals overlap.
  friend bool operator<(const Number& a, const Number& b);
  friend bool operator<=(const Number& a, const Number& b) { return !(b < a); }
  friend bool operator==(const Number& a, const Number& b) { return a <= b && b <= a; }

  friend Number max(const Number& a, const Number& b);
  friend Number min(const Number& a, const Number& b) { return -max(-a, -b); }
  friend Number sqrt(const Number& x);
  friend Number exp(const Number& x);
  friend Number log(const Number& x);
  /// Returns x to a whole power n >= 0, for x >= 0.
  friend Number pow(const Number& x, const Number& n);
  /// Returns an interval that contains every number from a to b.
  static Number between(const Number& a, const Number& b);

  static inline std::int64_t precision = 320;

private:
  Number(Integer lo, Integer hi, Integer scale)
      : lo_(std::move(lo)), hi_(std::move(hi)), scale_(std::move(scale)) {}
  /// Rounds outward, unless the number is exact and not too long.
  static Number rounded(Integer lo, Integer hi, Integer scale);
  /// Returns the number in multiples of 2^-precision.
  Number inUnits() const;
  bool isLikeLogarithm(const Number& other) const;
  /// Returns an order such that |x| < 2^order.
  std::int64_t order() const;

  Integer lo_, hi_, scale_ = 1; // scale > 0
  /// Two exact numbers: the value is the first times the logarithm of the second, which is above 1.
  std::vector<Number> logarithm_;
};

/// Sets the precision during its lifetime.
class Precision {
public:
  explicit Precision(std::int64_t bits) { Number::precision = bits; }
  ~Precision() { Number::precision = before_; }
  Precision(const Precision&) = delete;
  Precision& operator=(const Precision&) = delete;

private:
  std::int64_t before_ = Number::precision;
};

} // namespace verify
