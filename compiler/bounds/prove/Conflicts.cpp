#include "bounds/prove/Conflicts.h"

#include "bounds/facts/Comparisons.h"
#include "bounds/prove/Scopes.h"
#include "bounds/prove/WhatIf.h"
#include "model/Ranks.h"
#include "support/Efforts.h"

#include <algorithm>

namespace tikc::bounds {

using model::Aggregate;
using Target = Counter::Target;
using Side = QuantityInfo::Side;

namespace {

// Within one measure, whatever it is: a maximum below a mean, a 99th percentile below a median.

bool isSameMeasure(const model::Measure& a, const model::Measure& b) {
  return a.metric == b.metric && a.absolute == b.absolute && a.parameters == b.parameters &&
         !a.threshold && !b.threshold;
}

bool isSamePlace(const model::Clause& a, const model::Bound& x, const model::Clause& b,
                 const model::Bound& y) {
  auto name = [](const auto& optional) { return optional ? optional->text : std::string(); };
  auto link = [](const model::Clause& clause) {
    return clause.link ? clause.link->from.text + ">" + clause.link->to.text : std::string();
  };
  auto slices = [](const model::Bound& bound) {
    std::vector<std::string> out;
    for (const model::Name& slice : bound.scope.slices)
      out.push_back(slice.text);
    return out;
  };
  return x.scope.kind == y.scope.kind && slices(x) == slices(y) && link(a) == link(b) &&
         name(a.drawn) == name(b.drawn);
}

/// One side of a comparison of the contract.
struct StatedSide {
  ClauseBound part;
  Rational amount; // rounded to the side that says less
  bool strict = false;
  model::Rank rank;
};

class Pairs {
public:
  Pairs(const model::Contract& contract, unsigned bits) : contract_(contract) {
    for (std::size_t i = 0; i < contract.clauses.size(); ++i)
      for (std::size_t j = 0; j < contract.clauses[i].bounds.size(); ++j) {
        const model::Bound& bound = contract.clauses[i].bounds[j];
        auto rank = model::rankOf(bound.measure);
        for (const QuantityLimit& limit : limitsOf(bound)) {
          bool isUpper = limit.side == Side::Upper;
          Rational value = amount(limit.quantity, bits, isUpper ? Rounding::Up : Rounding::Down);
          if (rank)
            (isUpper ? uppers_ : lowers_).push_back({{i, j}, value, limit.strict, *rank});
        }
      }
  }

  std::vector<Conflict> find() const {
    std::vector<Conflict> out;
    for (const StatedSide& lower : lowers_)
      for (const StatedSide& upper : uppers_)
        if (isApart(upper, lower)) {
          Conflict conflict;
          conflict.parts = {upper.part, lower.part};
          out.push_back(std::move(conflict));
          break;
        }
    return out;
  }

private:
  bool isApart(const StatedSide& upper, const StatedSide& lower) const {
    bool isBetween = lower.amount < upper.amount ||
                     (lower.amount == upper.amount && !upper.strict && !lower.strict);
    // A range the wrong way round is a finding of its own.
    if (isBetween || upper.part == lower.part || !dominates(upper.rank, lower.rank))
      return false;
    const model::Bound &a = upper.part.boundOf(contract_), &b = lower.part.boundOf(contract_);
    return isSameMeasure(a.measure, b.measure) &&
           isSamePlace(upper.part.clauseOf(contract_), a, lower.part.clauseOf(contract_), b);
  }

  const model::Contract& contract_;
  std::vector<StatedSide> uppers_, lowers_;
};

// Against what follows from the other clauses.

class Refuter {
public:
  Refuter(const Problem& problem, const Counter& counter) : posed_(problem), counter_(counter) {}

  /// The fewest clauses that contradict the counter; nothing where it can be kept.
  std::optional<Conflict> find() {
    auto conflict = attempt(std::nullopt);
    if (!conflict)
      return std::nullopt;
    for (std::size_t i = 0; i < conflict->parts.size();) {
      auto fewer = attempt(conflict->parts[i]);
      if (fewer) {
        conflict = std::move(fewer);
        i = 0;
      } else
        ++i;
    }
    conflict->parts.push_back(counter_.stated);
    return conflict;
  }

  std::optional<FactId> contradiction(const Engine& engine, const Problem& problem) const {
    const Slot& slot = engine.table(counter_.place)[counter_.quantity];
    auto beyond = [&](std::optional<FactId> id) {
      return id && isBeyond(problem.facts[*id].bound, problem.facts[*id].strict) ? id
                                                                                 : std::nullopt;
    };
    if (auto id = beyond(slot.sup()))
      return id;
    bool isAll = counter_.target == Target::EveryValue;
    if (counter_.target == Target::Mean || isAll)
      if (auto id = beyond(slot.mean()))
        return id;
    // By Markov: more than so large a share cannot reach the limit.
    if (auto id = slot.mean(); id && counter_.target == Target::Share && isUpperSide() &&
                               !isSigned(counter_.quantity) && 0 < counter_.limit &&
                               problem.facts[*id].bound < counter_.share * counter_.limit)
      return id;
    for (FactId id : slot.quantiles)
      if ((isAll ||
           (counter_.target == Target::Share && problem.facts[id].key.share < counter_.share)) &&
          beyond(id))
        return id;
    return std::nullopt;
  }

private:
  bool isLeftOut(const Fact& fact, const std::optional<ClauseBound>& out) const {
    if (!fact.origin || !fact.origin->stated)
      return false;
    const ClauseBound& part = *fact.origin->stated;
    return part == counter_.stated || (out && part == *out) ||
           std::find(out_.begin(), out_.end(), part) != out_.end();
  }

