#include "verifier/Number.h"

#include <algorithm>

namespace verify {
namespace {

/// An exact number beyond this many bits goes on as an interval.
constexpr std::int64_t largestExact = 65536;
constexpr std::int64_t largestPower = 16384;
constexpr std::int64_t largestExponent = std::int64_t{1} << 60;

bool isExactZero(const Number& x) { return x.exact() && x.exact()->top.isZero(); }

std::int64_t bitsOf(const Interval& x) { return std::max(x.lo.bits(), x.hi.bits()); }

/// |x| < 2^order.
std::int64_t orderOf(const Interval& x) { return x.exponent + bitsOf(x); }

Interval whole(const Integer& value) { return {value, value, 0}; }

Interval add(const Interval& a, const Interval& b) {
  if (bitsOf(a) == 0)
    return b;
  if (bitsOf(b) == 0)
    return a;
  std::int64_t finest = std::max(orderOf(a), orderOf(b)) - Interval::precision - 8;
  std::int64_t to = std::max(finest, std::min(a.exponent, b.exponent));
  Interval x = a.at(to), y = b.at(to);
  return {x.lo + y.lo, x.hi + y.hi, to};
}

Interval multiply(const Interval& a, const Interval& b) {
  std::int64_t exponent = a.exponent + b.exponent;
  if (!a.lo.isNegative() && !b.lo.isNegative())
    return {a.lo * b.lo, a.hi * b.hi, exponent};
  auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
  return {lo, hi, exponent};
}

Interval divide(const Interval& a, const Interval& b) {
  if (b.hi.isNegative())
    return divide({-a.hi, -a.lo, a.exponent}, {-b.hi, -b.lo, b.exponent});
  if (b.lo.sign() <= 0)
    throw Undecided{};
  std::int64_t shift = std::max<std::int64_t>(0, Interval::precision + 8 + b.hi.bits() - bitsOf(a));
  Integer lo = a.lo.shiftedLeft(shift), hi = a.hi.shiftedLeft(shift);
  return {floorDivide(lo, lo.isNegative() ? b.lo : b.hi),
          ceilDivide(hi, hi.isNegative() ? b.hi : b.lo), a.exponent - b.exponent - shift};
}

/// log((1 + z)/(1 − z)) for |z| <= 1/2, by its series.
Number logOfQuotient(const Number& z) {
  if (isExactZero(z))
    return 0;
  Interval x = z.interval();
  Number square = Number(x) * Number(x), power = Number(x), sum = power;
  std::int64_t order = orderOf(x);
  for (int n = 3;; n += 2) {
    power = power * square;
    Number term = power / n;
    // What follows is at most a third of this term, since z² <= 1/4.
    std::int64_t size = orderOf(term.interval());
    if (size < order - Interval::precision - 4)
      return 2 * (sum + Interval{-1, 1, size + 1});
    sum = sum + term;
  }
}

const Interval& logOfTwo() {
  static Interval known;
  static std::int64_t precision = 0;
  if (precision < Interval::precision) {
    Precision more(Interval::precision + 32);
    known = logOfQuotient(Rational(1, 3)).interval();
    precision = Interval::precision - 32;
  }
  return known;
}

/// exp(x) − 1 for |x| < 1, relatively precise.
Number smallExpm1(const Interval& x) {
  std::int64_t halvings = std::max<std::int64_t>(0, orderOf(x) + 8 + Interval::precision / 64);
  Precision more(Interval::precision + 2 * halvings + 16);
  Interval small{x.lo, x.hi, x.exponent - halvings};
  Number term(small), sum(small);
  std::int64_t order = orderOf(small);
  for (int n = 2;; ++n) {
    term = term * Number(small) / n;
    std::int64_t size = orderOf(term.interval());
    if (size < order - Interval::precision - 4) {
      sum = sum + Interval{-1, 1, size + 1};
      break;
    }
    sum = sum + term;
  }
  for (; halvings > 0; --halvings)
    sum = sum * (sum + 2);
  return sum;
}

} // namespace

Rational::Rational(Integer dividend, Integer divisor)
    : top(std::move(dividend)), bottom(std::move(divisor)) {
  if (bottom.isNegative()) {
    top = -top;
    bottom = -bottom;
  }
  if (bottom == 1)
    return;
  Integer common = gcd(top, bottom);
  if (common == 1)
    return;
  top = floorDivide(top, common);
  bottom = floorDivide(bottom, common);
}

Rational operator+(const Rational& a, const Rational& b) {
  return {a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom};
}

Rational operator-(const Rational& a, const Rational& b) {
  return {a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom};
}

Rational operator*(const Rational& a, const Rational& b) {
  return {a.top * b.top, a.bottom * b.bottom};
}

bool operator<(const Rational& a, const Rational& b) { return a.top * b.bottom < b.top * a.bottom; }

std::string decimal(const Rational& value, bool up) {
  const Integer least = 1'000'000'000;
  Integer size = value.top.isNegative() ? -value.top : value.top, top = value.top;
  int digits = 0;
  for (; digits < 400 && !(floorDivide(top, value.bottom) * value.bottom == top) &&
         size < least * value.bottom;
       ++digits) {
    size = size * 10;
    top = top * 10;
  }
  std::string out = floorDivide(up ? top + value.bottom - 1 : top, value.bottom).decimal();
  std::string sign = out.starts_with('-') ? "-" : "";
  out.erase(0, sign.size());
  if (digits > 18)
    return sign + out + "e-" + std::to_string(digits);
  if (auto width = static_cast<std::size_t>(digits) + 1; out.size() < width)
    out.insert(0, width - out.size(), '0');
  if (digits > 0)
    out.insert(out.end() - digits, '.');
  return sign + out;
}

Interval Interval::trimmed() const {
  if (exponent > largestExponent || exponent < -largestExponent)
    throw Undecided{};
  std::int64_t surplus = bitsOf(*this) - precision;
  return surplus <= 0 ? *this : at(exponent + surplus);
}

Interval Interval::at(std::int64_t to) const {
  return {lo.shiftedDown(to - exponent), -(-hi).shiftedDown(to - exponent), to};
}

Number::Number(Rational value) {
  if (value.top.bits() + value.bottom.bits() <= largestExact)
    exact_ = std::move(value);
  else
    interval_ = divide(whole(value.top), whole(value.bottom)).trimmed();
}

Interval Number::interval() const {
  if (!exact_)
    return interval_;
  return divide(whole(exact_->top), whole(exact_->bottom)).trimmed();
}

Number operator+(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_)
    return *a.exact_ + *b.exact_;
  return add(a.interval(), b.interval());
}

