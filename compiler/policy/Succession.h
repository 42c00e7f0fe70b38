#pragma once

#include "policy/Doing.h"
#include "policy/Explorer.h"
#include "policy/Standing.h"

#include <optional>
#include <vector>

namespace tikc::policy {

/// A rule of an old policy, and its replacement in the new policy.
struct RulePair {
  std::optional<std::uint32_t> was, is;
};

/// Two policies, each on one slice, that number the same clauses. The checks of a clause and the
/// meaning of `any` may differ. Whether a clause needs traffic is taken from the old policy.
struct Succession {
  const plan::Plan& was;
  const plan::Plan& is;
  std::vector<RulePair> pairs; // all rules of both
};

/// The shortest way to a moment in which the policies act differently, and the difference.
struct Departure {
  Course course;
  Parting parting;
};

/// The effect of one changed rule on a policy.
struct RuleOutcome {
  bool isChanged = false; // the rule, or the clauses that it reads
  /// Where the new policy does less, something incomparable, or more.
  std::optional<Departure> loss, doubtful, gain;
  bool isKnown = true; // false if a missing loss or doubt may be due to a limit
};

/// Compares a policy with its successor on all sequences of verdicts that can occur while the old
/// one acts, which may leave clauses without data. Outcomes are in the order of pairs. Unchanged
/// rules count, since they act at the same time. Reports what all rules together do on the course.
/// A search that would take too long leaves an outcome unknown.
std::vector<RuleOutcome> outcomesOf(const Succession& succession, Allowance& allowance);

} // namespace tikc::policy
