#pragma once

#include "bounds/numbers/Real.h"

/// Binomial tails and functions based on them, for samples of any practical size.
namespace tikc::bounds {

/// The largest sample; beyond it, a tail near the middle has too many terms.
inline constexpr unsigned long largestSample = 1'000'000'000;

/// Returns the argument as an integer. It must be whole, and at most largestSample.
unsigned long wholeNumber(const Real& x);
bool isSampleSize(const Real& n);

/// Returns log Γ(x), for x > 0.
Real logGamma(const Rational& x, unsigned bits);
/// P(Bin(n, p) = k).
Real binomialTerm(unsigned long k, unsigned long n, const Real& p);
/// P(Bin(n, p) <= k). Exact for small n if p has few digits.
Real binomialTail(unsigned long k, unsigned long n, const Real& p);
/// Returns an enclosure of the p with binomialTail(k, n, p) = alpha, for k < n and alpha in (0, 1).
Real binomialRoot(unsigned long k, unsigned long n, const Real& alpha);
/// Returns the least n with base^n <= alpha, for base and alpha in (0, 1); logBase is log(base).
Real fewestTrials(const Real& base, const Real& logBase, const Real& alpha);

} // namespace tikc::bounds