Number operator-(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_)
    return *a.exact_ - *b.exact_;
  Interval minus = b.interval();
  return add(a.interval(), {-minus.hi, -minus.lo, minus.exponent});
}

Number operator*(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_)
    return *a.exact_ * *b.exact_;
  if (isExactZero(a) || isExactZero(b))
    return 0;
  return multiply(a.interval(), b.interval());
}

Number operator/(const Number& a, const Number& b) {
  if (isExactZero(b))
    throw Undecided{};
  if (a.exact_ && b.exact_)
    return Rational(a.exact_->top * b.exact_->bottom, a.exact_->bottom * b.exact_->top);
  return divide(a.interval(), b.interval());
}

bool operator<(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_)
    return *a.exact_ < *b.exact_;
  Interval difference = (a - b).interval();
  if (difference.hi.isNegative())
    return true;
  if (difference.lo.sign() >= 0)
    return false;
  throw Undecided{};
}

Number max(const Number& a, const Number& b) {
  if (a.exact_ && b.exact_)
    return *a.exact_ < *b.exact_ ? b : a;
  // Both ends are the larger ones; which number is larger need not be known.
  Interval gain = (b - a).interval();
  return a + Interval{std::max(gain.lo, Integer(0)), std::max(gain.hi, Integer(0)), gain.exponent};
}

