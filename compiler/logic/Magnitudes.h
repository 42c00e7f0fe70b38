#pragma once

#include "model/Amount.h"

#include <compare>
#include <optional>

namespace tikc::logic {

/// A number in its dimension's base unit, except that bits stay bits, as a bit is not a rational
/// number of nats.
struct Magnitude {
  Rational value;
  bool isBits = false;

  Magnitude scaledBy(const Rational& factor) const { return {value * factor, isBits}; }
};

Magnitude magnitudeOf(const model::Amount& amount);

/// Returns whether two amounts are equal, however written, or both absent.
bool isSameAmount(const std::optional<model::Amount>& a, const std::optional<model::Amount>& b);

/// Compares two magnitudes. Returns nothing if they are closer than log 2 is known, which is a
/// hundred digits.
std::optional<std::strong_ordering> compare(const Magnitude& a, const Magnitude& b);

/// Returns the largest integer that is at most `value`.
Rational floorOf(const Rational& value);

/// Returns whether a window of one length is a whole number of consecutive windows of the other.
bool isMultiple(const Rational& longer, const Rational& shorter);

} // namespace tikc::logic
