#pragma once

#include <tikc/judge.h>

#include <optional>

namespace tikc::measure {

/// Returns about how many more observations, with the mean and spread of those so far, would bring
/// the interval of an undecided check to one side of each limit. Returns nothing if none would.
std::optional<double> observationsToDecide(const tikc::check& check, const finding& shown);

} // namespace tikc::measure
