#pragma once

#include "checker/engine/LoadedTally.h"

#include <vector>

namespace tikc::measure {

/// The observations of what the contract's assumptions state.
struct AssumptionResults {
  std::vector<watch_result> assumptions;

  static AssumptionResults of(const engine::LoadedChecker& checker);
};

} // namespace tikc::measure
