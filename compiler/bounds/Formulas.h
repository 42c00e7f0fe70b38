#pragma once

#include "bounds/Real.h"

#include <functional>

/// Functions that more than one lemma needs, in forms that do not cancel.
namespace tikc::bounds {

/// 1 − sech(x) = tanh(x)·tanh(x/2).
Real oneMinusSech(const Real& x);
/// y·coth(y) − 1 + log(sinh(y)/y) at y = omega/2: the largest KL under an oscillation.
Real largestKl(const Real& omega);
/// −x·log(x) − (1−x)·log(1−x), on [0, 1].
Real binaryEntropy(const Real& x);
/// log(cosh(x)).
Real logCosh(const Real& x);
/// E_q (w − C)⁺ at most, under an oscillation.
Real hockeyStick(const Real& omega, const Real& c);
/// 1 − (1 − share)^n.
Real anyOf(const Real& share, const Real& n);
/// acosh(1 + y).
Real acosh1p(const Real& y);

/// Where an increasing function takes a value, enclosed: [lower, upper] with f(lower) <= value <=
/// f(upper) for certain, as near to one another as the precision lets the function decide.
/// `low` must not be above the place; where f(high) is below the value, high grows.
Real solveIncreasing(const std::function<Real(const Real&)>& f, const Real& value, const Real& low,
                     const Real& high);

} // namespace tikc::bounds
