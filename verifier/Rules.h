#pragma once

#include "verifier/Text.h"

#include <set>

namespace verify {

/// A step of a derivation: what it rests on, and what it concludes.
struct Step {
  std::string lemma, curve; // curve: the lemma that a mean is carried through
  std::vector<const Fact*> args;
  std::vector<Number> choices; // free parameters
  Fact fact;
};

/// What steps have to know of the contract.
struct Setting {
  std::set<std::string> slices;    // with the remainder, where there is one
  bool slicesCutResponses = false; // a slice can begin within a response
  bool isOneToken = false;         // gradients are of one token
};

/// Whether a premise holds at the place of a conclusion.
bool holdsAt(const Fact& premise, const Fact& place);

/// What the step's lemma gives from the claimed bounds of its arguments; rejects a step whose
/// arguments are not the lemma's.
Value conclude(const Step& step, const Setting& setting);

} // namespace verify
