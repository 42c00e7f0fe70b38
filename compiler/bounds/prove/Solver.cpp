#include "bounds/prove/Solver.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

using Passes = std::function<bool(const Rational&)>;

/// The same as largest(), in whole numbers from 1.
std::optional<Rational> largestWhole(const Rational& most, const Passes& passes) {
  if (!passes(1))
    return std::nullopt;
  Rational low = 1, high = most;
  while (high - low > 1) {
    Rational middle((low + high) / 2);
    Rational whole(mpz_class(middle.get_num() / middle.get_den()));
    (passes(whole) ? low : high) = whole;
  }
  return low;
}

/// Each comparison once.
void addTolerance(std::vector<Fact>& facts, const Fact& fact) {
  bool isKnown = std::any_of(facts.begin(), facts.end(), [&](const Fact& known) {
    return known.origin->stated == fact.origin->stated;
  });
  if (isTolerance(fact) && !isKnown)
    facts.push_back(fact);
}

} // namespace

std::optional<Rational> largest(const Rational& most,
                                const std::function<bool(const Rational&)>& passes) {
  if (!passes(0))
    return std::nullopt;
  Rational low = 0, high = most;
  const Rational least = most / Rational(mpz_class(1) << 200);
  // What passes may be far smaller.
  for (Rational tiny = most / 1024; low == 0; tiny /= 1024) {
    if (tiny < least)
      return Rational(0);
    (passes(tiny) ? low : high) = tiny;
  }
  constexpr int halvings = 24;
  for (int i = 0; i < halvings; ++i) {
    Rational middle = (low + high) / 2;
    (passes(middle) ? low : high) = middle;
  }
  // Of a ratio a little above 1, what is above counts.
  Rational whole = low > 1 && low < 2 ? 1 : 0;
  for (unsigned digits = 3; digits <= 6; ++digits)
    for (Rounding rounding : {Rounding::Up, Rounding::Down})
      if (Rational simple = whole + rounded(low - whole, digits, rounding);
          simple <= most && passes(simple))
        return simple;
  return std::nullopt;
}

Solver::Solver(const model::Contract& contract, const Proof& proof, std::size_t claim,
               const std::string& slice) {
  for (std::size_t i = 0; i < proof.entries.size(); ++i) {
    const Goal& goal = proof.entries[i].decision.goal;
    if (goal.claim == claim && proof.problems.front().slices[goal.place.slice].isCalled(slice))
      goals_.emplace_back(contract, i);
  }
}

bool Solver::isBounded() const {
  return std::all_of(goals_.begin(), goals_.end(), [](const WhatIf& goal) {
    return goal.isBoundable() && goal.after(std::vector<Move>()).bound;
  });
}

bool Solver::follows(const std::vector<Move>& moves) const {
  return std::all_of(goals_.begin(), goals_.end(),
                     [&](const WhatIf& goal) { return goal.after(moves).follows; });
}

bool Solver::isInfeasible() const {
  return std::any_of(goals_.begin(), goals_.end(), [](const WhatIf& goal) {
    // How high a limit from below could be is not known.
    std::vector<Fact> grounds = goal.grounds();
    bool isFromBelow = std::any_of(grounds.begin(), grounds.end(), [](const Fact& fact) {
      return fact.origin->kind == Origin::Kind::Clause &&
             info(fact.key.quantity).side == QuantityInfo::Side::Lower;
    });
    auto withoutDrift = [](Fact& fact) {
      if (isDrift(fact))
        fact.bound = 0;
    };
    return !isFromBelow && !goal.after(withoutDrift).follows;
  });
}

std::vector<Fact> Solver::inputs() const {
  std::vector<Fact> out;
  std::optional<Fact> horizon;
  for (const WhatIf& goal : goals_)
    for (const Fact& fact : goal.grounds()) {
      addTolerance(out, fact);
      if (fact.key.quantity == Quantity::Horizon)
        horizon = fact;
    }
  if (horizon)
    out.push_back(*horizon);
  return out;
}

std::vector<Fact> Solver::tolerancesOf(const std::string& clause) const {
  const Problem& problem = goals_.front().posed();
  std::vector<Fact> out;
  for (FactId id : problem.inputs)
    if (const Fact& fact = problem.facts[id]; fact.origin->name == clause)
      addTolerance(out, fact);
  return out;
}

namespace {

/// What is enough here is enough whatever it is: no kernels differ by so much. Horizons are counted
/// in multiples.
Rational farthestFrom(const Fact& input) {
  Rational multiple = farthest * input.bound;
  return input.key.quantity == Quantity::Horizon ? multiple
                                                 : std::max(multiple, Rational(mpz_class(1) << 32));
}

} // namespace

Extent Solver::extentOf(const Fact& input, const std::vector<Move>& held) const {
  const Rational& declared = input.bound;
  auto passes = [&](const Rational& value) {
    std::vector<Move> moves = held;
    moves.push_back({input, value});
    return follows(moves);
  };
  auto search = input.key.quantity == Quantity::Horizon ? largestWhole : largest;
  if (!passes(declared))
    return {search(declared, passes), false};
  const Rational end = farthestFrom(input);
  if (passes(end))
    return {std::nullopt, true};
  constexpr unsigned leap = 8;
  Rational most = leap * std::max(declared, Rational(1, 1ul << 30));
  while (most < end && passes(most))
    most *= leap;
  // What is found is rounded to few digits.
  return {std::max(search(most, passes).value_or(declared), declared), false};
}

Advice Solver::advise() const {
  Advice out;
  if (!isBounded())
    return out;
  out.isInfeasible = isInfeasible();
  for (const Fact& input : inputs())
    out.leeways.push_back({input, out.isInfeasible ? Extent() : extentOf(input)});
  return out;
}

} // namespace tikc::bounds
