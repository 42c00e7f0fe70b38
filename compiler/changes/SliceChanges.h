#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// Returns the changes of the partition of requests. Their effect on promises is reported on the
/// clauses.
std::vector<PartChange> sliceChanges(const Editions& editions);

/// Returns the new names of slices that have equal requests under another name.
std::map<std::string, std::string> renamedSlices(const std::vector<PartChange>& changes);

} // namespace tikc::changes
