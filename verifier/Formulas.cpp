#include "verifier/Formulas.h"

#include <functional>

namespace verify {
namespace {

/// The sum of first, first·ratio(1), first·ratio(1)·ratio(2), … with `count` factors. Ratios fall,
/// so a geometric series bounds what is left out.
Number fallingSum(const Number& first, std::int64_t count,
                  const std::function<Number(std::int64_t)>& ratio) {
  Number sum = first, term = first;
  auto orderOf = [](const Interval& x) { return x.exponent + x.hi.bits(); };
  for (std::int64_t i = 1; i <= count; ++i) {
    Number factor = ratio(i), left = Number(1) - factor;
    term = term * factor;
    sum = sum + term;
    if (left.interval().lo.sign() <= 0)
      continue;
    Interval rest = (term * factor / left).interval();
    if (orderOf(rest) < orderOf(sum.interval()) - Interval::precision - 8)
      return sum + Interval{0, rest.hi, rest.exponent};
  }
  return sum;
}

} // namespace

bool isZero(const Number& x) { return x.exact() && x.exact()->top.isZero(); }

Number largestKl(const Number& omega) {
  if (isZero(omega))
    return 0;
  Number y = omega / 2;
  return y / tanh(y) - 1 + log(sinh(y) / y);
}

Number entropy(const Number& x) {
  auto term = [](const Number& p) { return isZero(p) ? Number(0) : p * log(p); };
  return -term(x) - term(1 - x);
}

Number hockeyStick(const Number& omega, const Number& c) {
  if (isZero(omega) || isZero(c))
    return max(0, 1 - c);
  Number r = exp(omega);
  if (r <= c)
    return 0;
  if (c * r <= 1)
    return 1 - c;
  Number gap = exp(omega / 2) - sqrt(c);
  return gap * gap / (r - 1);
}

Number anyOf(const Number& share, const Number& n) {
  Number none = pow(1 - share, n);
  return none.exact() ? 1 - none : -expm1(n * log1p(-share));
}

Number geometric(const Number& x, const Number& n) {
  return x.exact() && *x.exact() == Rational(1) ? n : (1 - pow(x, n)) / (1 - x);
}

Number hellingerTv(const Number& omega, const Number& t) {
  Number s = sinh(omega / 8);
  return sqrt(-expm1(-2 * t * log1p(2 * s * s)));
}

Number hellingerSum(const Number& omega, const Number& weight, const Number& last) {
  Number step = tanh(omega / 4) * tanh(omega / 4), lost = 0, factor = 1, sum = 0;
  for (std::int64_t t = last.exact()->top.small(); t > 0; --t) {
    lost = (lost + (1 - lost) * step).interval(); // 1 − sech^(2t)
    sum = sum + factor * sqrt(lost);
    factor = (factor * weight).interval();
  }
  return sum;
}

Number binomialTv(const Number& delta, const Number& horizon) {
  if (isZero(delta))
    return 0;
  std::int64_t half = (horizon.exact()->top.small() - 1) / 2,
               t = 2 * half + 1; // an even T equals T − 1
  Number odds = exp(delta);
  // Outward from the two middle terms; A is the part above T/2, B the part below.
  Number below = fallingSum(
      1, half, [&](std::int64_t i) { return Rational(half + 1 - i, t - half + i) / odds; });
  Number above = fallingSum(
      odds, half, [&](std::int64_t i) { return Rational(t - half - i, half + 1 + i) * odds; });
  return (above - below) / (above + below);
}

Number slope(const Number& x, bool times) {
  if (isZero(x - 1))
    return 1;
  return isZero(x) && times ? 0 : (times ? x : Number(1)) * log(x) / (x - 1);
}

Number maskedByChi2(const Number& chi2, const Number& a, const Number& b) {
  Number up = b - 1 <= chi2 ? Number(1) : b * chi2 / (chi2 + (b - 1) * (b - 1));
  return min(1, up + a * chi2 / (chi2 + (1 - a) * (1 - a)));
}

Number maskedByOsc(const Number& omega, const Number& a, const Number& b) {
  if (isZero(omega))
    return 0;
  Number r = exp(omega);
  return min(1, (max(0, r - b) + max(0, a * r - 1)) / (r - 1));
}

Number clipped(const Number& omega, const Number& c) {
  Number best = max(max(0, 2 * tanh(omega / 4) - c), hockeyStick(omega, 1 + c));
  return c < 1 ? max(best, hockeyStick(omega, 1 - c) - c) : best;
}

} // namespace verify
