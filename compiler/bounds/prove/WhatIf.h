#pragma once

#include "bounds/prove/Closings.h"
#include "bounds/prove/Prover.h"

#include <functional>

namespace tikc::bounds {

/// One number of a contract, and where it is moved to: all that one comparison of a clause states,
/// on whatever slice, or the horizon.
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
  /// A goal that tikc has a kind of bound for.
  bool isBoundable() const { return goal().key.has_value(); }

  /// Called with every input before anything is derived.
  using Change = std::function<void(Fact&)>;
  /// The tightest bound after the change, if any; `follows` is whether it meets the goal.
  struct Outcome {
    std::optional<Rational> bound;
    bool follows = false;
  };
  Outcome after(const Change& change) const;
  Outcome after(const std::vector<Move>& moves) const;

  /// The inputs that the goal's bound rests on as the contract stands.
  std::vector<Fact> grounds() const;

private:
  Problem solved(const Change& change, std::optional<FactId>& fact) const;

  Problem posed_;
  // One number moves, and most places stay as they are.
  std::shared_ptr<Results> results_ = std::make_shared<Results>();
  std::shared_ptr<Closings> closings_ = std::make_shared<Closings>();
};

/// The inputs that a fact rests on, in the order of the contract.
std::vector<FactId> inputsOf(const Derivation& facts, FactId fact);

/// Whether a clause lets so much drift be.
bool isDrift(const Fact& fact);
/// Whether it is a clause's own limit on a drift, which can be made stricter.
bool isTolerance(const Fact& fact);

} // namespace tikc::bounds
