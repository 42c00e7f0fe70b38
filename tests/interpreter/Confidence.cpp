#include "interpreter/Confidence.h"

#include <cmath>

namespace tikc::interpreter {

bool ConfidenceLimits::rulesOut(int sign, Wide mean) const {
  auto n = static_cast<Wide>(n_);
  Wide evidence = 0;
  constexpr int least = -12, most = 3;
  for (int i = least; i <= most; ++i) {
    Wide lambda = sign * std::ldexp(Wide{1}, i);
    evidence += std::exp(lambda * sum_ - n * std::log1p(std::expm1(lambda) * mean));
  }
  return evidence / (most - least + 1) >= 2 / alpha_;
}

Wide ConfidenceLimits::end(int sign, Wide furthest) const {
  Wide inside = std::fmin(std::fmax(sum_ / static_cast<Wide>(n_), 0), 1), outside = furthest;
  for (int i = 0; i < 120; ++i) {
    Wide middle = (inside + outside) / 2;
    (rulesOut(sign, middle) ? outside : inside) = middle;
  }
  return outside;
}

Verdict ConfidenceLimits::judge(bool isUpper, Wide bound) const {
  if (isUpper ? high() <= bound : low() >= bound)
    return Verdict::Satisfied;
  return (isUpper ? low() > bound : high() < bound) ? Verdict::Violated : Verdict::Undecided;
}

} // namespace tikc::interpreter