  std::optional<Conflict> attempt(const std::optional<ClauseBound>& without) {
    Problem problem = posed_;
    problem.goals.clear();
    problem.counters = {counter_};
    std::erase_if(problem.inputs, [&](FactId id) { return isLeftOut(problem.facts[id], without); });
    Engine engine(problem);
    engine.run();
    auto fact = contradiction(engine, problem);
    if (!fact)
      return std::nullopt;
    if (without)
      out_.push_back(*without);
    Conflict out;
    out.bound = problem.facts[*fact].bound;
    out.isUpper = isUpperSide();
    for (FactId id : inputsOf(problem.facts, *fact)) {
      const auto& part = problem.facts[id].origin->stated;
      if (part && std::find(out.parts.begin(), out.parts.end(), *part) == out.parts.end())
        out.parts.push_back(*part);
    }
    return out;
  }

  static bool isSigned(Quantity quantity) {
    return quantity == Quantity::SampledGap || quantity == Quantity::SampledRise ||
           quantity == Quantity::SampledK1 || quantity == Quantity::SeqSampledGap ||
           quantity == Quantity::SeqSampledRise;
  }

  bool isUpperSide() const { return info(counter_.quantity).side == Side::Upper; }

  /// Whether a bound on what the counter asks for leaves nothing of it.
  bool isBeyond(const Rational& bound, bool strict) const {
    return (isUpperSide() ? bound < counter_.limit : counter_.limit < bound) ||
           (bound == counter_.limit && (strict || counter_.strict));
  }

  const Problem& posed_;
  const Counter& counter_;
  std::vector<ClauseBound> out_; // that are not needed
};

/// E p/q is at most 1 over what the second kernel draws, so a clause by which it is more is kept by
/// no kernels.
std::optional<Rational> leastMeanRatio(const Fact& fact) {
  switch (fact.key.quantity) {
  case Quantity::SampledRatio:
    return fact.key.quantifier == Quantifier::Mean ? fact.bound
                                                   : Rational((1 - fact.key.share) * fact.bound);
  case Quantity::SeqGeoRatio: // above 1 wherever the response's own ratio is
    return fact.key.quantifier == Quantifier::Sup ? std::optional(fact.bound) : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// A clause that asks of samples what the law they are drawn from cannot give: the mean of p/q
/// above 1, or of log(q/p) below 0.
bool isImpossible(const Problem& problem, const Fact& fact, bool isFull) {
  if (!fact.origin || !fact.origin->stated || fact.place.about == Place::any)
    return false;
  const About& about = problem.abouts[fact.place.about];
  bool isDrawn = about.second == model::Law::Served && !about.isKept &&
                 about.drawer == problem.links[fact.place.link].second;
  if (!isDrawn || about.first != model::Law::Served)
    return false;
  // Where no mass is missing, some token of every context has a ratio of at least 1.
  if (isFull && fact.key.quantifier == Quantifier::Sup && fact.place.link == problem.measured) {
    bool isRatio = fact.key.quantity == Quantity::SampledRatioUp ||
                   fact.key.quantity == Quantity::SeqGeoRatioUp;
    bool isLog =
        fact.key.quantity == Quantity::SampledRise || fact.key.quantity == Quantity::SeqSampledRise;
    Rational least = isRatio ? 1 : 0;
    if ((isRatio || isLog) && (fact.bound < least || (fact.bound == least && fact.strict)))
      return true;
  }
  if (auto ratio = leastMeanRatio(fact))
    return *ratio > 1 || (*ratio == 1 && fact.strict);
  bool isGap = fact.key.quantity == Quantity::SampledGap ||
               fact.key.quantity == Quantity::SampledK1 ||
               fact.key.quantity == Quantity::SeqSampledGap;
  bool isOfAll = fact.key.quantifier == Quantifier::Mean || fact.key.quantifier == Quantifier::Sup;
  return isGap && isOfAll && (fact.bound < 0 || (fact.bound == 0 && fact.strict));
}

} // namespace

std::vector<Conflict> findConflicts(const model::Contract& contract, const Problem& problem,
                                    const Engine& engine, Problem& closed) {
  std::vector<Conflict> out = Pairs(contract, problem.bits).find();
  auto isKnown = [&](const ClauseBound& stated) {
    return std::any_of(out.begin(), out.end(),
                       [&](const Conflict& known) { return known.parts.back() == stated; });
  };
  bool isFull = std::any_of(problem.inputs.begin(), problem.inputs.end(), [&](FactId id) {
    return problem.facts[id].key.quantity == Quantity::FullSupport;
  });
  for (FactId id : problem.inputs) {
    const Fact& fact = problem.facts[id];
    if (isImpossible(problem, fact, isFull) && !isKnown(*fact.origin->stated))
      out.push_back({{*fact.origin->stated}, std::nullopt});
  }
  for (const ClauseBound& stated : problem.impossible)
    if (!isKnown(stated))
      out.push_back({{stated}, std::nullopt});
  for (const Counter& counter : problem.counters) {
    Refuter refuter(problem, counter);
    // Who is not contradicted by everything is not by less.
    if (isKnown(counter.stated) || !refuter.contradiction(engine, closed))
      continue;
    if (out.size() >= efforts.conflicts) {
      closed.cutOff.conflicts = true;
      break;
    }
    if (auto conflict = refuter.find())
      out.push_back(std::move(*conflict));
  }
  return out;
}

} // namespace tikc::bounds
