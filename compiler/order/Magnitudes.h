#pragma once

#include "model/Amount.h"

#include <compare>
#include <optional>

namespace tikc::order {

/// A number in its dimension's base unit, but that bits stay bits: none is a fraction of a nat.
struct Magnitude {
  Rational value;
  bool isBits = false;

  Magnitude scaledBy(const Rational& factor) const { return {value * factor, isBits}; }
};

Magnitude magnitudeOf(const model::Amount& amount);

/// The same quantity, however it is written; or neither is.
bool isSameAmount(const std::optional<model::Amount>& a, const std::optional<model::Amount>& b);

/// Nothing where the two are nearer than is known of log 2, to a hundred digits.
std::optional<std::strong_ordering> compare(const Magnitude& a, const Magnitude& b);

/// The largest whole number that is not above it.
Rational floorOf(const Rational& value);

/// Whether windows of the one are so many of the other in a row.
bool isMultiple(const Rational& longer, const Rational& shorter);

} // namespace tikc::order
