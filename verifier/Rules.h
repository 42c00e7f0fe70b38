#pragma once

#include "verifier/Contract.h"

namespace verify {

/// A step of a derivation: what it rests on, and what it concludes.
struct Step {
  std::string lemma, curve; // curve: the lemma that a mean is carried through
  std::vector<const Fact*> args;
  std::vector<Number> choices; // free parameters
  Fact fact;
};

/// The claimed bound, as the quantity can take it.
Number valueOf(const Fact& fact);

/// Whether a premise, perhaps one about other laws, holds at the place of a conclusion.
bool holdsAt(const Fact& premise, const Fact& place, std::string_view laws);

/// What the step's lemma gives from the claimed bounds of its arguments; rejects a step whose
/// arguments are not the lemma's, or are about something else.
Value conclude(const Step& step, const Contract& contract);

/// Whether its conclusion is not reached where some premise is not.
bool keepsStrictness(const Step& step);
/// Whether a quantile fails on less than its share, as some premise does.
bool leavesShare(const Step& step);

} // namespace verify
