#pragma once

#include "bounds/numbers/Real.h"

#include <functional>
#include <optional>

/// Functions that several lemmas need, in forms without cancellation.
namespace tikc::bounds {

/// Returns x with extra bits, as many as a cancellation of `orders` powers of its size costs.
Real guarded(const Real& x, long orders);
Real square(const Real& x);
/// x·log(x), 0 at 0.
Real xLogX(const Real& x);
/// 1 − sech(x) = tanh(x)·tanh(x/2).
Real oneMinusSech(const Real& x);
/// y·coth(y) − 1 + log(sinh(y)/y) at y = omega/2: the largest KL under an oscillation.
Real largestKl(const Real& omega);
/// −x·log(x) − (1−x)·log(1−x), on [0, 1].
Real binaryEntropy(const Real& x);
/// log(cosh(x)).
Real logCosh(const Real& x);
/// The upper bound on E_q (w − C)⁺ under an oscillation.
Real hockeyStick(const Real& omega, const Real& c);
/// 1 − (1 − share)^n.
Real anyOf(const Real& share, const Real& n);
/// 1 + log n: at least the n-th harmonic number.
Real harmonicBound(const Real& n);
/// acosh(1 + y).
Real acosh1p(const Real& y);

/// Returns an enclosure of the x with f(x) = value, for increasing f: f(lower) <= value <= f(upper)
/// is certain. The ends are as close as the precision allows. `low` must not exceed x; if f(high)
/// is below the value, `high` grows.
Real solveIncreasing(const std::function<Real(const Real&)>& f, const Real& value, const Real& low,
                     const Real& high);

/// √(1 − sech(omega/4)^(2n)): total variation after n steps, from the product of their Hellinger
/// affinities.
Real seqHellinger(const Real& omega, const Real& n);
/// 1 + ratio + … + ratio^(n−1).
Real geometric(const Real& ratio, const Real& n);
/// The error after n equal layers; each multiplies it by `gain` and adds `error`.
Real grownOver(const Real& n, const Real& gain, const Real& error, const Real& before);
/// The sum of gamma^(t−1)·(1 − (1 − tau)^t) over t = 1, …, n.
Real discountedAnyOf(const Real& tau, const Real& gamma, const Real& n);
/// The sum of gamma^(t−1)·seqHellinger(omega, t) over t = 1, …, n; nothing for n > 10^5, which
/// takes too long.
std::optional<Real> discountedHellinger(const Real& omega, const Real& gamma, const Real& n);
/// n·u/(1 − n·u), the effect of n roundings with unit roundoff u; nothing for n·u >= 1.
std::optional<Real> roundingGrowth(const Real& n, const Real& u);

} // namespace tikc::bounds
