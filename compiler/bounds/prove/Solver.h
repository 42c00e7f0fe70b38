#pragma once

#include "bounds/prove/WhatIf.h"

namespace tikc::bounds {

/// A search for a larger number ends at so many times what is declared.
inline constexpr unsigned farthest = 1024;

/// How far a number of a contract can go, all else as it is.
struct Extent {
  std::optional<Rational> largest; // nothing where not even the least is enough
  bool isFree = false;             // the farthest is enough, too
};

/// A tolerance or a horizon, and how far it can go with all goals following.
struct Leeway {
  Fact input;
  Extent extent;

  bool isHorizon() const { return input.key.quantity == Quantity::Horizon; }
};

/// What would make goals follow, or how much they leave.
struct Advice {
  /// The goals do not follow even where no clause leaves any drift: nothing has an extent.
  bool isInfeasible = false;
  std::vector<Leeway> leeways; // of what the bounds rest on, the horizon last
};

/// How far the numbers of a contract can go with all of some goals following: the one search for
/// it, whoever asks.
class Solver {
public:
  explicit Solver(WhatIf goal) { goals_.push_back(std::move(goal)); }
  /// Of a claim, on one slice, or on all where no name is given.
  Solver(const model::Contract& contract, const Proof& proof, std::size_t claim,
         const std::string& slice = {});

  bool isEmpty() const { return goals_.empty(); }
  /// Every goal has a bound of some size.
  bool isBounded() const;
  bool follows(const std::vector<Move>& moves = {}) const;
  bool isInfeasible() const;

  /// The tolerances that the bounds rest on, each comparison once, and the horizon after them.
  std::vector<Fact> inputs() const;
  /// All tolerances that a clause states, whether or not the bounds rest on them.
  std::vector<Fact> tolerancesOf(const std::string& clause) const;
  /// While others are held where they were moved to.
  Extent extentOf(const Fact& input, const std::vector<Move>& held = {}) const;
  /// The extents of all inputs.
  Advice advise() const;

private:
  std::vector<WhatIf> goals_;
};

/// The largest value up to `most` that passes, short enough to be written; `passes` holds of
/// everything below what it holds of. Nothing where 0 does not pass.
std::optional<Rational> largest(const Rational& most,
                                const std::function<bool(const Rational&)>& passes);

} // namespace tikc::bounds
