#pragma once

#include "engine/LoadedTally.h"

#include <vector>

namespace tikc::measure {

/// What became of what the contract takes as given, and of what it claims by it.
struct Assumed {
  std::vector<watch_result> assumptions;
  std::vector<claim_state> claims;

  static Assumed of(const engine::LoadedChecker& checker);
  bool isAnySuspended() const;
};

} // namespace tikc::measure
