#include "bounds/prove/Deduction.h"

#include "bounds/prove/Scopes.h"

#include <algorithm>

namespace tikc::bounds {

Deduction::Deduction(Problem& initial, std::shared_ptr<Results> known)
    : problem(initial), facts(initial.facts), results(std::move(known)) {
  findAsked();
  findRelevant();
}

void Deduction::findAsked() {
  // A little less where the share is not to be reached.
  const Rational below = 1 - Rational(1, mpz_class(1) << 32);
  for (const Goal& goal : problem.goals)
    if (goal.key && goal.key->quantifier == Quantifier::Quantile) {
      Rational share = goal.key->isOpen ? Rational(goal.key->share * below) : goal.key->share;
      if (std::find(goalShares.begin(), goalShares.end(), share) == goalShares.end())
        goalShares.push_back(std::move(share));
    }
}

namespace {

bool leadsNowhere(Quantity quantity) {
  for (const Lemma* lemma : allLemmas())
    for (const Use& use : lemma->uses())
      for (const Premise& premise : use.premises)
        if (isFact(premise) && premise.quantity == quantity)
          return false;
  return true;
}

} // namespace

void Deduction::findRelevant() {
  for (const Goal& goal : problem.goals)
    if (goal.key)
      relevant_[at(goal.key->quantity)] = true;
  for (const Counter& counter : problem.counters)
    relevant_[at(counter.quantity)] = true;
  // A figure of samples that is good for no claim may follow from what is said of rows.
  for (FactId id : problem.inputs) {
    Quantity stated = facts[id].key.quantity;
    if (info(stated).kind == QuantityInfo::Kind::Sample && leadsNowhere(stated))
      relevant_[at(stated)] = true;
  }
  for (bool more = true; more;) {
    more = false;
    for (const Lemma* lemma : allLemmas())
      for (const Use& use : lemma->uses()) {
        if (!relevant_[at(use.concludes)])
          continue;
        for (const Premise& premise : use.premises)
          if (isFact(premise) && !relevant_[at(premise.quantity)])
            more = relevant_[at(premise.quantity)] = true;
      }
  }
  for (const Lemma* lemma : allLemmas())
    for (const Use& use : lemma->uses())
      if (relevant_[at(use.concludes)])
        steps.push_back({lemma, &use, conditionsOf(*lemma, use)});
}

bool Deduction::offer(Table& table, Fact fact) {
  if (fact.key.quantifier == Quantifier::Quantile)
    return offerQuantile(table, std::move(fact));
  Slot& slot = table[fact.key.quantity];
  auto& known = slot[fact.key.quantifier];
  if (known && !isTighter(fact, facts[*known]))
    return false;
  known = facts.add(std::move(fact));
  ++slot.version;
  return true;
}

bool Deduction::offerQuantile(Table& table, Fact fact) {
  Slot& slot = table[fact.key.quantity];
  auto& known = slot.quantiles;
  auto covers = [](const Fact& a, const Fact& b) {
    return a.key.covers(b.key) && !isTighter(b, a);
  };
  if (std::any_of(known.begin(), known.end(), [&](FactId id) { return covers(facts[id], fact); }))
    return false;
  if (slot.sup() && !isTighter(fact, facts[*slot.sup()]))
    return false;
  std::erase_if(known, [&](FactId id) { return covers(fact, facts[id]); });
  FactId id = facts.add(std::move(fact));
  known.push_back(id);
  std::sort(known.begin(), known.end(),
            [&](FactId a, FactId b) { return facts[a].key.share < facts[b].key.share; });
  ++slot.version;
  return true;
}

bool Deduction::settle(Fact& fact, const Result& result) const {
  if (!result || !result->isUsable() || result->magnitude() > largestExponent)
    return false;
  unsigned bits = problem.bits / 2;
  bool upper = isUpper(fact.key.quantity);
  fact.bound = upper ? result->ceiling(bits).upper() : result->floor(bits).lower();
  fact.otherEnd = upper ? result->floor(bits).lower() : result->ceiling(bits).upper();
  if (result->logarithm())
    fact.exactly = {*result->logarithm(), fact.bound};
  return true;
}

Real Deduction::argument(const Fact& fact) const {
  if (hasCap(fact.key.quantity))
    if (const Rational& most = mostOf(fact.key.quantity); fact.bound > most)
      return argument(most);
  return fact.value(problem.bits);
}

bool Deduction::keepsStrictness(const Lemma& lemma, const Fact& fact) const {
  return lemma.isStrict && fact.bound > 0 &&
         !(hasCap(fact.key.quantity) && fact.bound >= mostOf(fact.key.quantity)) &&
         std::any_of(fact.premises.begin(), fact.premises.end(),
                     [&](FactId id) { return facts[id].strict; });
}

FactId Deduction::capOf(const Table& table, Quantity quantity) {
  Fact fact;
  fact.place = table.place;
  fact.lemma = &lemmas::naturalCap;
  fact.key = {quantity, Quantifier::Sup, 0};
  fact.bound = fact.otherEnd = mostOf(quantity);
  return facts.add(std::move(fact));
}

} // namespace tikc::bounds
