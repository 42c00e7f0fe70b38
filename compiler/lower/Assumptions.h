#pragma once

#include "bounds/prove/Prover.h"
#include "checker/plan/Plan.h"
#include "model/Contract.h"

namespace tikc::lower {

/// Adds the claims and their assumptions: first assumptions that data can contradict, whether or
/// not a claim needs them, then the others that claims rest on.
void addAssumptions(plan::Plan& plan, const model::Contract& contract, const bounds::Proof& proof);

} // namespace tikc::lower
