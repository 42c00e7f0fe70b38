#pragma once

#include "checker/plan/Plan.h"

#include <cstdint>
#include <vector>

/// Reads the conditions of rules as written.
namespace tikc::policy {

bool asksFor(const plan::Trigger& trigger, trigger_kind state);
/// Adds the clauses that the condition names.
void addNamed(const plan::Trigger& trigger, std::vector<std::uint32_t>& out);
/// Returns the most consecutive windows that the condition counts.
std::uint32_t longestRun(const plan::Trigger& trigger);

} // namespace tikc::policy
