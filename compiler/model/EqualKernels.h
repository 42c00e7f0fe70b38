#pragma once

#include "model/Contract.h"
#include "support/Rational.h"

#include <optional>

namespace tikc::model {

/// Returns the value of a measure for two bit-identical kernels: 0 or 1 in any unit. Returns
/// nothing if equality does not determine it, such as for serving costs.
std::optional<Rational> figureOfEqualKernels(const model::Measure& measure);

/// Returns whether identical kernels must violate the bound, because it requires drift.
bool refusesEqualKernels(const model::Bound& bound);

/// Returns whether kernels with equal numerics have equal distributions: neither cuts or scales its
/// own.
bool haveOneLaw(const model::Contract& contract);

} // namespace tikc::model
