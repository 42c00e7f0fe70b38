#pragma once

#include "bounds/prove/Prover.h"
#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// Adds the claims, and what they take as given: what numbers can contradict of that, whether or
/// not a claim needed it, then what else one rests on.
void addAssumptions(plan::Plan& plan, const model::Contract& contract, const bounds::Proof& proof);

} // namespace tikc::lower
