#include "bounds/prove/Closure.h"

#include "bounds/prove/Scopes.h"
#include "support/Efforts.h"

#include <algorithm>

namespace tikc::bounds {

using Level = QuantityInfo::Level;
using Need = Premise::Need;

namespace {

void extendAsked(const Deduction& shared, std::vector<Filling>& fillings) {
  std::vector<Filling> out;
  for (const Filling& filling : fillings)
    for (const Rational& share : shared.goalShares) {
      out.push_back(filling);
      out.back().facts.emplace_back();
      out.back().share = share;
    }
  fillings = std::move(out);
}

class Closure {
public:
  Closure(Deduction& deduction, Table& place) : shared_(deduction), table_(place) {}

  void run() {
    std::vector<std::uint64_t> seen(shared_.steps.size(), 0);
    std::array<std::uint32_t, quantityCount> climbed{};
    bool changed = true;
    for (int round = 0; changed && round < efforts.rounds; ++round) {
      changed = false;
      for (std::size_t i = 0; i < shared_.steps.size(); ++i) {
        std::uint64_t now = stamp(*shared_.steps[i].use);
        if (now == seen[i])
          continue;
        seen[i] = now;
        changed |= apply(shared_.steps[i]);
      }
      for (std::size_t i = 0; i < quantityCount; ++i) {
        auto quantity = static_cast<Quantity>(i);
        if (table_[quantity].version == climbed[i] || !shared_.isRelevant(quantity))
          continue;
        changed |= climb(quantity);
        changed |= meanFromSup(quantity);
        climbed[i] = table_[quantity].version;
      }
    }
    shared_.problem.cutOff.rounds |= changed;
  }

private:
  // One lemma.

  std::uint64_t stamp(const Use& use) const {
    std::uint64_t sum = 1;
    for (const Premise& premise : use.premises)
      if (isFact(premise) && premise.from == Premise::From::Here)
        sum += table_[premise.quantity].version;
    return sum;
  }

  bool apply(const DeductionStep& step) {
    std::vector<FactId> under;
    if (!stands(shared_, table_, step, under))
      return false;
    std::vector<Filling> fillings(1);
    auto parameters = step.lemma->parameters().size();
    for (std::size_t i = 0; i < parameters; ++i)
      extend(shared_, table_, step.use->premises[i], fillings);
    bool changed = false;
    for (const Filling& filling : fillings)
      changed |= conclude(step, filling, under);
    if (step.lemma->curvature != Curvature::Unknown && isUpper(step.use->concludes))
      changed |= carryMean(shared_, table_, step, under);
    return changed;
  }

  /// The arguments of a filling; nothing where the lemma finds no good free parameter.
  std::optional<std::vector<Real>> arguments(const DeductionStep& step, const Filling& filling,
                                             Fact& fact) {
    std::vector<Real> out;
    std::size_t chosenAt = maxParameters;
    for (std::size_t i = 0; i < filling.facts.size(); ++i) {
      Need need = step.use->premises[i].need;
      if (need == Need::Chosen) {
        chosenAt = i;
        out.push_back(shared_.argument(0));
      } else if (need == Need::Asked) {
        out.push_back(shared_.argument(*filling.share));
        fact.parameters.push_back(*filling.share);
      } else {
        const Fact& premise = shared_.facts[*filling.facts[i]];
        bool isShare = need == Need::ShareOf;
        bool isQuantile = premise.key.quantifier == Quantifier::Quantile;
        out.push_back(!isShare     ? shared_.argument(premise)
                      : isQuantile ? shared_.argument(premise.key.share)
                                   : shared_.argument(0));
        if (!isShare)
          fact.premises.push_back(*filling.facts[i]);
      }
    }
    if (chosenAt < out.size()) {
      const auto& choice = shared_.results->choose(*step.lemma, out);
      if (!choice)
        return std::nullopt;
      out[chosenAt] = shared_.argument(*choice);
      fact.parameters.push_back(*choice);
    }
    return out;
  }

