#pragma once

#include "checker/plan/Plan.h"
#include "model/Contract.h"

namespace tikc::lower {

/// Returns the window of the given length; the stage's window without one.
plan::Window windowOf(const std::optional<model::Amount>& over);

/// Adds the clauses, and the state that they need, to a plan that has its streams and slices.
void addClauses(plan::Plan& plan, const model::Contract& contract);

} // namespace tikc::lower
