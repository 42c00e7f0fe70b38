#pragma once

#include "changes/Changes.h"
#include "changes/Overlap.h"

#include <map>
#include <set>
#include <string>

namespace tikc::changes {

/// Returns the keys of assumptions and facts that claims of the new edition rest on, with their old
/// bounds; only for claims that both editions have.
std::set<std::string, std::less<>> groundsKept(const Edition& old, const Edition& fresh);
/// Whether a claim that both editions have is about all requests, whatever their slice.
bool claimsOfAllKept(const Edition& old, const Edition& fresh);

/// New names of slices by old names.
using SliceNames = std::map<std::string, std::string>;

/// Returns the claims that are lost, gained or nearer to their budgets; empty if an edition was not
/// decided.
std::vector<ClaimOutcomes> claimOutcomes(const Edition& old, const Edition& fresh,
                                         const SliceNames& renamed, const Overlap& overlap);

} // namespace tikc::changes
