#pragma once

#include "bounds/prove/WhatIf.h"

namespace tikc::bounds {

/// The largest tolerance of one clause with which a claim follows, all else as it is.
struct Tolerance {
  Fact clause;
  std::optional<Rational>
      largest; // nothing: the claim does not follow however strict the clause is
};

/// What would make an unproved goal follow.
struct Advice {
  std::vector<Tolerance> tolerances; // of the clauses that the bound rests on
  std::optional<Rational> horizon;   // the longest at which the goal follows
  /// The goal does not follow even where no clause leaves any drift.
  bool isInfeasible = false;
};

/// A number of the contract, and what to write in its place.
struct Rewriting {
  Span span;
  model::Quantity quantity;
};
/// Another tolerance of a comparison that states one, in the unit that its author wrote. Bits
/// become nats, since they are not rational; what bounds a signed gap from below stays negative.
Rewriting rewriting(const model::Bound& bound, const Fact& clause, const Rational& tolerance);

Advice advise(const WhatIf& whatIf);

/// The largest value up to `most` that passes, short enough to be written; `passes` holds of
/// everything below what it holds of. Nothing where 0 does not pass.
std::optional<Rational> largest(const Rational& most,
                                const std::function<bool(const Rational&)>& passes);

} // namespace tikc::bounds
