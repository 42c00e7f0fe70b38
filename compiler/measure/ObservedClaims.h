#pragma once

#include "measure/Rows.h"
#include "model/Contract.h"

/// Claims at what was observed, beside what is promised and never mixed with it.
namespace tikc::measure {

/// What follows for each claim where every clause's limit is as far out as the data of any window
/// leave it, in the order of the contract's claims: for each comparison of a claim the worst of the
/// slices that came. What is taken as given stays so, but for how traffic falls into slices. Of the
/// clauses that state a confidence alone it has theirs, in a window; of all clauses, where that is
/// another, it is about what came. From what is taken as given it rests on what is not broken.
std::vector<std::vector<ObservedBound>> observedClaimsOf(const model::Contract& contract,
                                                         const MeasuredPlan& measured,
                                                         const Measurement& of,
                                                         std::span<const std::string> asked);

} // namespace tikc::measure
