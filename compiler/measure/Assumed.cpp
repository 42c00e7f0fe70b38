#include "measure/Assumed.h"

namespace tikc::measure {

AssumptionResults AssumptionResults::of(const engine::LoadedChecker& checker) {
  AssumptionResults out;
  for (std::size_t i = 0; i < checker.plan().assumptions.size(); ++i)
    out.assumptions.push_back(checker.assumed(i));
  return out;
}

} // namespace tikc::measure
