#pragma once

#include "bounds/facts/Facts.h"
#include "model/Contract.h"

namespace tikc::bounds {

/// A number in the contract's text, and its replacement.
struct Rewriting {
  Span span;
  model::Amount quantity;
};
/// Returns the edit that gives a comparison another tolerance, in the author's unit. Bits become
/// nats, because their values are not rational. A lower limit on a signed gap stays negative.
Rewriting rewriting(const model::Bound& bound, const Fact& clause, const Rational& tolerance);

} // namespace tikc::bounds
