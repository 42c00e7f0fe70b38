#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// Returns the changes of kernels, model, load, labels and assumptions. Kernels are matched by
/// their place in the chain.
std::vector<PartChange> factChanges(const model::Contract& old, const model::Contract& fresh);

/// Whether any change affects what clauses measure.
bool haveOtherMeaning(const std::vector<PartChange>& changes);

} // namespace tikc::changes
