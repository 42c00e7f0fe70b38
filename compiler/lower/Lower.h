#pragma once

#include "bounds/prove/Prover.h"
#include "checker/plan/Plan.h"
#include "model/Contract.h"

namespace tikc::lower {

/// Returns the plan of a contract without errors, with the verdicts on its claims.
plan::Plan lower(const model::Contract& contract, const bounds::Proof& proof);

/// Returns the part of a plan that a policy search needs: the rules, and which clauses are judged
/// on which slices.
plan::Plan policyOf(const model::Contract& contract);

} // namespace tikc::lower
