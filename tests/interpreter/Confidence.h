#pragma once

#include "interpreter/Decide.h"

namespace tikc::interpreter {

/// Limits of the mean of n values in [0, 1] that hold at any time, each with half of alpha. A mean
/// m is ruled out where Σ over λ of exp(λ·ΣX)/(1 + (e^λ − 1)·m)ⁿ, averaged over λ = ±2⁻¹² … 2³,
/// reaches 2/alpha: negative λ speak against a mean that is too large, positive ones against one
/// that is too small.
class ConfidenceLimits {
public:
  ConfidenceLimits(Wide sum, std::uint64_t n, Wide alpha) : sum_(sum), n_(n), alpha_(alpha) {}

  Wide low() const { return end(1, 0); }
  Wide high() const { return end(-1, 1); }

  /// Whether all that is not ruled out meets an upper or a lower bound, or none of it does.
  Verdict judge(bool isUpper, Wide bound) const;

private:
  bool rulesOut(int sign, Wide mean) const;
  /// What is nearest to the mean and ruled out, by halving.
  Wide end(int sign, Wide furthest) const;

  Wide sum_;
  std::uint64_t n_;
  Wide alpha_;
};

} // namespace tikc::interpreter
