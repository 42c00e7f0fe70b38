#include "bounds/numbers/Real.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tikc::bounds {
namespace {

/// Beyond it an exact number costs more than it is worth: it goes on as an interval.
constexpr std::size_t largestExact = 4096;

/// The precision of a constant that meets no other number.
constexpr unsigned alone = 256;

std::size_t sizeOf(const Rational& number) {
  return mpz_sizeinbase(number.get_num_mpz_t(), 2) + mpz_sizeinbase(number.get_den_mpz_t(), 2);
}

long log2Of(const Rational& number) {
  return static_cast<long>(mpz_sizeinbase(number.get_num_mpz_t(), 2)) -
         static_cast<long>(mpz_sizeinbase(number.get_den_mpz_t(), 2)) + 1;
}

bool isSquare(const mpz_class& number) { return mpz_perfect_square_p(number.get_mpz_t()) != 0; }

using Elementary = int (*)(mpfi_ptr, mpfi_srcptr);

/// The latest values of functions at exact numbers. Lemmas of one family share most of them, and
/// without this table an exponential or a logarithm costs as much as a hundred other operations.
class LatestValues {
public:
  const Interval& at(Elementary function, const Rational& x, unsigned bits) {
    for (const Entry& each : entries_)
      if (each.function == function && each.value.bits() == bits && each.x == x)
        return each.value;
    Entry entry = {function, x, Interval(bits)};
    function(entry.value.raw(), Interval(x, bits).raw());
    Entry& place = entries_[next_++ % entries_.size()];
    place = std::move(entry);
    return place.value;
  }

private:
  struct Entry {
    Elementary function = nullptr;
    Rational x;
    Interval value{MPFR_PREC_MIN};
  };
  std::array<Entry, 32> entries_;
  std::size_t next_ = 0;
};
thread_local LatestValues latestValues;

} // namespace

Real::Real(Rational number, unsigned bits) : value_(std::move(number)), bits_(bits) {}

Real::Real(Interval value) : value_(std::move(value)) { bits_ = std::get<Interval>(value_).bits(); }

Real::Real(const Logarithm& number, unsigned bits)
    : Real(number.factor == 0
               ? Real(Rational(0), bits)
               : Real(number.factor, bits) * apply(mpfi_log, Real(number.of, bits))) {
  if (!isExact())
    logarithm_ = number;
}

Real Real::settled(Rational number, unsigned bits) {
  if (bits != 0 && sizeOf(number) > std::max<std::size_t>(largestExact, 4 * std::size_t{bits}))
    return Real(Interval(number, bits));
  return {std::move(number), bits};
}

Interval Real::interval(unsigned bits) const {
  if (isExact())
    return {exact(), bits};
  Interval out(bits);
  mpfi_set(out.raw(), std::get<Interval>(value_).raw());
  return out;
}

const Interval& Real::operand(unsigned bits, std::optional<Interval>& scratch) const {
  return isExact() ? scratch.emplace(exact(), bits) : std::get<Interval>(value_);
}

Real Real::withBits(unsigned bits) const {
  if (isExact())
    return {exact(), bits};
  if (logarithm_)
    return {*logarithm_, bits};
  return Real(interval(bits));
}

bool Real::isUsable() const { return isExact() || std::get<Interval>(value_).isUsable(); }

Rational Real::lower() const { return isExact() ? exact() : std::get<Interval>(value_).lower(); }

Rational Real::upper() const { return isExact() ? exact() : std::get<Interval>(value_).upper(); }

Real Real::ceiling(unsigned bits) const {
  return isExact() ? *this : Real(std::get<Interval>(value_).upper(bits), bits_);
}

Real Real::floor(unsigned bits) const { return -(-*this).ceiling(bits); }

long Real::magnitude() const {
  if (!isExact())
    return std::get<Interval>(value_).magnitude();
  return exact() == 0 ? -1'000'000'000 : log2Of(exact());
}

double Real::approximate() const {
  return isExact() ? exact().get_d() : std::get<Interval>(value_).middle();
}

Real Real::apply(Operation operation, const Real& x) {
  unsigned bits = x.bits_ == 0 ? alone : x.bits_;
  if (x.isExact())
    return Real(latestValues.at(operation, x.exact(), bits));
  Interval out(bits);
  operation(out.raw(), std::get<Interval>(x.value_).raw());
  return Real(std::move(out));
}

