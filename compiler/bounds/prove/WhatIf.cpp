#include "bounds/prove/WhatIf.h"

#include "bounds/prove/Engine.h"

#include <algorithm>

namespace tikc::bounds {

bool Move::isOf(const Fact& fact) const {
  if (input.key.quantity == Quantity::Horizon)
    return fact.key.quantity == Quantity::Horizon;
  return fact.origin && fact.origin->stated == input.origin->stated && fact.bound == input.bound;
}

WhatIf::WhatIf(const model::Contract& contract, std::size_t goal)
    : posed_(pose(contract, firstPrecision)) {
  Goal only = posed_.goals[goal];
  posed_.goals = {std::move(only)};
}

Problem WhatIf::solved(const Change& change, std::optional<FactId>& fact) const {
  Problem problem = posed_;
  for (FactId id : problem.inputs)
    problem.facts.change(id, change);
  closings_->turn();
  Engine engine(problem, results_, closings_.get());
  engine.run();
  fact = engine.best(*goal().key, goal().place);
  return problem;
}

WhatIf::Outcome WhatIf::after(const Change& change) const {
  std::optional<FactId> fact;
  Problem problem = solved(change, fact);
  if (!fact)
    return {};
  return {problem.facts[*fact].bound, meets(goal(), problem.facts[*fact])};
}

WhatIf::Outcome WhatIf::after(const std::vector<Move>& moves) const {
  return after([&](Fact& fact) {
    auto move =
        std::find_if(moves.begin(), moves.end(), [&](const Move& each) { return each.isOf(fact); });
    if (move != moves.end())
      fact.bound = move->to;
  });
}

std::vector<Fact> WhatIf::grounds() const {
  std::optional<FactId> fact;
  Problem problem = solved([](Fact&) {}, fact);
  std::vector<Fact> out;
  if (fact)
    for (FactId id : inputsOf(problem.facts, *fact))
      out.push_back(problem.facts[id]);
  return out;
}

std::vector<FactId> inputsOf(const Derivation& facts, FactId fact) {
  std::vector<bool> seen(facts.size(), false);
  std::vector<FactId> open = {fact}, out;
  while (!open.empty()) {
    FactId id = open.back();
    open.pop_back();
    if (seen[static_cast<std::size_t>(id)])
      continue;
    seen[static_cast<std::size_t>(id)] = true;
    const Fact& at = facts[id];
    if (at.origin)
      out.push_back(id);
    open.insert(open.end(), at.premises.begin(), at.premises.end());
    open.insert(open.end(), at.under.begin(), at.under.end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool isDrift(const Fact& fact) {
  return fact.origin && fact.origin->kind == Origin::Kind::Clause &&
         info(fact.key.quantity).side == QuantityInfo::Side::Upper && fact.bound > 0;
}

bool isTolerance(const Fact& fact) { return isDrift(fact) && !fact.origin->isThreshold; }

} // namespace tikc::bounds
