#pragma once

#include "plan/Plan.h"

#include <cstdint>
#include <vector>

namespace tikc::tables {

/// Where a register is kept: by the tokens' own pass, which sums and counts x = log p − log q, or
/// as values of its own figure.
struct Keeping {
  bool byTokens = false;
  /// Where the pass counts the same, for what is a count of tokens; -1 where it does not.
  int above = -1, below = -1, beyond = -1;
};

/// What the one pass over sampled tokens has to keep: most figures are monotone in x, so that their
/// extremes, quantiles and counts are x's.
struct TokenPlan {
  std::uint32_t wants = 0; // of tikc::token_want
  std::vector<float> above, below, beyond;
  std::vector<Keeping> keepings; // of each register
};

TokenPlan planTokens(const plan::Plan& plan);

} // namespace tikc::tables
