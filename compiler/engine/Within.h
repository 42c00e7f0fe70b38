#pragma once

#include "engine/LoadedPlan.h"
#include "tikc/tally.h"

#include <cstdint>
#include <span>

/// What of a plan's checks is a bound on each observation by itself: those of an extreme. What a
/// mean or a quantile says is of no single one.
namespace tikc::engine {

/// 1 for each token that counts and is within all of them on its slice, else 0.
void markWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
                const token_batch& tokens, std::span<std::uint8_t> out);

/// Of a response that has a token; one without is within any.
bool isWithin(const LoadedPlan& plan, std::size_t stream, std::size_t slice,
              const sequence& response);

} // namespace tikc::engine
