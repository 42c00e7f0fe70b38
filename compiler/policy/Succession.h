#pragma once

#include "policy/Doing.h"
#include "policy/Explorer.h"
#include "policy/Standing.h"

#include <optional>
#include <vector>

namespace tikc::policy {

/// A rule of an old policy, and the one of the new policy that took its place.
struct RulePair {
  std::optional<std::uint32_t> was, is;
};

/// Two policies of one slice each, which number the same clauses. What a clause is judged on may
/// differ, and so may what counts as `any`; whether it needs traffic is what the old one says.
struct Succession {
  const plan::Plan& was;
  const plan::Plan& is;
  std::vector<RulePair> pairs; // all rules of both
};

/// The shortest way to a moment in which the two do different things, and what these are.
struct Departure {
  Course course;
  Parting parting;
};

/// What becomes of a policy by what became of one of its rules.
struct RuleOutcome {
  bool isChanged = false; // the rule, or what it hears
  /// Where less is done, what cannot be compared, and more.
  std::optional<Departure> loss, doubtful, gain;
  bool isKnown = true; // that there is no loss and nothing doubtful, if none is there
};

/// Holds a policy to its successor on all sequences of verdicts that can come while the old one
/// acts, which may leave nothing to judge clauses by, in the order of pairs: what the rules that
/// are left as they were do at the same time counts. What is told is what all rules together do on
/// its course. A search that would go too far leaves an outcome unknown.
std::vector<RuleOutcome> outcomesOf(const Succession& of, Allowance& allowance);

} // namespace tikc::policy
