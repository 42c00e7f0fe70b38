#pragma once

#include "bounds/facts/Facts.h"
#include "model/Contract.h"

#include <vector>

/// What a comparison asks for, in one form: `in [a, b]` and `==` are two one-sided limits, and bits
/// are nats.
namespace tikc::bounds {

struct QuantityLimit {
  model::Amount quantity;
  QuantityInfo::Side side;
  bool strict = false;
};
std::vector<QuantityLimit> limitsOf(const model::Bound& bound);

/// In nats where it is information: a bit is ln 2, rounded to the side on which a promise says less
/// and a claim asks for more.
Rational amount(const model::Amount& quantity, unsigned bits, Rounding rounding);
/// The same before it was rounded, where it was.
std::optional<Exactly> exactlyOf(const model::Amount& quantity, const Rational& amount);

} // namespace tikc::bounds
