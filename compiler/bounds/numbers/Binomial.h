#pragma once

#include "bounds/numbers/Real.h"

/// Binomial tails and what rests on them, for samples of any practical size.
namespace tikc::bounds {

/// Beyond it a tail near its middle has too many terms.
inline constexpr unsigned long largestSample = 1'000'000'000;

/// The whole number that an argument is; the caller has checked that it is one, and not above
/// largestSample.
unsigned long wholeNumber(const Real& x);
bool isSampleSize(const Real& n);

/// log Γ(x), for x > 0.
Real logGamma(const Rational& x, unsigned bits);
/// P(Bin(n, p) = k).
Real binomialTerm(unsigned long k, unsigned long n, const Real& p);
/// P(Bin(n, p) <= k). Exact where n is small and p has few digits.
Real binomialTail(unsigned long k, unsigned long n, const Real& p);
/// The p at which binomialTail(k, n, p) is alpha, enclosed; for k < n and alpha in (0, 1).
Real binomialRoot(unsigned long k, unsigned long n, const Real& alpha);
/// The least n with base^n <= alpha, for base and alpha in (0, 1); logBase is log(base).
Real fewestTrials(const Real& base, const Real& logBase, const Real& alpha);

} // namespace tikc::bounds
