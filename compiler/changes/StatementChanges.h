#pragma once

#include "changes/Changes.h"
#include "changes/Overlap.h"

#include <map>

namespace tikc::changes {

/// Two editions and the overlap of their slices.
struct Editions {
  const model::Contract& old;
  const model::Contract& fresh;
  const Overlap& overlap;
  /// Whether clauses measure something else, whatever their text, because laws, cuts or horizons
  /// changed.
  bool hasOtherMeaning = false;
};

/// Return the changes of clauses and claims: first those with equal ids, then equal statements
/// under another id.
std::vector<PartChange> clauseChanges(const Editions& editions);
std::vector<PartChange> claimChanges(const Editions& editions);

/// Returns the new ids of renamed clauses.
std::map<std::string, std::string> renamedClauses(const std::vector<PartChange>& changes);

} // namespace tikc::changes
