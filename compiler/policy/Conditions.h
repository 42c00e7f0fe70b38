#pragma once

#include "plan/Plan.h"

#include <cstdint>
#include <vector>

/// What conditions of rules ask, as they are written.
namespace tikc::policy {

bool asksFor(const plan::Trigger& trigger, plan::Trigger::Kind state);
/// Adds the clauses that it names.
void addNamed(const plan::Trigger& trigger, std::vector<std::uint32_t>& out);
/// The most windows in a row that it counts.
std::uint32_t longestRun(const plan::Trigger& trigger);

} // namespace tikc::policy
