#pragma once

#include "verifier/Contract.h"

namespace verify {

/// A step of a derivation: its premises and its conclusion.
struct Step {
  std::string lemma, curve; // the lemma that carries a mean through a curve
  std::vector<const Fact*> args;
  std::vector<Number> choices; // free parameters
  Fact fact;
};

/// Returns the claimed bound; a share is at most 1. Rejects a bound outside the quantity's domain.
Number valueOf(const Fact& fact);

/// Returns whether a premise, possibly about other distributions, holds at the place of a
/// conclusion.
bool holdsAt(const Fact& premise, const Fact& place, std::string_view laws);

/// Returns what the step's lemma concludes from the claimed bounds of its arguments. Rejects a step
/// whose arguments are not the lemma's, or are about another place.
Value conclude(const Step& step, const Contract& contract);

/// Returns whether the conclusion is strict if some premise is strict.
bool keepsStrictness(const Step& step);
/// Returns whether a quantile fails on less than its share, because a premise does.
bool leavesShare(const Step& step);

} // namespace verify
