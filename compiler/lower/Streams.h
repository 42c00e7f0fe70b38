#pragma once

#include "model/Contract.h"
#include "plan/Plan.h"

namespace tikc::lower {

/// What clauses compare and on whose draws, the ends of the chain and the server first.
std::vector<plan::Stream> streamsOf(const model::Contract& contract);

/// Which of them a clause is about.
std::uint32_t placeOfStream(const std::vector<plan::Stream>& streams,
                            const model::Contract& contract, const model::Clause& clause);

} // namespace tikc::lower
