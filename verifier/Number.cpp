#include "verifier/Number.h"

#include <algorithm>

namespace verify {

Number Number::inUnits() const {
  return {floorDivide(lo_.shifted(precision), scale_), ceilDivide(hi_.shifted(precision), scale_),
          Integer(1).shifted(precision)};
}

Number Number::rounded(Integer lo, Integer hi, Integer scale) {
  constexpr std::int64_t longest = 65536;
  bool isShort = lo == hi && lo.bits() + scale.bits() <= longest;
  Number out(std::move(lo), std::move(hi), std::move(scale));
  return isShort ? out : out.inUnits();
}

std::int64_t Number::order() const { return std::max(lo_.bits(), hi_.bits()) - scale_.bits() + 1; }

Number Number::between(const Number& a, const Number& b) {
  return rounded(a.lo_ * b.scale_, b.hi_ * a.scale_, a.scale_ * b.scale_);
}

Number operator+(const Number& a, const Number& b) {
  if (a.scale_ == b.scale_)
    return Number::rounded(a.lo_ + b.lo_, a.hi_ + b.hi_, a.scale_);
  return Number::rounded(a.lo_ * b.scale_ + b.lo_ * a.scale_, a.hi_ * b.scale_ + b.hi_ * a.scale_,
                         a.scale_ * b.scale_);
}

Number operator*(const Number& a, const Number& b) {
  Integer scale = a.scale_ * b.scale_;
  if (a.lo_.sign() >= 0 && b.lo_.sign() >= 0)
    return Number::rounded(a.lo_ * b.lo_, a.hi_ * b.hi_, scale);
  auto [lo, hi] = std::minmax({a.lo_ * b.lo_, a.lo_ * b.hi_, a.hi_ * b.lo_, a.hi_ * b.hi_});
  return Number::rounded(lo, hi, scale);
}

Number operator/(const Number& a, const Number& b) {
  if (b.hi_.sign() < 0)
    return -a / -b;
  if (b.lo_.sign() <= 0)
    throw Undecided{};
  if (b.lo_ == b.hi_)
    return a * Number(b.scale_, b.lo_);
  Integer one = b.scale_.shifted(Number::precision);
  return a * Number(floorDivide(one, b.hi_), ceilDivide(one, b.lo_),
                    Integer(1).shifted(Number::precision));
}

bool operator<(const Number& a, const Number& b) {
  if (a.hi_ * b.scale_ < b.lo_ * a.scale_)
    return true;
  if (b.hi_ * a.scale_ <= a.lo_ * b.scale_)
    return false;
  throw Undecided{};
}

Number max(const Number& a, const Number& b) {
  return Number::rounded(std::max(a.lo_ * b.scale_, b.lo_ * a.scale_),
                         std::max(a.hi_ * b.scale_, b.hi_ * a.scale_), a.scale_ * b.scale_);
}

Number sqrt(const Number& x) {
  if (x.hi_.sign() < 0)
    throw Undecided{};
  Integer square = x.hi_ * x.scale_, root = rootOf(square);
  if (x.lo_ == x.hi_ && root * root == square)
    return {root, x.scale_};
  Number units = x.inUnits();
  Integer hi = units.hi_ * units.scale_, up = rootOf(hi);
  return {rootOf(std::max(units.lo_, Integer(0)) * units.scale_), up * up == hi ? up : up + 1,
          units.scale_};
}

Number exp(const Number& x) {
  constexpr std::int64_t smallness = 16; // the series runs below 2^-smallness
  if (x.isZero())
    return 1;
  if (x.order() > 40 || (x.order() > 15 && x.hi_.sign() > 0))
    throw Undecided{};
  std::int64_t halvings = std::max<std::int64_t>(0, x.order() + smallness);
  Precision more(Number::precision + halvings + 16);
  Number part = Number::rounded(x.lo_, x.hi_, x.scale_.shifted(halvings)).inUnits();
  // All terms from the last on are that term times 1 ± 2^-smallness.
  Number slack(1, Integer(1).shifted(smallness)), sum = Number::between(1 - slack, 1 + slack);
  for (std::int64_t n = Number::precision / smallness + 1; n > 0; --n)
    sum = 1 + part * sum / n;
  for (; halvings > 0; --halvings)
    sum = sum * sum;
  return sum;
}

Number log(const Number& x) {
  if (x.lo_.sign() <= 0)
    throw Undecided{};
  if (x < Number(1, 2))
    return -log(1 / x);
  if (x.lo_ == x.hi_ && x.lo_ == x.scale_)
    return 0;
  Precision more(Number::precision + 64);
  // log x = 2^roots · log of a number that is within 2^-8 of 1, which is 2·atanh z with |z| < 2^-8.
  Number near = x, twice = 2;
  for (; Number(1, 256) < max(near - 1, 1 - near); twice = twice * 2)
    near = sqrt(near);
  Number z = (near - 1) / (near + 1), sum = Number::between(0, 1);
  for (std::int64_t n = Number::precision / 16 + 1; n >= 0; --n)
    sum = Number(1, 2 * n + 1) + z * z * sum;
  return twice * z * sum;
}

Number pow(const Number& x, const Number& n) {
  if (!n.isWhole() || n < 0)
    throw Undecided{};
  if (n.isZero())
    return 1;
  Integer half = n.floor().shifted(-1);
  Number square = pow(x * x, Number(half, 1));
  return half.shifted(1) == n.floor() ? square : x * square;
}

} // namespace verify
