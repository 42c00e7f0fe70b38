#pragma once

#include "logic/OneSided.h"

#include <optional>

namespace tikc::logic {

/// An interval in base units; an absent end is unbounded.
struct Stretch {
  std::optional<Rational> low, high;
  bool hasLow = true, hasHigh = true; // whether the ends are included
};

/// Returns the upper end of a range in the tables: where it is log 2, which they round up, one bit.
Magnitude upperEnd(const Rational& high);

/// Returns the range of a measure's statistic, for any observations.
Stretch domainOf(const model::Measure& measure, Stands stands);

/// Returns whether every possible value of the statistic satisfies a side of a bound.
bool isAlwaysKept(const OneSided& side, const model::Measure& measure);

} // namespace tikc::logic
