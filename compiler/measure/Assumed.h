#pragma once

#include "engine/LoadedTally.h"

#include <vector>

namespace tikc::measure {

/// What became of what the contract takes as given.
struct Assumed {
  std::vector<watch_result> assumptions;

  static Assumed of(const engine::LoadedChecker& checker);
};

} // namespace tikc::measure
