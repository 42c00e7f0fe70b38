#include "story/Solver.h"

#include <algorithm>

namespace tikc::story {

using bounds::Fact;
using bounds::WhatIf;

namespace {

/// All that one comparison of a clause states, on whatever slice.
bool isSame(const Fact& fact, const Fact& clause) {
  return fact.origin && fact.origin->span == clause.origin->span && fact.bound == clause.bound;
}

void addNew(std::vector<Fact>& facts, const Fact& fact) {
  if (std::none_of(facts.begin(), facts.end(),
                   [&](const Fact& known) { return known.origin->span == fact.origin->span; }))
    facts.push_back(fact);
}

} // namespace

Solver::Solver(const SourceManager& sources, const model::Contract& contract,
               const bounds::Proof& proof, std::size_t claim, const std::string& slice)
    : guide_(sources, contract), contract_(contract) {
  for (std::size_t i = 0; i < proof.entries.size(); ++i) {
    const bounds::Goal& goal = proof.entries[i].decision.goal;
    const auto& place = proof.problems.front().slices[goal.place.slice];
    bool isChosen = slice.empty() || place.name == slice || (place.isMixture && slice == "all");
    if (goal.claim == claim && isChosen)
      whatIfs_.emplace_back(contract_, i);
  }
}

bool Solver::isBounded() const {
  return std::all_of(whatIfs_.begin(), whatIfs_.end(), [](const WhatIf& whatIf) {
    return whatIf.isBoundable() && whatIf.after([](Fact&) {}).bound;
  });
}

bool Solver::follows() const {
  return follows([](Fact&) {});
}

bool Solver::isInfeasible() const {
  return !follows([](Fact& fact) {
    if (bounds::isTolerance(fact))
      fact.bound = 0;
  });
}

bool Solver::follows(const WhatIf::Change& change) const {
  return std::all_of(whatIfs_.begin(), whatIfs_.end(),
                     [&](const WhatIf& whatIf) { return whatIf.after(change).follows; });
}

std::vector<Fact> Solver::tolerances() const {
  std::vector<Fact> out;
  for (const WhatIf& whatIf : whatIfs_)
    for (const Fact& fact : whatIf.grounds())
      if (bounds::isTolerance(fact))
        addNew(out, fact);
  return out;
}

std::vector<Fact> Solver::tolerancesOf(const std::string& clause) const {
  bounds::Problem problem = bounds::pose(contract_, bounds::firstPrecision);
  std::vector<Fact> out;
  for (bounds::FactId id : problem.inputs) {
    const Fact& fact = problem.facts[id];
    if (bounds::isTolerance(fact) && fact.origin->name == clause)
      addNew(out, fact);
  }
  return out;
}

std::optional<Fact> Solver::horizon() const {
  for (const WhatIf& whatIf : whatIfs_)
    for (const Fact& fact : whatIf.grounds())
      if (fact.key.quantity == bounds::Quantity::Horizon)
        return fact;
  return std::nullopt;
}

Reach Solver::head(const Fact& input) const {
  Reach out;
  out.ground = guide_.ground(*input.origin);
  out.measure = guide_.measure(input);
  out.declared = input.bound;
  return out;
}

Reach Solver::reachOf(const Fact& clause) const {
  Reach out = head(clause);
  Extent extent = extentOf(clause.bound, [&](const Rational& tolerance) {
    return follows([&](Fact& fact) {
      if (isSame(fact, clause))
        fact.bound = tolerance;
    });
  });
  out.largest = extent.largest;
  out.isFree = extent.isFree;
  return out;
}

Reach Solver::reachOfHorizon(const Fact& horizon) const {
  Reach out = head(horizon);
  out.measure = {1, "tokens"};
  Extent extent = wholeExtentOf(horizon.bound, [&](const Rational& tokens) {
    return std::all_of(whatIfs_.begin(), whatIfs_.end(),
                       [&](const WhatIf& whatIf) { return withHorizon(whatIf, tokens).follows; });
  });
  out.largest = extent.largest;
  out.isFree = extent.isFree;
  return out;
}

Solver::Trade Solver::trade(const Fact& given, const Fact& other) const {
  Trade out{head(given), head(other), {}};
  auto followsAt = [&](const Rational& first, const Rational& second) {
    return follows([&](Fact& fact) {
      if (isSame(fact, given))
        fact.bound = first;
      else if (isSame(fact, other))
        fact.bound = second;
    });
  };
  Extent reach =
      extentOf(given.bound, [&](const Rational& tolerance) { return followsAt(tolerance, 0); });
  if (!reach.isFree && !reach.largest)
    return out;
  Rational most = reach.isFree ? Rational(2 * given.bound) : *reach.largest;
  constexpr int rows = 12, digits = 4;
  for (int i = 0; i < rows; ++i) {
    Rational exact = most * Rational(i) / Rational(rows - 1);
    // Short enough to be written into a contract; the last row stays at the end.
    Rational tolerance =
        i + 1 == rows ? most : bounds::rounded(exact, digits, bounds::Rounding::Down);
    out.rows.push_back({tolerance, extentOf(other.bound, [&](const Rational& second) {
                          return followsAt(tolerance, second);
                        })});
  }
  return out;
}

} // namespace tikc::story
