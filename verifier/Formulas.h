#pragma once

#include "verifier/Number.h"

/// Functions of the lemmas' formulas. Bits that cancel are made up for by more precision.
namespace verify {

bool isZero(const Number& x);
inline Number square(const Number& x) { return x * x; }
/// K(omega): the largest KL under an oscillation.
Number largestKl(const Number& omega);
/// Of a coin, in nats.
Number entropy(const Number& x);
/// E_q (w − c)⁺ at most, under an oscillation; c >= 0.
Number hockeyStick(const Number& omega, const Number& c);
/// 1 − (1 − share)^n.
Number anyOf(const Number& share, const Number& n);
/// 1 + x + … + x^(n−1).
Number geometric(const Number& x, const Number& n);
/// TV of whole responses of t tokens under an oscillation.
Number hellingerTv(const Number& omega, const Number& t);
/// Σ weight^(t−1) · hellingerTv(omega, t) for t = 1 … last.
Number hellingerSum(const Number& omega, const Number& weight, const Number& last);
/// TV(Bin(T, s), Bin(T, 1 − s)) with s = 1/(1 + exp(−delta)).
Number binomialTv(const Number& delta, const Number& horizon);
/// x·log(x)/(x − 1) or log(x)/(x − 1), at 1 by continuity.
Number slope(const Number& x, bool times);
/// p's mass beyond [a, b], under χ² or an oscillation.
Number maskedByChi2(const Number& chi2, const Number& a, const Number& b);
Number maskedByOsc(const Number& omega, const Number& a, const Number& b);
/// What clipping to [1 − c, 1 + c] takes away at most, under an oscillation.
Number clipped(const Number& omega, const Number& c);

} // namespace verify