Number sqrt(const Number& x) {
  if (x.exact_) {
    Integer top = x.exact_->top.isNegative() ? throw Undecided{} : rootOf(x.exact_->top);
    Integer bottom = rootOf(x.exact_->bottom);
    if (top * top == x.exact_->top && bottom * bottom == x.exact_->bottom)
      return Rational(top, bottom);
  }
  Interval inside = x.interval();
  if (inside.hi.isNegative())
    throw Undecided{};
  std::int64_t shift = std::max<std::int64_t>(0, 2 * Interval::precision + 8 - bitsOf(inside));
  shift += (inside.exponent - shift) & 1;
  Integer hi = inside.hi.shiftedLeft(shift), root = rootOf(hi);
  Integer up = root * root == hi ? root : root + 1;
  return Interval{rootOf(std::max(inside.lo, Integer(0)).shiftedLeft(shift)), up,
                  (inside.exponent - shift) / 2};
}

Number exp(const Number& x) {
  if (isExactZero(x))
    return 1;
  std::int64_t order = orderOf(x.interval());
  if (order > 40)
    throw Undecided{};
  Precision more(Interval::precision + std::max<std::int64_t>(order, 0) + 16);
  Integer twos = (divide(x.interval(), logOfTwo()).at(-1).lo + 1).shiftedDown(1);
  Interval rest = (x - Number(Rational(twos, 1)) * logOfTwo()).interval();
  if (orderOf(rest) > 0)
    throw Undecided{};
  Interval factor = (smallExpm1(rest) + 1).interval();
  factor.exponent += twos.small();
  return factor;
}

Number expm1(const Number& x) {
  if (isExactZero(x))
    return 0;
  Interval value = x.interval();
  return orderOf(value) <= 0 ? smallExpm1(value) : exp(x) - 1;
}

Number log1p(const Number& x) {
  if (isExactZero(x))
    return 0;
  Interval value = x.interval();
  if (orderOf(value) <= -4)
    return logOfQuotient(x / (x + 2));
  Precision more(Interval::precision + 64);
  Interval inside = (x + 1).interval();
  if (inside.lo.sign() <= 0)
    throw Undecided{};
  // 1 + x = m·2^k with m in [3/4, 3/2), or about; square roots bring m nearer to 1.
  std::int64_t twos = orderOf(inside);
  inside.exponent -= twos;
  if (inside.hi.shiftedDown(-inside.exponent - 4) < Integer(12)) {
    ++inside.exponent;
    --twos;
  }
  Number m(inside);
  int roots = static_cast<int>(Interval::precision / 256) + 3;
  for (int i = 0; i < roots; ++i)
    m = sqrt(m);
  Number out = logOfQuotient((m - 1) / (m + 1)) * Rational(Integer(1).shiftedLeft(roots), 1);
  return out + Number(Rational(twos)) * logOfTwo();
}

Number sinh(const Number& x) {
  Number e = expm1(x);
  return (e + e / (e + 1)) / 2;
}

Number cosh(const Number& x) {
  Number half = sinh(x / 2);
  return 1 + 2 * half * half;
}

Number tanh(const Number& x) {
  Number e = expm1(2 * x);
  return e / (e + 2);
}

Number atanh(const Number& x) { return log1p(2 * x / (1 - x)) / 2; }

Number pow(const Number& x, const Number& n) {
  if (x.exact() && n.exact() && n.exact()->isWhole()) {
    Integer size = n.exact()->top * (x.exact()->top.bits() + x.exact()->bottom.bits());
    if (x.exact()->top.isZero() || *x.exact() == Rational(1))
      return n.exact()->top.isZero() ? 1 : x;
    if (size <= largestPower) {
      Integer top = 1, bottom = 1;
      for (std::int64_t i = n.exact()->top.small(); i > 0; --i) {
        top = top * x.exact()->top;
        bottom = bottom * x.exact()->bottom;
      }
      return Rational(top, bottom);
    }
  }
  return exp(n * log(x));
}

} // namespace verify
