#pragma once

#include "interpreter/Decide.h"
#include "interpreter/Figures.h"

#include <vector>

namespace tikc::interpreter {

/// Whether log-ratios of sampled tokens are of the law that drew them, by the clause's definition:
/// bets that their ratios average more than they may.
Finding decideCoherence(const std::vector<Wide>& gaps, Wide alpha);

} // namespace tikc::interpreter
