#include "verifier/Number.h"

#include <algorithm>
#include <bit>

namespace verify {
namespace {

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

} // namespace

void Work::spend(std::size_t steps) {
  used += steps + 16;
  require(used <= limit, "checking it would take too long.");
}

Integer::Integer(std::int64_t value) : negative_(value < 0) {
  auto size = static_cast<std::uint64_t>(value);
  for (size = negative_ ? 0 - size : size; size != 0; size >>= 32)
    words_.push_back(low(size));
}

Integer Integer::parse(std::string_view digits) {
  Integer out;
  for (char digit : digits)
    out = out * 10 + (digit - '0');
  return out;
}

void Integer::trim() {
  while (!words_.empty() && words_.back() == 0)
    words_.pop_back();
  negative_ = negative_ && !words_.empty();
}

std::int64_t Integer::bits() const {
  auto most = static_cast<std::int64_t>(words_.size()) * 32;
  return words_.empty() ? 0 : most - std::countl_zero(words_.back());
}

std::int64_t Integer::small() const {
  std::int64_t out = 0;
  for (std::size_t i = std::min<std::size_t>(words_.size(), 2); i-- > 0;)
    out = out << 32 | words_[i];
  return negative_ ? -out : out;
}

bool Integer::isShorter(const Integer& a, const Integer& b) {
  return a.words_.size() != b.words_.size()
             ? a.words_.size() < b.words_.size()
             : std::lexicographical_compare(a.words_.rbegin(), a.words_.rend(), b.words_.rbegin(),
                                            b.words_.rend());
}

Integer Integer::operator-() const {
  Integer out = *this;
  out.negative_ = !negative_ && !words_.empty();
  return out;
}

Integer operator+(const Integer& a, const Integer& b) {
  if (Integer::isShorter(a, b))
    return b + a;
  Work::spend(a.words_.size());
  Integer out = a;
  out.words_.push_back(0);
  std::int64_t factor = a.negative_ == b.negative_ ? 1 : -1, carry = 0;
  for (std::size_t i = 0; i < b.words_.size() || carry != 0; ++i) {
    std::int64_t other = i < b.words_.size() ? b.words_[i] : 0;
    carry += out.words_[i] + factor * other;
    out.words_[i] = low(static_cast<std::uint64_t>(carry));
    carry >>= 32; // rounds down, so that a borrow is -1
  }
  out.trim();
  return out;
}

Integer operator*(const Integer& a, const Integer& b) {
  Work::spend(a.words_.size() * b.words_.size());
  Integer out;
  out.words_.resize(a.words_.size() + b.words_.size());
  out.negative_ = a.negative_ != b.negative_;
  for (std::size_t i = 0; i < a.words_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.words_.size(); ++j) {
      carry += std::uint64_t{a.words_[i]} * b.words_[j] + out.words_[i + j];
      out.words_[i + j] = low(carry);
      carry >>= 32;
    }
    out.words_[i + b.words_.size()] = low(carry);
  }
  out.trim();
  return out;
}

bool operator<(const Integer& a, const Integer& b) {
  if (a.negative_ != b.negative_)
    return a.negative_;
  return a.negative_ ? Integer::isShorter(b, a) : Integer::isShorter(a, b);
}

Integer Integer::shifted(std::int64_t by) const {
  require(by <= std::int64_t{1} << 26, "checking it would take too long.");
  if (by < 0 && negative_)
    return -(-*this - 1).shifted(by) - 1;
  if (by <= -bits())
    return 0;
  std::int64_t whole = by >> 5, size = static_cast<std::int64_t>(words_.size());
  Integer out;
  out.words_.resize(static_cast<std::size_t>(size + whole + 1));
  Work::spend(out.words_.size());
  for (std::int64_t i = 0; i < size; ++i) {
    std::uint64_t pair = std::uint64_t{words_[static_cast<std::size_t>(i)]} << (by & 31);
    if (i + whole >= 0)
      out.words_[static_cast<std::size_t>(i + whole)] |= low(pair);
    if (i + whole >= -1)
      out.words_[static_cast<std::size_t>(i + whole + 1)] |= low(pair >> 32);
  }
  out.negative_ = negative_;
  out.trim();
  return out;
}

