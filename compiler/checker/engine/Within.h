#pragma once

#include "checker/engine/LoadedPlan.h"
#include "tikc/tally.h"

#include <cstdint>
#include <span>

/// The checks of a plan that bound each observation: those on extremes. Means and quantiles bound
/// no single observation.
namespace tikc::engine {

/// Writes 1 for each token that counts and satisfies all of them on its slice, otherwise 0.
void markWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
                const token_batch& tokens, std::span<std::uint8_t> out);

/// Whether a response satisfies all of them; true for a response without tokens.
bool isWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
              const sequence& response);

} // namespace tikc::engine
