#pragma once

#include "bounds/facts/Facts.h"
#include "model/Contract.h"

namespace tikc::bounds {

/// A number of the contract, and what to write in its place.
struct Rewriting {
  Span span;
  model::Amount quantity;
};
/// Another tolerance of a comparison that states one, in the unit that its author wrote. Bits
/// become nats, since they are not rational; what bounds a signed gap from below stays negative.
Rewriting rewriting(const model::Bound& bound, const Fact& clause, const Rational& tolerance);

} // namespace tikc::bounds
