#pragma once

#include "bounds/prove/Closings.h"
#include "bounds/prove/Prover.h"

#include <functional>

namespace tikc::bounds {

/// A new value for a number of a contract: the limit of one comparison on all its slices, or the
/// horizon.
struct Move {
  Fact input;
  Rational to;

  bool isOf(const Fact& fact) const;
};

/// One goal of a contract, decided again with other numbers.
class WhatIf {
public:
  WhatIf(const model::Contract& contract, std::size_t goal);

  const Problem& posed() const { return posed_; }
  const Goal& goal() const { return posed_.goals.front(); }
  /// Whether tikc has a bound for such goals.
  bool isBoundable() const { return goal().key.has_value(); }

  /// Changes an input before anything is derived; called with each.
  using Change = std::function<void(Fact&)>;
  /// The tightest bound after a change, and whether it meets the goal.
  struct Outcome {
    std::optional<Rational> bound;
    bool follows = false;
  };
  Outcome after(const Change& change) const;
  Outcome after(const std::vector<Move>& moves) const;

  /// Returns the inputs that the goal's bound rests on, without changes.
  std::vector<Fact> grounds() const;

private:
  Problem solved(const Change& change, std::optional<FactId>& fact) const;

  Problem posed_;
  // Only one number moves at a time, so most places repeat.
  std::shared_ptr<Results> results_ = std::make_shared<Results>();
  std::shared_ptr<Closings> closings_ = std::make_shared<Closings>();
};

/// Returns the inputs that a fact rests on, in the order of the contract.
std::vector<FactId> inputsOf(const Derivation& facts, FactId fact);

/// Whether the fact is a clause's bound on drift.
bool isDrift(const Fact& fact);
/// Whether the fact is a clause's own limit on drift, which can be made stricter.
bool isTolerance(const Fact& fact);

} // namespace tikc::bounds
