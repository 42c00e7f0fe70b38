#pragma once

#include "model/Contract.h"

#include <optional>

namespace tikc::bounds {

/// A contract whose rollouts may be older than the weights that are trained, as a chain: the
/// trainer with its newest weights stands in front. Clauses compare what they did, and claims are
/// about the new ends. Nothing where no age is declared, or where it is in the chain already.
std::optional<model::Contract> withAge(const model::Contract& contract);

/// Whether the first kernel of the chain is the second one with newer weights.
bool isAged(const model::Contract& contract);

} // namespace tikc::bounds