Integer floorDivide(const Integer& a, const Integer& divisor) {
  if (a.sign() < 0)
    return -floorDivide(-a - 1, divisor) - 1;
  // Words of zeros at the end are shifted off.
  auto first = std::find_if(divisor.words_.begin(), divisor.words_.end(), [](auto w) { return w; });
  const std::int64_t zeros = 32 * (first - divisor.words_.begin());
  Integer d = divisor.shifted(-zeros), rest = a.shifted(-zeros), quotient;
  if (d == 1)
    return rest;
  // The divisor's leading bits, rounded up.
  const std::int64_t dropped = std::max<std::int64_t>(0, d.bits() - 31);
  const std::int64_t lead = d.shifted(-dropped).small() + (dropped > 0 ? 1 : 0);
  while (d <= rest) {
    // No more often than this does the divisor fit, for the rest's leading bits are rounded down.
    std::int64_t by = std::max<std::int64_t>(0, rest.bits() - 62);
    Integer times = Integer(rest.shifted(-by).small() / lead).shifted(by - dropped);
    times = times.sign() == 0 ? Integer(1) : times;
    quotient = quotient + times;
    rest = rest - times * d;
  }
  return quotient;
}

Integer rootOf(const Integer& x) {
  // Newton's steps from above, down to the first that no longer falls.
  Integer root, next = Integer(1).shifted((x.bits() + 1) / 2);
  do {
    root = next;
    next = (root + floorDivide(x, root)).shifted(-1);
  } while (0 < next && next < root);
  return x.sign() == 0 ? x : root;
}

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

bool Number::isLikeLogarithm(const Number& other) const {
  return !logarithm_.empty() && !other.logarithm_.empty() && logarithm_[1] == other.logarithm_[1];
}

Number Number::operator-() const {
  Number out(-hi_, -lo_, scale_);
  if (!logarithm_.empty())
    out.logarithm_ = {-logarithm_[0], logarithm_[1]};
  return out;
}

Number operator+(const Number& a, const Number& b) {
  if (a.isZero() || b.isZero())
    return a.isZero() ? b : a;
  if (a.isLikeLogarithm(b))
    return (a.logarithm_[0] + b.logarithm_[0]) * log(a.logarithm_[1]);
  if (a.scale_ == b.scale_)
    return Number::rounded(a.lo_ + b.lo_, a.hi_ + b.hi_, a.scale_);
  return Number::rounded(a.lo_ * b.scale_ + b.lo_ * a.scale_, a.hi_ * b.scale_ + b.hi_ * a.scale_,
                         a.scale_ * b.scale_);
}

Number operator*(const Number& a, const Number& b) {
  if (!a.logarithm_.empty() && b.isExact())
    return b * a;
  Integer scale = a.scale_ * b.scale_;
  if (!b.logarithm_.empty() && a.isExact() && !a.isZero()) {
    Number out = a * Number(b.lo_, b.hi_, b.scale_);
    out.logarithm_ = {a * b.logarithm_[0], b.logarithm_[1]};
    return out;
  }
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
  if (a.isLikeLogarithm(b))
    return a.logarithm_[0] < b.logarithm_[0];
  if (a.hi_ * b.scale_ < b.lo_ * a.scale_)
    return true;
  if (b.hi_ * a.scale_ <= a.lo_ * b.scale_)
    return false;
  throw Undecided{};
}

Number max(const Number& a, const Number& b) {
  if (!a.logarithm_.empty() || !b.logarithm_.empty())
    return a < b ? b : a;
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
  if (!x.logarithm_.empty() && x.logarithm_[0].isWhole()) {
    const Number& times = x.logarithm_[0];
    const Number size = max(times, -times);
    if (size * x.logarithm_[1].scale_.bits() <= 4096 && size * x.logarithm_[1].lo_.bits() <= 4096)
      return times < 0 ? 1 / pow(x.logarithm_[1], size) : pow(x.logarithm_[1], size);
  }
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
  if (x.isExact() ? x < 1 : x < Number(1, 2))
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
  Number out = twice * z * sum;
  if (x.isExact())
    out.logarithm_ = {1, x};
  return out;
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
