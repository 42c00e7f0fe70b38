#include "measure/Assumed.h"

#include <algorithm>

namespace tikc::measure {

Assumed Assumed::of(const engine::LoadedChecker& checker) {
  Assumed out;
  for (std::size_t i = 0; i < checker.plan().assumptions.size(); ++i)
    out.assumptions.push_back(checker.assumed(i));
  for (std::size_t i = 0; i < checker.plan().claims.size(); ++i)
    out.claims.push_back(checker.claimed(i));
  return out;
}

bool Assumed::isAnySuspended() const {
  return std::find(claims.begin(), claims.end(), claim_state::suspended) != claims.end();
}

} // namespace tikc::measure
