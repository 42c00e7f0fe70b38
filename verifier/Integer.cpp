#include "verifier/Integer.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace verify {
namespace {

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

constexpr std::int64_t largestShift = std::int64_t{1} << 26;

} // namespace

Integer::Integer(std::int64_t value) : negative_(value < 0) {
  auto size = static_cast<std::uint64_t>(value);
  for (size = negative_ ? 0 - size : size; size != 0; size >>= 32)
    words_.push_back(low(size));
}

Integer::Integer(Words words, bool negative) : words_(std::move(words)), negative_(negative) {
  while (!words_.empty() && words_.back() == 0)
    words_.pop_back();
  negative_ = negative_ && !words_.empty();
}

Integer Integer::parse(std::string_view digits) {
  Words out;
  for (std::size_t i = 0; i < digits.size();) {
    std::uint64_t scale = 1, carry = 0;
    for (; i < digits.size() && scale < 1'000'000'000; ++i, scale *= 10)
      carry = carry * 10 + static_cast<std::uint64_t>(digits[i] - '0');
    Work::spend(out.size());
    for (std::uint32_t& word : out) {
      carry += word * scale;
      word = low(carry);
      carry >>= 32;
    }
    if (carry != 0)
      out.push_back(low(carry));
  }
  return {std::move(out), false};
}

std::int64_t Integer::bits() const {
  if (isZero())
    return 0;
  return static_cast<std::int64_t>(words_.size()) * 32 - std::countl_zero(words_.back());
}

std::int64_t Integer::small() const {
  std::uint64_t out = 0;
  for (std::size_t i = std::min<std::size_t>(words_.size(), 2); i-- > 0;)
    out = out << 32 | words_[i];
  auto size = static_cast<std::int64_t>(out & 0x3fff'ffff'ffff'ffff);
  return negative_ ? -size : size;
}

std::string Integer::decimal() const {
  std::string out;
  for (Words rest = words_; !rest.empty();) {
    Work::spend(rest.size());
    std::uint32_t nine = divideSmall(rest, 1'000'000'000);
    for (int i = 0; i < 9 && (nine != 0 || !rest.empty()); ++i, nine /= 10)
      out += static_cast<char>('0' + nine % 10);
  }
  out += out.empty() ? "0" : negative_ ? "-" : "";
  return {out.rbegin(), out.rend()};
}

int Integer::compare(const Words& a, const Words& b) {
  if (a.size() != b.size())
    return a.size() < b.size() ? -1 : 1;
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

Integer::Words Integer::add(const Words& a, const Words& b) {
  if (a.size() < b.size())
    return add(b, a);
  Words out = a;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || carry != 0); ++i) {
    carry += std::uint64_t{a[i]} + (i < b.size() ? b[i] : 0);
    out[i] = low(carry);
    carry >>= 32;
  }
  if (carry != 0)
    out.push_back(1);
  return out;
}

// Of a >= b.
Integer::Words Integer::subtract(const Words& a, const Words& b) {
  Words out = a;
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < a.size() && (i < b.size() || borrow != 0); ++i) {
    std::uint64_t difference = std::uint64_t{a[i]} - (i < b.size() ? b[i] : 0) - borrow;
    out[i] = low(difference);
    borrow = difference >> 63;
  }
  while (!out.empty() && out.back() == 0)
    out.pop_back();
  return out;
}

Integer Integer::operator-() const { return {words_, !negative_}; }

Integer operator+(const Integer& a, const Integer& b) {
  Work::spend(a.words_.size() + b.words_.size());
  if (a.negative_ == b.negative_)
    return {Integer::add(a.words_, b.words_), a.negative_};
  if (Integer::compare(a.words_, b.words_) >= 0)
    return {Integer::subtract(a.words_, b.words_), a.negative_};
  return {Integer::subtract(b.words_, a.words_), b.negative_};
}

Integer operator*(const Integer& a, const Integer& b) {
  Work::spend(a.words_.size() * b.words_.size());
  Integer::Words out(a.words_.size() + b.words_.size());
  for (std::size_t i = 0; i < a.words_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.words_.size(); ++j) {
      carry += std::uint64_t{a.words_[i]} * b.words_[j] + out[i + j];
      out[i + j] = low(carry);
      carry >>= 32;
    }
    out[i + b.words_.size()] = low(carry);
  }
  return {std::move(out), a.negative_ != b.negative_};
}

bool operator<(const Integer& a, const Integer& b) {
  if (a.negative_ != b.negative_)
    return a.negative_;
  int order = Integer::compare(a.words_, b.words_);
  return a.negative_ ? order > 0 : order < 0;
}

