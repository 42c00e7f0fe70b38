#pragma once

#include "measure/Rows.h"
#include "model/Contract.h"

/// Claims at what was observed, beside what is promised and never mixed with it.
namespace tikc::measure {

/// The bound at the measured point of each claim, in the order of the contract's claims: for each
/// comparison, what the clauses of the claim's proof lead to where each limit is as far out as its
/// interval is in the worst window, on the worst of the slices that came. It has the confidence of
/// `ClaimEnds`, in a window. Assumptions stay as given, but for those that are broken and for how
/// traffic falls into slices. A proof that needs a clause without an interval has no bound.
std::vector<std::vector<ObservedBound>> observedClaimsOf(const model::Contract& contract,
                                                         const MeasuredPlan& measured,
                                                         const Measurement& of,
                                                         std::span<const std::string> asked);

} // namespace tikc::measure
