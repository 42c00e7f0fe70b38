#pragma once

#include "checker/plan/Plan.h"

#include <cstdint>
#include <vector>

namespace tikc::tables {

/// Where a register is kept: in the tokens' pass, which sums and counts x = log p − log q, or as
/// values of its own figure.
struct Keeping {
  bool byTokens = false;
  /// The indices of the pass's equivalent counts, for counts of tokens; -1 for none.
  int above = -1, below = -1, beyond = -1;
};

/// What the pass over sampled tokens must keep. Most figures are monotone in x, so their extremes,
/// quantiles and counts follow from those of x.
struct TokenPlan {
  std::uint32_t wants = 0; // a set of tikc::token_want
  std::vector<float> above, below, beyond;
  std::vector<Keeping> keepings; // of each register
};

TokenPlan planTokens(const plan::Plan& plan);

} // namespace tikc::tables