Real Real::apply(Operation2 operation, const Real& a, const Real& b) {
  unsigned bits = std::max(a.bits_, b.bits_);
  bits = bits == 0 ? alone : bits;
  Interval out(bits);
  std::optional<Interval> left, right;
  operation(out.raw(), a.operand(bits, left).raw(), b.operand(bits, right).raw());
  return Real(std::move(out));
}

Real Real::operator-() const {
  if (isExact())
    return {-exact(), bits_};
  Real out = apply(mpfi_neg, *this);
  if (logarithm_)
    out.logarithm_ = {-logarithm_->factor, logarithm_->of};
  return out;
}

Real operator+(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact())
    return Real::settled(a.exact() + b.exact(), std::max(a.bits_, b.bits_));
  if (a.logarithm_ && b.logarithm_ && a.logarithm_->of == b.logarithm_->of)
    return {Logarithm{a.logarithm_->factor + b.logarithm_->factor, a.logarithm_->of},
            std::max(a.bits_, b.bits_)};
  if (a.isExact() && a.exact() == 0)
    return b;
  if (b.isExact() && b.exact() == 0)
    return a;
  return Real::apply(mpfi_add, a, b);
}

Real operator-(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact())
    return Real::settled(a.exact() - b.exact(), std::max(a.bits_, b.bits_));
  if (a.logarithm_ || b.logarithm_)
    return a + -b;
  return Real::apply(mpfi_sub, a, b);
}

Real operator*(const Real& a, const Real& b) {
  if ((a.isExact() && a.exact() == 0) || (b.isExact() && b.exact() == 0))
    return {Rational(0), std::max(a.bits_, b.bits_)};
  if (a.isExact() && b.isExact())
    return Real::settled(a.exact() * b.exact(), std::max(a.bits_, b.bits_));
  if (b.logarithm_ && a.isExact())
    return {Logarithm{a.exact() * b.logarithm_->factor, b.logarithm_->of},
            std::max(a.bits_, b.bits_)};
  if (a.logarithm_ && b.isExact())
    return b * a;
  return Real::apply(mpfi_mul, a, b);
}

Real operator/(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact() && b.exact() != 0)
    return Real::settled(a.exact() / b.exact(), std::max(a.bits_, b.bits_));
  if (a.logarithm_ && b.isExact() && b.exact() != 0)
    return Real(Rational(1 / b.exact()), b.bits_) * a;
  return Real::apply(mpfi_div, a, b);
}

Real sqrt(const Real& x) {
  if (x.isExact() && x.exact() >= 0 && isSquare(x.exact().get_num()) &&
      isSquare(x.exact().get_den()))
    return {Rational(sqrt(x.exact().get_num()), sqrt(x.exact().get_den())), x.bits_};
  return Real::apply(mpfi_sqrt, x);
}

