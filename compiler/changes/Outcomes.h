#pragma once

#include "changes/Changes.h"
#include "changes/Overlap.h"

#include <map>
#include <set>
#include <string>

namespace tikc::changes {

/// The keys of the assumptions and facts that claims of the new edition rest on, as they were
/// bounded: of those claims that the old one has as well.
std::set<std::string, std::less<>> groundsKept(const Edition& was, const Edition& is);
/// Whether claims that both editions have are about all requests, whichever their slice.
bool claimsOfAllKept(const Edition& was, const Edition& is);

/// New names of slices by their old ones.
using SliceNames = std::map<std::string, std::string>;

/// What became of claims that are lost, gained or nearer to their budgets; nothing where one of the
/// editions was not decided.
std::vector<ClaimOutcomes> claimOutcomes(const Edition& was, const Edition& is,
                                         const SliceNames& renamed, const Overlap& overlap);

} // namespace tikc::changes
