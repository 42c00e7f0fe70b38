#pragma once

#include "bounds/facts/Facts.h"
#include "model/Contract.h"

#include <vector>

/// One side of a comparison, in nats: `in [a, b]` and `==` have two.
namespace tikc::bounds {

struct QuantityLimit {
  model::Amount quantity;
  QuantityInfo::Side side;
  bool strict = false;
};
std::vector<QuantityLimit> limitsOf(const model::Bound& bound);

/// Returns the quantity in its base unit, with bits as nats. The factor ln 2 is rounded so that a
/// promise gets weaker and a claim stronger.
Rational amount(const model::Amount& quantity, unsigned bits, Rounding rounding);
/// Returns the exact value of an amount that `amount` rounded; nothing if it was not rounded.
std::optional<Exactly> exactlyOf(const model::Amount& quantity, const Rational& amount);

} // namespace tikc::bounds
