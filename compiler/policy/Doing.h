#pragma once

#include "policy/Machine.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tikc::policy {

/// The active rules and their steps.
struct ActiveRules {
  std::vector<std::uint32_t> rules, steps; // in the plan's order
};

/// Compares what is done with traffic: `greater` means more than before. Less leaves the serving
/// kernel a larger share of the traffic, or is the weaker of two actions. More is an action where
/// there was no action, a rollback instead of another action, a route or quarantine instead of a
/// correction, or a route to the same kernel with a smaller probe. Other pairs are unordered.
std::partial_ordering orderOf(const plan::Action* was, const plan::Action* is);

/// What two policies do at one moment, and how the new one compares. If both do the same with
/// traffic, the action is an alert or a sampling that one of them lacks or does less of.
struct Parting {
  Traffic was, is;
  std::partial_ordering order = std::partial_ordering::equivalent;
};
Parting partingOf(const plan::Plan& was, const ActiveRules& before, const plan::Plan& is,
                  const ActiveRules& after);

/// Returns the strongest action on traffic of the active rules.
Traffic trafficOf(const plan::Plan& plan, const ActiveRules& active);

} // namespace tikc::policy
