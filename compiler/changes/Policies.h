#pragma once

#include "changes/Overlap.h"
#include "changes/ReactionChanges.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tikc::changes {

/// The indices of two rules, one of which replaces the other.
struct PairedRules {
  std::optional<std::size_t> old, fresh;
  bool saySame = false; // taken by themselves
};

/// How the whole policy differs because of one rule.
struct RuleFate {
  bool isKnown = true; // if nothing else is reported: whether certainly nothing is lost or doubtful
  /// A difference: "after { gap: violated*2 }: route(safe, probe=1%) of `drift`, and now hold of
  /// `stale`".
  struct Difference {
    std::string text; // empty without a difference
    std::size_t ticks = 0;
  };
  Difference loss, doubtful, gain;
  /// Why the policy may do less because clauses of the new edition are decided differently; empty
  /// if it may not.
  std::string otherVerdicts = {};
};

/// Returns the fate of each pair, over all slices that share a request. First, both policies get
/// equal verdicts on common clauses and any verdicts on new ones; the removal of a clause is
/// reported on the clause. Then the new policy gets the verdicts of its own clauses.
std::vector<RuleFate> fatesOf(const model::Contract& old, const model::Contract& fresh,
                              const Overlap& overlap, const Renamings& renamings,
                              const std::vector<PairedRules>& pairs);

} // namespace tikc::changes
