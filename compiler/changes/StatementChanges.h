#pragma once

#include "changes/Changes.h"
#include "changes/Overlap.h"

#include <map>

namespace tikc::changes {

/// Two editions, and what of one is what of the other.
struct Editions {
  const model::Contract& was;
  const model::Contract& is;
  const Overlap& overlap;
  /// What clauses measure is another thing, whatever they say: laws, cuts, horizons.
  bool hasOtherMeaning = false;
};

/// The clauses and claims: those of one id first, then those that say the same under another.
std::vector<PartChange> clauseChanges(const Editions& editions);
std::vector<PartChange> claimChanges(const Editions& editions);

/// The new ids of clauses that were renamed.
std::map<std::string, std::string> renamedClauses(const std::vector<PartChange>& changes);

} // namespace tikc::changes
