#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// tikc-verify: checks the certificates of tikc with arithmetic of its own.
namespace verify {

/// Thrown where a certificate asks for more than this program is willing to do.
struct TooMuch {};

/// What one run may cost, in steps on 32-bit words: no certificate keeps the checker busy for long.
class Work {
public:
  static void spend(std::size_t steps) {
    used += steps + 16;
    if (used > limit)
      throw TooMuch{};
  }
  static inline std::uint64_t used = 0;
  static inline std::uint64_t limit = 30'000'000'000;
};

/// A whole number of any size: a sign, and words of 32 bits, the least first, none of them a
/// leading zero.
class Integer {
public:
  Integer(std::int64_t value = 0);
  /// Decimal digits only.
  static Integer parse(std::string_view digits);

  bool isZero() const { return words_.empty(); }
  bool isNegative() const { return negative_; }
  bool isOdd() const { return !words_.empty() && (words_[0] & 1) != 0; }
  int sign() const { return isZero() ? 0 : negative_ ? -1 : 1; }
  /// |x| < 2^bits, and not for one less.
  std::int64_t bits() const;
  /// Of a number of at most 62 bits.
  std::int64_t small() const;
  std::string decimal() const;

  Integer operator-() const;
  friend Integer operator+(const Integer& a, const Integer& b);
  friend Integer operator-(const Integer& a, const Integer& b) { return a + -b; }
  friend Integer operator*(const Integer& a, const Integer& b);
  friend bool operator==(const Integer& a, const Integer& b) = default;
  friend bool operator<(const Integer& a, const Integer& b);
  friend bool operator<=(const Integer& a, const Integer& b) { return !(b < a); }

  Integer shiftedLeft(std::int64_t by) const;
  /// x / 2^by, rounded down.
  Integer shiftedDown(std::int64_t by) const;
  /// The quotient rounded down. `divisor` is positive.
  friend Integer floorDivide(const Integer& a, const Integer& divisor);
  friend Integer ceilDivide(const Integer& a, const Integer& d) { return -floorDivide(-a, d); }
  friend Integer gcd(Integer a, Integer b);
  /// The square root of x >= 0, rounded down.
  friend Integer rootOf(const Integer& x);

private:
  using Words = std::vector<std::uint32_t>;
  Integer(Words words, bool negative);
  static int compare(const Words& a, const Words& b);
  static Words add(const Words& a, const Words& b);
  static Words subtract(const Words& a, const Words& b);
  /// Leaves the remainder in `a`.
  static Words divide(Words& a, const Words& b);
  static std::uint32_t divideSmall(Words& a, std::uint32_t divisor);

  Words words_;
  bool negative_ = false;
};

} // namespace verify