  bool conclude(const DeductionStep& step, const Filling& filling,
                const std::vector<FactId>& under) {
    Fact fact;
    fact.place = table_.place;
    fact.lemma = step.lemma;
    fact.under = under;
    fact.key.quantity = step.use->concludes;
    fact.key.quantifier = step.use->quantifier;
    bool lifts = false;
    for (std::size_t i = 0; i < filling.facts.size(); ++i)
      if (step.use->premises[i].need == Need::Each) {
        lifts = true;
        const Key& premise = shared_.facts[*filling.facts[i]].key;
        if (premise.quantifier == Quantifier::Quantile) {
          fact.key.share += premise.share;
          fact.key.isOpen |= premise.isOpen;
        }
      }
    if (lifts)
      fact.key.quantifier = fact.key.share > 0 ? Quantifier::Quantile : Quantifier::Sup;
    if (filling.share && fact.key.quantifier == Quantifier::Quantile)
      fact.key.share = *filling.share;
    if (fact.key.share >= 1)
      return false;
    auto values = arguments(step, filling, fact);
    if (!values || !shared_.settle(fact, shared_.results->evaluate(*step.lemma, *values)))
      return false;
    fact.strict = shared_.keepsStrictness(*step.lemma, fact);
    return shared_.offer(table_, std::move(fact));
  }

  // Within one quantity.

  /// L-Q-MULTI: every quantile at its own share, and what is left at the supremum.
  bool climb(Quantity quantity) {
    const auto& ladder = table_[quantity].quantiles;
    const auto& sup = table_[quantity].sup();
    if (ladder.empty() || !isUpper(quantity) || (!sup && !hasCap(quantity)))
      return false;
    Fact fact;
    fact.place = table_.place;
    fact.lemma = &lemmas::qMulti;
    fact.key = {quantity, Quantifier::Mean, 0};
    FactId top = sup ? *sup : shared_.capOf(table_, quantity);
    Rational sum = 0, reached = 0; // of the population
    for (auto step = ladder.rbegin(); step != ladder.rend(); ++step) {
      const Fact& quantile = shared_.facts[*step];
      Rational level = 1 - quantile.key.share;
      sum += (level - reached) * shared_.argument(quantile).upper();
      reached = level;
      fact.premises.push_back(*step);
    }
    fact.premises.push_back(top);
    fact.bound = fact.otherEnd = sum + (1 - reached) * shared_.argument(shared_.facts[top]).upper();
    return shared_.offer(table_, std::move(fact));
  }

  bool meanFromSup(Quantity quantity) {
    auto top = table_[quantity].sup();
    if (!top)
      return false;
    const Fact& sup = shared_.facts[*top];
    Fact fact;
    fact.place = table_.place;
    fact.lemma = &lemmas::meanSup;
    fact.key = {quantity, Quantifier::Mean, 0};
    fact.premises = {*top};
    fact.takeBound(sup);
    return shared_.offer(table_, std::move(fact));
  }

  Deduction& shared_;
  Table& table_;
};

} // namespace

void extend(const Deduction& shared, const Table& table, const Premise& premise,
            std::vector<Filling>& fillings) {
  std::vector<std::optional<FactId>> options;
  const Table* from = table.tableFor(premise.from);
  const Slot* slot = isFact(premise) && from ? &(*from)[premise.quantity] : nullptr;
  auto take = [&](const std::optional<FactId>& fact) {
    if (fact)
      options.push_back(*fact);
  };
  switch (premise.need) {
  case Need::Given:
  case Need::Sup:
  case Need::Mean:
    if (slot)
      take((*slot)[premise.need == Need::Given ? Quantifier::Given
                   : premise.need == Need::Sup ? Quantifier::Sup
                                               : Quantifier::Mean]);
    break;
  case Need::Each:
  case Need::ShareOf:
    if (slot) {
      take(slot->sup());
      options.insert(options.end(), slot->quantiles.begin(), slot->quantiles.end());
    }
    break;
  case Need::AtShare: // the fact that its ShareOf chose
    for (Filling& filling : fillings)
      filling.facts.push_back(filling.facts.back());
    return;
  case Need::Asked:
    extendAsked(shared, fillings);
    return;
  case Need::Chosen:
    options.emplace_back();
    break;
  case Need::Nothing:
    break;
  }
  std::vector<Filling> out;
  for (const Filling& filling : fillings)
    for (const auto& option : options) {
      if (out.size() == efforts.fillings) {
        shared.problem.cutOff.fillings = true;
        break;
      }
      out.push_back(filling);
      out.back().facts.push_back(option);
    }
  fillings = std::move(out);
}

void close(Deduction& deduction, Table& table) { Closure(deduction, table).run(); }

} // namespace tikc::bounds
