#pragma once

#include "changes/Changes.h"

#include <set>

namespace tikc::changes {

/// The keys of the assumptions and facts that claims of the new edition rest on, as they were
/// bounded: of those claims that the old one has as well.
std::set<std::string> groundsKept(const Edition& was, const Edition& is);

/// What became of claims that are lost, gained or nearer to their budgets; nothing where one of the
/// editions was not decided.
std::vector<ClaimOutcomes> claimOutcomes(const Edition& was, const Edition& is);

} // namespace tikc::changes
