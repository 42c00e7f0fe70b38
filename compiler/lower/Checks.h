#pragma once

#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// What ends a window that is so long; without a length, the stage's.
plan::Window windowOf(const std::optional<model::Amount>& over);

/// Adds the clauses, and what they need kept, to a plan that has its streams and slices.
void addClauses(plan::Plan& plan, const model::Contract& contract);

} // namespace tikc::lower
