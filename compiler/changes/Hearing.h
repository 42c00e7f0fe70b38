#pragma once

#include "model/Contract.h"
#include "policy/Machine.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tikc::changes {

/// How the verdicts of a clause on some requests differ from those of its predecessor on the same
/// data. Of a limit that moved, and of how sure a verdict has to be, it is known which come more
/// often, and which less; of all else that decides a clause nothing is. Data that decide one limit
/// are taken to be enough for the other.
struct Shift {
  struct Way {
    bool isMore = false, isLess = false;
  };
  Way violated, undecided, satisfied;
  std::string_view unlike; // "is judged over other windows", where any verdict may be another
  bool isInParts = false;  // each of which may be violated less often in a row than the whole

  bool isNone() const;
};

/// What two editions of a clause are judged by.
struct SameData {
  bool isOfSameKernels = true;
  bool isOfSameShares = true; // what is judged of all requests
  /// The requests of the new edition's slice are some of the old one's; or some of its are.
  bool isWithin = true, isAround = true;
};
Shift shiftOf(const model::Clause& was, const model::Clause& is, const SameData& same);

/// What rules hear on a slice: a shift for each clause of their plan.
struct Heard {
  const plan::Plan& plan;
  std::uint32_t slice = 0;
  const std::vector<Shift>& shifts;
  std::function<std::string(const policy::Traffic&)> wordsOf; // "route(safe, probe=1%)"
};
/// Why the policy may do less although no rule says anything else, by what a rule of it hears: it
/// reacts later, or ends sooner, or does more where that displaces something stronger. Empty where
/// it does not.
std::string whyHeardOtherwise(const Heard& heard, std::uint32_t rule);

} // namespace tikc::changes
