#include "verifier/Number.h"

#include <algorithm>
#include <bit>

namespace verify {
namespace {

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

} // namespace

void Work::spend(std::size_t steps) {
  used += steps + 16;
  if (used > limit)
    throw TooMuch{};
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

std::int64_t Integer::trailingZeros() const {
  auto first = std::find_if(words_.begin(), words_.end(), [](std::uint32_t w) { return w != 0; });
  return first == words_.end() ? 0 : (first - words_.begin()) * 32 + std::countr_zero(*first);
}

std::int64_t Integer::small() const {
  std::int64_t out = 0;
  for (std::size_t i = std::min<std::size_t>(words_.size(), 2); i-- > 0;)
    out = out << 32 | words_[i];
  return negative_ ? -out : out;
}

int Integer::compareSizes(const Integer& a, const Integer& b) {
  if (a.words_.size() != b.words_.size())
    return a.words_.size() < b.words_.size() ? -1 : 1;
  for (std::size_t i = a.words_.size(); i-- > 0;)
    if (a.words_[i] != b.words_[i])
      return a.words_[i] < b.words_[i] ? -1 : 1;
  return 0;
}

Integer Integer::operator-() const {
  Integer out = *this;
  out.negative_ = !negative_ && !words_.empty();
  return out;
}

Integer operator+(const Integer& a, const Integer& b) {
  if (Integer::compareSizes(a, b) < 0)
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
  return Integer::compareSizes(a, b) * (a.negative_ ? -1 : 1) < 0;
}

Integer Integer::shifted(std::int64_t by) const {
  if (by > std::int64_t{1} << 26)
    throw TooMuch{};
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
  std::int64_t zeros = divisor.trailingZeros();
  Integer d = divisor.shifted(-zeros), rest = a.shifted(-zeros), quotient;
  // The divisor's leading bits, rounded up.
  std::int64_t dropped = std::max<std::int64_t>(0, d.bits() - 31);
  std::int64_t lead = d.shifted(-dropped).small() + (dropped > 0 ? 1 : 0);
  if (lead == 1)
    return rest;
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
  if (x.sign() == 0)
    return 0;
  // Doubles the digits of the root's leading part each time; `root` is at most 1 too large.
  std::int64_t half = (x.bits() - 1) / 2, known = 0;
  Integer root = 1;
  for (std::int64_t s = Integer(half).bits() - 1; s >= 0; --s) {
    std::int64_t before = known;
    known = half >> s;
    root = root.shifted(known - before - 1) +
           floorDivide(x.shifted(before + known - 2 * half - 1), root);
  }
  return x < root * root ? root - 1 : root;
}

} // namespace verify