Integer Integer::shiftedLeft(std::int64_t by) const {
  if (by <= 0)
    return by == 0 ? *this : shiftedDown(-by);
  if (by > largestShift)
    throw TooMuch{};
  auto whole = static_cast<std::size_t>(by / 32);
  auto part = static_cast<unsigned>(by % 32);
  Work::spend(words_.size() + whole);
  Words out(whole);
  std::uint64_t carry = 0;
  for (std::uint32_t word : words_) {
    carry |= std::uint64_t{word} << part;
    out.push_back(low(carry));
    carry >>= 32;
  }
  out.push_back(low(carry));
  return {std::move(out), negative_};
}

Integer Integer::shiftedDown(std::int64_t by) const {
  if (by <= 0)
    return shiftedLeft(-by);
  if (by >= bits())
    return negative_ ? -1 : 0;
  auto whole = static_cast<std::size_t>(by / 32);
  auto part = static_cast<unsigned>(by % 32);
  Work::spend(words_.size());
  bool lost = std::any_of(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(whole),
                          [](std::uint32_t word) { return word != 0; }) ||
              (words_[whole] & ((std::uint32_t{1} << part) - 1)) != 0;
  Words out;
  for (std::size_t i = whole; i < words_.size(); ++i) {
    std::uint64_t pair =
        words_[i] | (i + 1 < words_.size() ? std::uint64_t{words_[i + 1]} << 32 : 0);
    out.push_back(low(pair >> part));
  }
  Integer down(std::move(out), negative_);
  return negative_ && lost ? down - 1 : down;
}

std::uint32_t Integer::divideSmall(Words& a, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    rest = rest << 32 | a[i];
    a[i] = low(rest / divisor);
    rest %= divisor;
  }
  while (!a.empty() && a.back() == 0)
    a.pop_back();
  return low(rest);
}

// Knuth's algorithm D.
Integer::Words Integer::divide(Words& a, const Words& b) {
  if (compare(a, b) < 0)
    return {};
  if (b.size() == 1) {
    std::uint32_t rest = divideSmall(a, b[0]);
    return std::exchange(a, rest == 0 ? Words{} : Words{rest});
  }
  int shift = std::countl_zero(b.back());
  Words d = Integer(b, false).shiftedLeft(shift).words_;
  Words n = Integer(std::move(a), false).shiftedLeft(shift).words_;
  std::size_t size = d.size();
  n.resize(std::max(n.size(), size) + 1);
  Words out(n.size() - size);
  for (std::size_t i = out.size(); i-- > 0;) {
    std::uint64_t top = std::uint64_t{n[i + size]} << 32 | n[i + size - 1];
    std::uint64_t guess = top / d[size - 1], rest = top % d[size - 1];
    while (rest >> 32 == 0 &&
           (guess >> 32 != 0 || guess * d[size - 2] > (rest << 32 | n[i + size - 2]))) {
      --guess;
      rest += d[size - 1];
    }
    std::uint64_t carry = 0, borrow = 0;
    for (std::size_t j = 0; j <= size; ++j) {
      carry += j < size ? guess * d[j] : 0;
      std::uint64_t difference = std::uint64_t{n[i + j]} - low(carry) - borrow;
      n[i + j] = low(difference);
      borrow = difference >> 63;
      carry >>= 32;
    }
    if (borrow != 0) {
      --guess;
      carry = 0;
      for (std::size_t j = 0; j <= size; ++j) {
        carry += std::uint64_t{n[i + j]} + (j < size ? d[j] : 0);
        n[i + j] = low(carry);
        carry >>= 32;
      }
    }
    out[i] = low(guess);
  }
  a = Integer(std::move(n), false).shiftedDown(shift).words_;
  return out;
}

Integer floorDivide(const Integer& a, const Integer& divisor) {
  std::size_t n = a.words_.size(), d = divisor.words_.size();
  Work::spend(n + d * (n > d ? n - d + 1 : 1));
  Integer::Words rest = a.words_;
  Integer quotient(Integer::divide(rest, divisor.words_), a.negative_);
  return a.negative_ && !rest.empty() ? quotient - 1 : quotient;
}

Integer gcd(Integer a, Integer b) {
  a.negative_ = b.negative_ = false;
  while (!b.isZero()) {
    Work::spend(a.words_.size() + b.words_.size());
    Integer::divide(a.words_, b.words_);
    std::swap(a, b);
  }
  return a;
}

Integer rootOf(const Integer& x) {
  if (x.isZero())
    return x;
  // Newton's method from above decreases until it is there.
  Integer root = Integer(1).shiftedLeft((x.bits() + 1) / 2);
  while (true) {
    Integer next = (root + floorDivide(x, root)).shiftedDown(1);
    if (!(next < root))
      return root;
    root = std::move(next);
  }
}

} // namespace verify
