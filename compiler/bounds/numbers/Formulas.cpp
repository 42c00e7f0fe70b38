#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

/// The bits that a difference as small as x has lost.
unsigned lostTo(const Real& x) {
  return static_cast<unsigned>(std::clamp(-x.magnitude(), 0L, 4096L));
}

} // namespace

Real guarded(const Real& x, long orders) {
  long lost = orders * std::clamp(-x.magnitude(), 0L, 4096L);
  return x.withBits(x.bits() + static_cast<unsigned>(lost) + 32);
}

Real square(const Real& x) { return x * x; }

Real xLogX(const Real& x) { return x.isExact() && x.lower() == 0 ? x : x * log(x); }

Real oneMinusSech(const Real& x) { return tanh(x) * tanh(x / 2); }

Real largestKl(const Real& omega) {
  if (omega.isExact() && omega.lower() == 0)
    return omega;
  Real y = guarded(omega, 2) / 2;
  return ((y / tanh(y) - 1) + log(sinh(y) / y)).withBits(omega.bits());
}

Real binaryEntropy(const Real& x) {
  Real zero(Rational(0), x.bits());
  auto term = [&](const Real& p) { return p.isExact() && p.lower() == 0 ? zero : -p * log(p); };
  return term(x) + term(1 - x);
}

Real logCosh(const Real& x) {
  Real half = sinh(x / 2);
  return log1p(2 * half * half);
}

Real hockeyStick(const Real& omega, const Real& c) {
  // Beyond either end of [e^−omega, e^omega] no ratio is on the other side of c.
  Real logC = log(c);
  Real zero(Rational(0), omega.bits());
  if (isAtMost(omega, logC))
    return zero;
  if (isAtMost(omega, -logC))
    return 1 - c;
  // (e^{omega/2} − √C)² / (e^omega − 1), with C pulled out so that neither difference cancels.
  Real gap = expm1((guarded(omega, 1) - logC) / 2);
  Real value = c * gap * gap / expm1(omega);
  return max(value.withBits(omega.bits()), max(zero, 1 - c));
}

Real anyOf(const Real& share, const Real& n) {
  if (share.isExact() && n.isExact()) {
    Real exact = 1 - pow(1 - share, n);
    if (exact.isExact())
      return exact;
  }
  if (share.isExact() && share.lower() == 1)
    return share;
  return -expm1(n * log1p(-share));
}

Real harmonicBound(const Real& n) { return 1 + log(n); }

Real acosh1p(const Real& y) { return log1p(y + sqrt(y * (y + 2))); }

Real solveIncreasing(const std::function<Real(const Real&)>& f, const Real& value, const Real& low,
                     const Real& high) {
  unsigned bits = value.bits();
  Real lower = low.floor(bits), upper = high.ceiling(bits);
  for (int doublings = 0; !isAtMost(value, f(upper)); ++doublings) {
    if (doublings == 512)
      return hull(lower, Real(Rational(1), bits) / Real(Rational(0), bits)); // unbounded
    upper = upper * 2;
  }
  // Halving until the function no longer tells the middle from the place.
  for (unsigned step = 0; step < 2 * bits; ++step) {
    Real middle = (lower + upper) / 2;
    if (middle.lower() <= lower.lower() || middle.lower() >= upper.lower())
      break;
    Real there = f(middle);
    if (isAtMost(there, value))
      lower = middle;
    else if (isAtMost(value, there))
      upper = middle;
    else
      break;
  }
  return hull(lower, upper);
}

Real seqHellinger(const Real& omega, const Real& n) {
  return sqrt(-expm1(-2 * n * logCosh(omega / 4)));
}

Real geometric(const Real& ratio, const Real& n) {
  if (ratio.isExact() && ratio.lower() == 1)
    return n;
  // 1 − ratio^n cancels as ratio nears 1.
  unsigned more = ratio.bits() + 64 + lostTo(1 - ratio);
  Real wide = ratio.withBits(more);
  return ((1 - pow(wide, n.withBits(more))) / (1 - wide)).withBits(ratio.bits());
}

Real grownOver(const Real& n, const Real& gain, const Real& error, const Real& before) {
  return pow(gain, n) * before + error * geometric(gain, n);
}

Real discountedAnyOf(const Real& tau, const Real& gamma, const Real& n) {
  if (tau.isExact() && tau.lower() == 0)
    return tau;
  // The sum is at least tau, and each of the two that it is the difference of at most n.
  auto size = static_cast<unsigned>(std::max(0L, n.magnitude()));
  Real wide = tau.withBits(tau.bits() + 64 + size + lostTo(tau));
  Real discount = gamma.withBits(wide.bits());
  Real kept = 1 - wide;
  return (geometric(discount, n) - kept * geometric(discount * kept, n)).withBits(tau.bits());
}

std::optional<Real> discountedHellinger(const Real& omega, const Real& gamma, const Real& n) {
  constexpr unsigned long most = 100'000;
  if (n.upper() > most)
    return std::nullopt;
  unsigned bits = omega.bits() + 32;
  Real step = tanh(omega.withBits(bits) / 4);
  Real apart = step * step;
  Real alike = 1 - apart;
  bool discounts = !(gamma.isExact() && gamma.lower() == 1);
  // 1 − alike^t by a recurrence whose terms are all positive.
  Real sum(Rational(0), bits), squared = sum, weight(Rational(1), bits);
  for (unsigned long t = n.upper().get_num().get_ui(); t > 0; --t) {
    squared = apart + alike * squared;
    sum = sum + (discounts ? weight * sqrt(squared) : sqrt(squared));
    if (discounts)
      weight = weight * gamma;
  }
  return sum.withBits(omega.bits());
}

std::optional<Real> roundingGrowth(const Real& n, const Real& u) {
  if (!isLess(n * u, 1))
    return std::nullopt;
  return n * u / (1 - n * u);
}

} // namespace tikc::bounds
