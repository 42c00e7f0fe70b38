#include "bounds/prove/Implied.h"

#include "bounds/facts/Comparisons.h"
#include "bounds/prove/Prover.h"
#include "bounds/prove/WhatIf.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tikc::bounds {

using model::Aggregate;
using Side = QuantityInfo::Side;

namespace {

/// Whether a fact says all that its comparison does: the figure's own quantity, with the limit as
/// it is written. What is read off a clause beside that is less.
bool isWhole(const Fact& fact, const model::Bound& bound) {
  Aggregate aggregate = bound.measure.aggregate;
  bool isSame =
      aggregate == Aggregate::Mean ? fact.key.quantifier == Quantifier::Mean
      : aggregate == Aggregate::Quantile
          ? fact.key.quantifier == Quantifier::Quantile && fact.key.share == 1 - bound.measure.level
          : aggregate == Aggregate::Max && fact.key.quantifier == Quantifier::Sup;
  return isSame && !fact.origin->isThreshold && fact.bound == bound.limit.scaled() &&
         bound.limit.unit != model::Unit::Bit && info(fact.key.quantity).side == Side::Upper;
}

bool isOneUpperLimit(const model::Bound& bound) {
  return !bound.upper && model::isBelow(bound.comparator) && !bound.measure.threshold;
}

class Followers {
public:
  Followers(const model::Contract& contract, const Engine& engine, const Problem& closed)
      : contract_(contract), engine_(engine), closed_(closed) {}

  std::vector<ImpliedBound> find() const {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<FactId>> stated;
    for (FactId id : closed_.inputs) {
      const auto& origin = closed_.facts[id].origin;
      if (!origin || !origin->stated)
        continue;
      const model::Bound& bound = origin->stated->boundOf(contract_);
      if (isOneUpperLimit(bound) && isWhole(closed_.facts[id], bound))
        stated[{origin->stated->clause, origin->stated->bound}].push_back(id);
    }
    std::vector<ImpliedBound> out;
    for (const auto& [part, facts] : stated)
      if (auto implied = whole({part.first, part.second}, facts, out))
        out.push_back(std::move(*implied));
    return out;
  }

private:
  /// All facts of one comparison, a slice each, have to follow.
  std::optional<ImpliedBound> whole(const ClauseBound& part, const std::vector<FactId>& facts,
                                    const std::vector<ImpliedBound>& known) const {
    ImpliedBound out{part, {}, 0, true};
    for (FactId id : facts) {
      auto follows = tighter(closed_.facts[id]);
      if (!follows)
        return std::nullopt;
      for (FactId input : inputsOf(closed_.facts, *follows)) {
        const auto& from = closed_.facts[input].origin->stated;
        if (!from)
          continue;
        if (*from == part || isAmong(*from, known))
          return std::nullopt;
        if (std::find(out.from.begin(), out.from.end(), *from) == out.from.end())
          out.from.push_back(*from);
      }
      out.follows = std::max(out.follows, closed_.facts[*follows].bound);
    }
    return out.from.empty() ? std::nullopt : std::optional(std::move(out));
  }

  /// Of two that follow from one another one has to stay.
  static bool isAmong(const ClauseBound& part, const std::vector<ImpliedBound>& known) {
    return std::any_of(known.begin(), known.end(),
                       [&](const ImpliedBound& each) { return each.stated == part; });
  }

  std::optional<FactId> tighter(const Fact& fact) const {
    auto best = engine_.table(fact.place).find(closed_.facts, fact.key);
    return best && isTighter(closed_.facts[*best], fact) ? best : std::nullopt;
  }

  const model::Contract& contract_;
  const Engine& engine_;
  const Problem& closed_;
};

/// What holds of any two kernels: no total variation is above 1.
void addCaps(Problem& problem) {
  std::vector<Place> seen;
  for (const Goal& goal : problem.goals) {
    if (std::find(seen.begin(), seen.end(), goal.place) != seen.end())
      continue;
    seen.push_back(goal.place);
    for (std::size_t i = 0; i < quantityCount; ++i) {
      auto quantity = static_cast<Quantity>(i);
      if (!hasCap(quantity))
        continue;
      Fact fact;
      fact.key = {quantity, Quantifier::Sup, {}, false};
      fact.place = goal.place;
      fact.bound = fact.otherEnd = mostOf(quantity);
      fact.origin = Origin{Origin::Kind::Default, std::string(info(quantity).symbol), "", {}};
      problem.inputs.push_back(problem.facts.add(std::move(fact)));
    }
  }
}

} // namespace

std::vector<ImpliedBound> findImplied(const model::Contract& contract, const Engine& engine,
                                      const Problem& closed) {
  return Followers(contract, engine, closed).find();
}

std::vector<std::size_t> findUnconditional(const Problem& problem, std::shared_ptr<Results> results,
                                           Closings& closings) {
  Problem assumed = problem;
  assumed.counters.clear();
  std::erase_if(assumed.inputs, [&](FactId id) {
    const auto& origin = assumed.facts[id].origin;
    return origin && origin->stated;
  });
  addCaps(assumed);
  Engine engine(assumed, std::move(results), &closings);
  engine.run();
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < assumed.goals.size(); ++i) {
    const Goal& goal = assumed.goals[i];
    auto fact = goal.key ? engine.best(*goal.key, goal.place) : std::nullopt;
    if (fact && meets(goal, assumed.facts[*fact]))
      out.push_back(i);
  }
  return out;
}

} // namespace tikc::bounds
