#pragma once

#include "changes/StatementChanges.h"

namespace tikc::changes {

/// Kernels, model, load, labels, assumptions; kernels are told apart by their part in the chain.
std::vector<PartChange> factChanges(const model::Contract& was, const model::Contract& is);

/// Whether some of them change what clauses measure.
bool haveOtherMeaning(const std::vector<PartChange>& changes);

} // namespace tikc::changes
