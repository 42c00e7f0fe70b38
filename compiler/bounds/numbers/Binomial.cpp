#include "bounds/numbers/Binomial.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tikc::bounds {
namespace {

/// Up to this size all terms are summed, so that rational numbers stay exact.
constexpr unsigned long smallSample = 2000;

Real whole(unsigned long n, unsigned bits) { return {Rational(n), bits}; }

/// t(j − 1)/t(j) of the binomial's terms; it falls with j.
Real stepDown(unsigned long j, unsigned long n, const Real& odds) {
  return whole(j, odds.bits()) * odds / whole(n - j + 1, odds.bits());
}

/// Where the terms below k have become too small to matter at this precision.
unsigned long lastTerm(unsigned long k, unsigned long n, double odds, unsigned bits) {
  if (n <= smallSample)
    return 0;
  double product = 0, least = -static_cast<double>(bits + 32);
  unsigned long j = k;
  for (; j > 0 && product > least; --j)
    product += std::log2(static_cast<double>(j) * odds / static_cast<double>(n - j + 1));
  return j;
}

/// The tail for k below (n + 1)·p, where terms fall from k downward.
Real fallingTail(unsigned long k, unsigned long n, const Real& p) {
  Real odds = (1 - p) / p;
  unsigned long last = lastTerm(k, n, odds.approximate(), p.bits());
  Real sum = whole(1, p.bits());
  if (last > 0) // what is left out lies below a geometric series
    sum = hull(sum, 1 / (1 - stepDown(last, n, odds)));
  for (unsigned long j = last + 1; j <= k; ++j)
    sum = 1 + stepDown(j, n, odds) * sum;
  return binomialTerm(k, n, p) * sum;
}

/// A binary number near x with so many bits behind its leading one.
Rational rounded(const Rational& x, unsigned bits) {
  Real near(x, bits);
  long shift = static_cast<long>(bits) - near.magnitude();
  mpz_class scale = mpz_class(1) << static_cast<unsigned long>(std::max(shift, 0L));
  mpz_class scaled = mpz_class(x.get_num() * scale) / x.get_den();
  Rational out(scaled, scale);
  out.canonicalize();
  return out;
}

/// Newton's method on the logarithm of the tail. It is concave in p, so that from either side one
/// step leads to the right of the root, and all further ones towards it.
Rational newton(unsigned long k, unsigned long n, const Real& alpha, Rational p, unsigned bits) {
  double enough = std::ldexp(1.0, -static_cast<int>(std::min(bits / 2, 900u)) + 8);
  for (int i = 0; i < 200; ++i) {
    Real at(p, bits);
    Real tail = binomialTail(k, n, at);
    Real slope = whole(n - k, bits) * binomialTerm(k, n, at) / (1 - at) / tail;
    Real step = log(tail / alpha.withBits(bits)) / slope;
    if (!step.isUsable())
      break;
    Rational move = (step.lower() + step.upper()) / 2;
    Rational next = p + move;
    if (next >= 1)
      next = (p + 1) / 2;
    else if (next <= 0)
      next = p / 2;
    bool close = std::abs(Rational(next - p).get_d()) <= enough * p.get_d();
    p = rounded(next, bits + 32);
    if (close)
      break;
  }
  return p;
}

} // namespace

unsigned long wholeNumber(const Real& x) { return x.lower().get_num().get_ui(); }

bool isSampleSize(const Real& n) {
  return n.isExact() && n.lower() >= 1 && n.lower() <= Rational(largestSample);
}

Real logGamma(const Rational& x, unsigned bits) {
  Interval argument(x, bits), out(bits);
  // Both arguments are the same number for a half or a whole number below 2^bits; elsewhere log Γ
  // need not be monotone, so only such x are asked for.
  mpfr_lngamma(&out.raw()->left, &argument.raw()->left, MPFR_RNDD);
  mpfr_lngamma(&out.raw()->right, &argument.raw()->right, MPFR_RNDU);
  return hull(Real(out.lower(), bits), Real(out.upper(), bits));
}

Real binomialTerm(unsigned long k, unsigned long n, const Real& p) {
  if (n <= smallSample) {
    mpz_class ways;
    mpz_bin_uiui(ways.get_mpz_t(), n, k);
    return Real(Rational(ways), p.bits()) * pow(p, whole(k, p.bits())) *
           pow(1 - p, whole(n - k, p.bits()));
  }
  unsigned bits = p.bits() + 64 + static_cast<unsigned>(std::bit_width(n));
  Real q = p.withBits(bits);
  auto logFactorial = [bits](unsigned long m) { return logGamma(Rational(m + 1), bits); };
  Real logWays = logFactorial(n) - logFactorial(k) - logFactorial(n - k);
  Real logTerm = logWays + whole(k, bits) * log(q) + whole(n - k, bits) * log1p(-q);
  return exp(logTerm).withBits(p.bits());
}

Real binomialTail(unsigned long k, unsigned long n, const Real& p) {
  if (k >= n || (p.isExact() && p.lower() == 0))
    return whole(1, p.bits());
  if (p.isExact() && p.lower() == 1)
    return whole(0, p.bits());
  Real tail = static_cast<double>(k) <= static_cast<double>(n) * p.approximate()
                  ? fallingTail(k, n, p)
                  : 1 - fallingTail(n - k - 1, n, 1 - p);
  return min(max(tail, 0), 1);
}

Real binomialRoot(unsigned long k, unsigned long n, const Real& alpha) {
  unsigned bits = alpha.bits();
  Rational p((k + 1), (n + 1));
  p.canonicalize();
  for (unsigned level = 64; level < bits; level *= 2)
    p = newton(k, n, alpha, p, level);
  p = newton(k, n, alpha, p, bits + 32);
  // The method only proposes; these two tails decide.
  for (Rational width(1, mpz_class(1) << (bits - 24)); width < 1; width *= 65536) {
    Real below(Rational(p * (1 - width)), bits + 32);
    Real above = min(Real(Rational(p * (1 + width)), bits + 32), 1);
    if (isAtMost(alpha, binomialTail(k, n, below)) && isAtMost(binomialTail(k, n, above), alpha))
      return hull(below, above).withBits(bits);
  }
  return hull(whole(0, bits), whole(1, bits));
}

Real fewestTrials(const Real& base, const Real& logBase, const Real& alpha) {
  Real quotient = log(alpha) / logBase;
  auto roundedUp = [&](const Rational& x) {
    mpz_class out;
    mpz_cdiv_q(out.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
    return Real(Rational(std::max(out, mpz_class(1))), base.bits());
  };
  Real low = roundedUp(quotient.lower()), high = roundedUp(quotient.upper());
  // A quotient that meets a whole number is decided by the power itself.
  if (isLess(low, high)) {
    Real power = pow(base, low);
    if (isAtMost(power, alpha))
      return low;
    if (isLess(alpha, power))
      return high;
  }
  return hull(low, high);
}

} // namespace tikc::bounds
