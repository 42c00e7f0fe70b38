#pragma once

#include "checker/plan/Plan.h"
#include "model/Contract.h"

namespace tikc::lower {

/// Returns the pairs of kernels that clauses compare and their samplers; the ends of the chain and
/// the server come first.
std::vector<plan::Stream> streamsOf(const model::Contract& contract);

/// Returns the index of a clause's stream.
std::uint32_t placeOfStream(const std::vector<plan::Stream>& streams,
                            const model::Contract& contract, const model::Clause& clause);

} // namespace tikc::lower
