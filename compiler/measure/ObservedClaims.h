#pragma once

#include "measure/Rows.h"
#include "model/Contract.h"

/// Claims at the observed values, reported next to the promised bounds and never mixed with them.
namespace tikc::measure {

/// Returns a bound for each comparison of each claim, in the contract's order. It is what the proof
/// yields when each limit moves to the far end of its interval in the worst window, on the worst
/// slice with data. Its confidence is that of `ClaimEnds`, in a window. Assumptions stay as
/// declared, except broken ones and the weights of slices. A proof that needs a clause without an
/// interval has no bound.
std::vector<std::vector<ObservedBound>> observedClaimsOf(const model::Contract& contract,
                                                         const MeasuredPlan& measured,
                                                         const Measurement& measurement,
                                                         std::span<const std::string> asked);

} // namespace tikc::measure
