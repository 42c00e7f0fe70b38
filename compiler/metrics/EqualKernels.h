#pragma once

#include "model/Contract.h"
#include "support/Rational.h"

#include <optional>

namespace tikc::metrics {

/// What the measure is of two kernels that agree to the last bit, 0 or 1 in any unit that it has;
/// nothing where that does not follow, as of what it takes to serve.
std::optional<Rational> figureOfEqualKernels(const model::Measure& measure);

/// Whether kernels that agree are certain to break the bound: it asks for drift.
bool refusesEqualKernels(const model::Bound& bound);

/// Whether kernels with equal numerics have equal distributions: none cuts or scales its own.
bool haveOneLaw(const model::Contract& contract);

} // namespace tikc::metrics
