#pragma once

#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// Adds the clauses, and what they need kept, to a plan that has its streams and slices.
void addClauses(plan::Plan& plan, const model::Contract& contract);

} // namespace tikc::lower
