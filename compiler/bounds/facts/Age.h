#pragma once

#include "model/Contract.h"

#include <optional>

namespace tikc::bounds {

/// Returns the contract as a chain that begins with the trainer at its newest weights. Clauses
/// compare the kernels that they named; claims are about the new ends. Returns nothing without a
/// declared age, or if the chain has these weights already.
std::optional<model::Contract> withAge(const model::Contract& contract);

/// Whether the first kernel of the chain is the second one with newer weights.
bool isAged(const model::Contract& contract);

} // namespace tikc::bounds
