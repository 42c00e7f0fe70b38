#pragma once

#include "bounds/prove/Prover.h"
#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// The plan of a contract that was found free of errors, and what became of its claims.
plan::Plan lower(const model::Contract& contract, const bounds::Proof& proof);

/// What is needed of it to tell what its rules can do: the rules, and which clauses are judged on
/// which slices.
plan::Plan policyOf(const model::Contract& contract);

} // namespace tikc::lower
