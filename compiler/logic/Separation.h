#pragma once

#include "logic/OneSided.h"

#include <optional>

namespace tikc::logic {

/// Values of two statistics of one population that satisfies one bound and violates the other, in
/// the bounds' units. If both are the same statistic, the two values are equal.
struct Separation {
  model::Amount kept, broken;
};

/// Finds values that show that a bound does not imply another, if they are cheap to find. For the
/// same statistic, it is a number between the limits. For two statistics of one figure, it is a
/// constant population, or two numbers in the order that such statistics always have. Values
/// outside the statistics' ranges do not count. Finding nothing does not prove implication.
std::optional<Separation> separation(const model::Bound& kept, const model::Bound& broken,
                                     Stands stands);

} // namespace tikc::logic
