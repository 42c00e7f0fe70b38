#pragma once

#include "changes/Overlap.h"

namespace tikc::changes {

/// A contract in one form of those that mean the same, beyond what its canonical print sees
/// through: clauses are of one family, two kernels are a chain, what is the default is not said,
/// triggers are normal, and what has no order is in order.
model::Contract normalOf(const model::Contract& contract);

/// A rule that names every slice, the remainder too, watches what one watches that names none.
bool watchesEach(const model::Contract& contract, const model::Rule& rule);

/// Normal forms without the conditions of slices that take in either edition what they take in the
/// other.
struct NormalForms {
  model::Contract was, is;
};
NormalForms normalForms(const model::Contract& was, const model::Contract& is,
                        const Overlap& overlap);

} // namespace tikc::changes
