#pragma once

#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// What clauses compare and on whose draws, the ends of the chain and the server first.
std::vector<plan::Stream> streamsOf(const model::Contract& contract);

/// Adds the clauses, and what they need kept, to a plan that has its streams and slices.
void addClauses(plan::Plan& plan, const model::Contract& contract);

} // namespace tikc::lower