// The few arguments at which an elementary function is rational.
#define TIKC_FUNCTION(name, argument, result)                                                      \
  Real name(const Real& x) {                                                                       \
    if (x.isExact() && x.exact() == (argument))                                                    \
      return {Rational(result), x.bits_};                                                          \
    return Real::apply(mpfi_##name, x);                                                            \
  }
TIKC_FUNCTION(log1p, 0, 0)
TIKC_FUNCTION(sinh, 0, 0)
TIKC_FUNCTION(cosh, 0, 1)
TIKC_FUNCTION(tanh, 0, 0)
TIKC_FUNCTION(asinh, 0, 0)
TIKC_FUNCTION(acosh, 1, 0)
TIKC_FUNCTION(atanh, 0, 0)
#undef TIKC_FUNCTION

/// Exact where the exponent is whole and the result not too long.
Real Real::powerOf(const Rational& base, const Rational& exponent, unsigned bits) {
  bool isWhole = exponent.get_den() == 1;
  mpz_class size = abs(exponent.get_num()) * static_cast<unsigned long>(sizeOf(base));
  if (!isWhole || size > largestExact)
    return apply(mpfi_exp, Real(Logarithm{exponent, base}, bits == 0 ? alone : bits));
  mpz_class count = abs(exponent.get_num());
  Rational out;
  mpz_pow_ui(out.get_num_mpz_t(), base.get_num_mpz_t(), count.get_ui());
  mpz_pow_ui(out.get_den_mpz_t(), base.get_den_mpz_t(), count.get_ui());
  return {exponent < 0 ? Rational(1 / out) : out, bits};
}

Real exp(const Real& x) {
  if (x.isExact() && x.exact() == 0)
    return {Rational(1), x.bits_};
  if (x.logarithm_)
    return Real::powerOf(x.logarithm_->of, x.logarithm_->factor, x.bits_);
  return Real::apply(mpfi_exp, x);
}

Real expm1(const Real& x) {
  if (x.isExact() && x.exact() == 0)
    return x;
  if (x.logarithm_)
    if (Real power = exp(x); power.isExact())
      return power - 1;
  return Real::apply(mpfi_expm1, x);
}

Real log(const Real& x) {
  if (!x.isExact() || x.exact() <= 0)
    return Real::apply(mpfi_log, x);
  if (x.exact() == 1)
    return {Rational(0), x.bits_};
  bool isLarge = x.exact() > 1;
  return {Logarithm{isLarge ? 1 : -1, isLarge ? x.exact() : Rational(1 / x.exact())},
          x.bits_ == 0 ? alone : x.bits_};
}

Real pow(const Real& x, const Real& n) {
  unsigned bits = std::max(x.bits_, n.bits_);
  if (x.isExact() && x.exact() == 0)
    return {Rational(n.isExact() && n.exact() == 0 ? 1 : 0), bits};
  // The logarithm's error is multiplied by n.
  unsigned more = bits + 64 + static_cast<unsigned>(std::max(0L, n.magnitude()));
  return exp(n.withBits(more) * log(x.withBits(more))).withBits(bits);
}

Real min(const Real& a, const Real& b) { return -max(-a, -b); }

Real max(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact())
    return {std::max(a.exact(), b.exact()), std::max(a.bits_, b.bits_)};
  if (a.logarithm_ || b.logarithm_) {
    if (isAtMost(a, b))
      return b;
    if (isAtMost(b, a))
      return a;
  }
  unsigned bits = std::max(a.bits_, b.bits_);
  Interval out = a.interval(bits), other = b.interval(bits);
  mpfr_max(&out.raw()->left, &out.raw()->left, &other.raw()->left, MPFR_RNDD);
  mpfr_max(&out.raw()->right, &out.raw()->right, &other.raw()->right, MPFR_RNDU);
  return Real(std::move(out));
}

Real abs(const Real& x) {
  return x.isExact() ? Real(abs(x.exact()), x.bits_) : Real::apply(mpfi_abs, x);
}

bool isLess(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact())
    return a.exact() < b.exact();
  if (b.isExact())
    return compare(std::get<Interval>(a.value_), b.exact()) < 0;
  if (a.isExact())
    return compare(std::get<Interval>(b.value_), a.exact()) > 0;
  return compare(std::get<Interval>(a.value_), std::get<Interval>(b.value_)) < 0;
}

bool isAtMost(const Real& a, const Real& b) {
  if (a.isExact() && b.isExact())
    return a.exact() <= b.exact();
  if (a.logarithm_ && b.logarithm_ && a.logarithm_->of == b.logarithm_->of)
    return a.logarithm_->factor <= b.logarithm_->factor;
  return a.isUsable() && b.isUsable() && a.upper() <= b.lower();
}

Real hull(const Real& lower, const Real& upper) {
  unsigned bits = std::max(lower.bits(), upper.bits());
  if (lower.isExact() && upper.isExact() && lower.lower() == upper.lower())
    return lower.withBits(bits);
  Interval out = lower.interval(bits), other = upper.interval(bits);
  mpfr_set(&out.raw()->right, &other.raw()->right, MPFR_RNDU);
  return Real(std::move(out));
}

std::string print(const Real& x, unsigned digits) {
  if (!x.isUsable())
    return "unbounded";
  std::string low = decimal(x.lower(), digits, Rounding::Down);
  std::string high = decimal(x.upper(), digits, Rounding::Up);
  return low == high ? low : "[" + low + ", " + high + "]";
}

} // namespace tikc::bounds
