#pragma once

#include "order/OneSided.h"

#include <optional>

namespace tikc::order {

/// Numbers between two ends, in base units; an absent end is unbounded.
struct Stretch {
  std::optional<Rational> low, high;
  bool hasLow = true, hasHigh = true; // the ends themselves
};

/// What the statistic of a measure can be; none where it is known whatever is observed.
Stretch domainOf(const model::Measure& measure, Stands stands);

/// Whether all that the statistic can be keeps a side of a bound on it.
bool isAlwaysKept(const OneSided& side, const model::Measure& measure);

} // namespace tikc::order
