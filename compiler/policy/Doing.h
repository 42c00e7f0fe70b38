#pragma once

#include "policy/Machine.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tikc::policy {

/// Rules that are active, and the steps that they are in.
struct ActiveRules {
  std::vector<std::uint32_t> rules, steps; // the rules in the plan's order
};

/// Whether more is done with traffic than was. Less is what leaves the serving kernel a larger
/// share of it, or has the weaker of two actions. More is anything instead of nothing, a rollback
/// instead of anything, a route or a quarantine instead of a correction, and a route to the same
/// kernel that keeps a smaller probe. Of all else nothing is known.
std::partial_ordering orderOf(const plan::Action* was, const plan::Action* is);

/// What two policies do in one moment, and how the new one's compares. Where traffic is the same
/// for both, the action is one that tells or observes, which one of them lacks or does less of.
struct Parting {
  Traffic was, is;
  std::partial_ordering order = std::partial_ordering::equivalent;
};
Parting partingOf(const plan::Plan& was, const ActiveRules& before, const plan::Plan& is,
                  const ActiveRules& after);

/// The action that wins, of what active rules want of the traffic.
Traffic trafficOf(const plan::Plan& plan, const ActiveRules& active);

} // namespace tikc::policy
