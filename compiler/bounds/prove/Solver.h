#pragma once

#include "bounds/prove/WhatIf.h"

namespace tikc::bounds {

/// The factor of the declared value at which a search for a larger number ends.
inline constexpr unsigned farthest = 1024;

/// How far a number of a contract can go while all others stay.
struct Extent {
  std::optional<Rational> largest; // nothing if even the smallest value is too large
  bool isFree = false;             // even the farthest value is valid
};

/// A tolerance or a horizon, and how far it can go while all goals still follow.
struct Leeway {
  Fact input;
  Extent extent;

  bool isHorizon() const { return input.key.quantity == Quantity::Horizon; }
};

/// The numbers that would make goals follow, or the slack that they leave.
struct Advice {
  /// Whether the goals do not follow even without any drift in the clauses; then no number has an
  /// extent.
  bool isInfeasible = false;
  std::vector<Leeway> leeways; // of all numbers that the bounds rest on, the horizon last
};

/// The search for how far the numbers of a contract can go while given goals follow.
class Solver {
public:
  explicit Solver(WhatIf goal) { goals_.push_back(std::move(goal)); }
  /// For a claim on one slice, or on all slices if `slice` is empty.
  Solver(const model::Contract& contract, const Proof& proof, std::size_t claim,
         const std::string& slice = {});

  bool isEmpty() const { return goals_.empty(); }
  /// Whether every goal has a bound, however large.
  bool isBounded() const;
  bool follows(const std::vector<Move>& moves = {}) const;
  bool isInfeasible() const;

  /// Returns the tolerances that the bounds rest on, one for each comparison, then the horizon.
  std::vector<Fact> inputs() const;
  /// Returns all tolerances of a clause, including tolerances that the bounds do not use.
  std::vector<Fact> tolerancesOf(const std::string& clause) const;
  /// Returns the extent of one number while others stay where `held` moves them.
  Extent extentOf(const Fact& input, const std::vector<Move>& held = {}) const;
  /// Returns the extents of all inputs.
  Advice advise() const;

private:
  std::vector<WhatIf> goals_;
};

/// Returns the largest value up to `most` that passes, in few digits; nothing if 0 does not pass.
/// `passes` must be monotone: true below every value that passes.
std::optional<Rational> largest(const Rational& most,
                                const std::function<bool(const Rational&)>& passes);

} // namespace tikc::bounds
