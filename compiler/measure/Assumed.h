#pragma once

#include "engine/LoadedTally.h"

#include <vector>

namespace tikc::measure {

/// The observations of what the contract's assumptions state.
struct Assumed {
  std::vector<watch_result> assumptions;

  static Assumed of(const engine::LoadedChecker& checker);
};

} // namespace tikc::measure
