#pragma once

#include "model/Contract.h"
#include "policy/Machine.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::changes {

/// How the verdicts of a clause differ from those of its old edition on equal data. For a moved
/// limit or confidence, it is known which verdicts become more or less frequent; for other changes
/// nothing is known. Data that decide one limit are assumed to decide the other.
struct Shift {
  struct Way {
    bool isMore = false, isLess = false;
  };
  Way violated, undecided, satisfied;
  std::string_view unlike; // "is judged over other windows": any verdict may differ
  bool isInParts = false;  // a part may be violated in fewer consecutive windows than the whole

  bool isNone() const;
};

/// The common data of two editions of a clause.
struct SameData {
  bool isOfSameKernels = true;
  bool isOfSameShares = true; // matters for clauses on all requests
  /// Whether the new slice's requests are all in the old slice, and the reverse.
  bool isWithin = true, isAround = true;
};
Shift shiftOf(const model::Clause& old, const model::Clause& fresh, const SameData& same);

/// The input of a policy's rules on a slice: a shift for each clause of the plan.
struct RuleInput {
  const plan::Plan& plan;
  std::uint32_t slice = 0;
  const std::vector<Shift>& shifts;
  std::function<std::string(const policy::Traffic&)> wordsOf; // Returns why the policy may do less
                                                              // although its rules are equal: a
                                                              // rule reacts later, ends sooner, or
                                                              // displaces a stronger one. Empty if
                                                              // it does not.
};
/// Why the policy may do less although no rule says anything else, by what a rule of it hears: it
/// reacts later, or ends sooner, or does more where that displaces something stronger. Empty where
/// it does not.
std::string whyHeardOtherwise(const RuleInput& heard, std::uint32_t rule);

} // namespace tikc::changes
