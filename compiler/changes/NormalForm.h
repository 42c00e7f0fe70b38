#pragma once

#include "changes/Overlap.h"

namespace tikc::changes {

/// Returns a contract's normal form, which equal meanings share beyond the canonical print. Clauses
/// are in one family, two kernels are a chain, defaults are left out, triggers are normal, and
/// everything without an order is sorted.
model::Contract normalOf(const model::Contract& contract);

/// Whether a rule names every slice including the rest, which means the same as naming none.
bool watchesEach(const model::Contract& contract, const model::Rule& rule);

/// Normal forms without slice conditions that select equal requests in both editions.
struct NormalForms {
  model::Contract old, fresh;
};
NormalForms normalForms(const model::Contract& old, const model::Contract& fresh,
                        const Overlap& overlap);

} // namespace tikc::changes
