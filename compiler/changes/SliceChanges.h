#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// How the partition of requests changed. What that does to promises is told of the clauses.
std::vector<PartChange> sliceChanges(const Editions& editions);

/// The new names of slices that have the same requests under another.
std::map<std::string, std::string> renamedSlices(const std::vector<PartChange>& changes);

} // namespace tikc::changes
