#include "explain/Derivation.h"

#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tikc::explain {

using bounds::Fact;
using bounds::FactId;
using bounds::Premise;
using bounds::Quantifier;
using bounds::Quantity;
using Kind = bounds::Origin::Kind;
using Need = bounds::Premise::Need;

namespace {

bool isOneOf(Need need, std::initializer_list<Need> needs) {
  return std::find(needs.begin(), needs.end(), need) != needs.end();
}

/// Which kind of estimator or support there is: nothing about it is a number.
bool isWords(Quantity quantity) {
  return quantity == Quantity::FullSupport || quantity == Quantity::Greedy ||
         quantity >= Quantity::StepPlain;
}

std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + " " + second;
}

class DerivationTeller {
public:
  DerivationTeller(const Guide& guide, const bounds::Problem& problem, FactId result)
      : guide_(guide), problem_(problem), place_(problem.facts[result].place) {}

  DerivationSteps take(FactId result) {
    tell(result);
    return std::move(told_);
  }

private:
  const Fact& at(FactId id) const { return problem_.facts[id]; }

  std::size_t tell(FactId id) {
    auto [known, isNew] = known_.try_emplace(id, told_.steps.size());
    if (!isNew)
      return known->second;
    std::size_t index = known->second;
    told_.steps.emplace_back();
    ChainStep step = headOf(at(id));
    FactId source = fold(id, step);
    const Fact& fact = at(source);
    step.otherEnd = fact.otherEnd;
    step.lemma = fact.lemma;
    step.curve = fact.curve;
    if (fact.origin)
      step.ground = guide_.ground(*fact.origin);
    else
      step.inputs = numbersOf(fact);
    for (FactId premise : fact.premises)
      addPremise(step, premise);
    for (FactId condition : fact.under)
      require(condition);
    told_.steps[index] = std::move(step);
    return index;
  }

  ChainStep headOf(const Fact& fact) const {
    const bounds::QuantityInfo& row = bounds::info(fact.key.quantity);
    ChainStep step;
    step.says = keyText(fact.key);
    if (fact.key.quantity == Quantity::Share)
      step.says += " of " + problem_.slices[fact.place.slice].name;
    step.where = whereOf(fact);
    step.isLower = row.side == bounds::QuantityInfo::Side::Lower;
    step.isStrict = fact.strict;
    step.isGiven = fact.origin && fact.key.quantifier == Quantifier::Given;
    step.isWords = isWords(fact.key.quantity);
    step.bound = fact.bound;
    step.meaning = row.meaning;
    if (step.isWords)
      step.says = row.meaning;
    return step;
  }

  /// A place is named where it is not the claim's own.
  std::string whereOf(const Fact& fact) const {
    std::string out;
    if (fact.key.quantity == Quantity::Share)
      return out;
    if (fact.place.slice < problem_.slices.size() && fact.place.slice != place_.slice) {
      const auto& slice = problem_.slices[fact.place.slice];
      out = slice.isMixture ? "on the mixture" : "on " + slice.name;
    }
    if (fact.place.link < problem_.links.size() && fact.place.link != place_.link) {
      const auto& link = problem_.links[fact.place.link];
      out = joined(out, fmt::format("[{} → {}]", link.from, link.to));
    }
    return out;
  }

  /// Down to the first fact with a number of its own.
  FactId fold(FactId id, ChainStep& step) {
    while (auto below = unchanged(at(id))) {
      step.folds.push_back({at(id).lemma, joined(keyText(at(*below).key), whereOf(at(*below)))});
      for (FactId other : at(id).premises)
        if (other != *below)
          require(other);
      for (FactId condition : at(id).under)
        require(condition);
      id = *below;
    }
    return id;
  }

  /// The one premise whose bound the fact has, where all else that went in is as usual.
  std::optional<FactId> unchanged(const Fact& fact) const {
    if (!fact.lemma || fact.curve || !fact.parameters.empty())
      return std::nullopt;
    std::optional<FactId> out;
    for (FactId id : fact.premises) {
      const Fact& premise = at(id);
      if (premise.key.quantifier != Quantifier::Given) {
        if (out && *out != id)
          return std::nullopt;
        out = id;
      } else if (!premise.origin || premise.origin->kind == Kind::Assumption ||
                 premise.origin->kind == Kind::Clause)
        return std::nullopt;
    }
    bool same = out && at(*out).bound == fact.bound;
    return same ? out : std::nullopt;
  }

  void addPremise(ChainStep& step, FactId premise) {
    std::size_t index = tell(premise);
    for (ChainStep::Premise& row : step.premises)
      if (row.step == index) {
        ++row.times;
        return;
      }
    step.premises.push_back({index, 1});
  }

  void require(FactId id) {
    if (!at(id).origin)
      return;
    Ground ground = guide_.ground(*at(id).origin);
    if (std::find(told_.conditions.begin(), told_.conditions.end(), ground) ==
        told_.conditions.end())
      told_.conditions.push_back(std::move(ground));
  }

  // The numbers that a formula was evaluated at.

  std::vector<FormulaInput> numbersOf(const Fact& fact) const {
    if (fact.curve)
      return numbersOfCurve(fact);
    for (const bounds::Use& use : fact.lemma->uses())
      if (fits(*fact.lemma, use, fact))
        return numbersOfUse(*fact.lemma, use, fact);
    return {};
  }

  std::vector<FormulaInput> numbersOfCurve(const Fact& fact) const {
    std::vector<FormulaInput> out;
    for (FactId id : fact.premises)
      out.push_back({keyText(at(id).key), at(id).bound});
    std::string free = freeParameter(*fact.curve, fact);
    for (const Rational& value : fact.parameters)
      out.push_back({free, value});
    return out;
  }

  /// The name of what a curve may choose, of the use that has the fact's quantities.
  std::string freeParameter(const bounds::Lemma& curve, const Fact& fact) const {
    for (const bounds::Use& use : curve.uses()) {
      std::string name;
      bool isOfMean = false;
      for (std::size_t i = 0; i < curve.parameters().size(); ++i) {
        const Premise& premise = use.premises[i];
        isOfMean |= premise.need == Need::Each &&
                    premise.quantity == at(fact.premises.front()).key.quantity;
        if (premise.need == Need::Chosen)
          name = curve.parameters()[i].name;
      }
      if (use.concludes == fact.key.quantity && isOfMean && !name.empty())
        return name;
    }
    return {};
  }

  static bool accepts(const Premise& premise, const Fact& fact) {
    if (fact.key.quantity != premise.quantity)
      return false;
    switch (premise.need) {
    case Need::Each:
    case Need::AtShare:
      return fact.key.quantifier == Quantifier::Sup || fact.key.quantifier == Quantifier::Quantile;
    case Need::Sup:
      return fact.key.quantifier == Quantifier::Sup;
    case Need::Mean:
      return fact.key.quantifier == Quantifier::Mean;
    case Need::Given:
      return fact.key.quantifier == Quantifier::Given;
    default:
      return false;
    }
  }

  /// Whether the fact came from this use of the lemma.
  bool fits(const bounds::Lemma& lemma, const bounds::Use& use, const Fact& fact) const {
    if (use.concludes != fact.key.quantity)
      return false;
    std::size_t next = 0, free = 0;
    for (std::size_t i = 0; i < lemma.parameters().size(); ++i) {
      const Premise& premise = use.premises[i];
      if (isOneOf(premise.need, {Need::Chosen, Need::Asked}))
        ++free;
      else if (premise.need != Need::ShareOf &&
               (next == fact.premises.size() || !accepts(premise, at(fact.premises[next++]))))
        return false;
    }
    return next == fact.premises.size() && free == fact.parameters.size();
  }

  std::vector<FormulaInput> numbersOfUse(const bounds::Lemma& lemma, const bounds::Use& use,
                                         const Fact& fact) const {
    std::vector<FormulaInput> out;
    std::size_t next = 0, free = 0;
    for (std::size_t i = 0; i < lemma.parameters().size(); ++i) {
      Need need = use.premises[i].need;
      std::string name(lemma.parameters()[i].name);
      if (isOneOf(need, {Need::Chosen, Need::Asked}))
        out.push_back({name, fact.parameters[free++]});
      else if (need == Need::ShareOf)
        out.push_back({name, at(fact.premises[next]).key.share});
      else
        out.push_back({name, at(fact.premises[next++]).bound});
    }
    return out;
  }

  const Guide& guide_;
  const bounds::Problem& problem_;
  bounds::Place place_;
  std::map<FactId, std::size_t> known_;
  DerivationSteps told_;
};

} // namespace

std::optional<Spot> Guide::spot(const Span& span) const {
  if (!span.valid())
    return std::nullopt;
  return Spot{sources_.get(span.file).name, sources_.position(span.file, span.begin)};
}

Ground Guide::ground(const bounds::Origin& origin) const {
  Ground out{origin.kind, origin.name, origin.text, {}, spot(origin.span)};
  if (origin.stated) {
    const model::Clause& clause = origin.stated->clauseOf(contract_);
    if (clause.because)
      out.because = escape::oneLine(clause.because->value);
    out.text = escape::oneLine(model::print(clause.writtenAs(origin.stated->boundOf(contract_))));
  }
  if (out.text.empty() && origin.span.valid())
    out.text = escape::oneLine(sources_.text(origin.span));
  // A default states its key, too.
  if (std::string prefix = out.name + ": "; out.text.starts_with(prefix))
    out.text.erase(0, prefix.size());
  return out;
}

Notation Guide::notation(const bounds::Fact& input) const {
  if (input.key.quantity == bounds::Quantity::Horizon)
    return {1, "tokens"};
  if (!input.origin || !input.origin->stated)
    return {};
  const model::Bound& bound = input.origin->stated->boundOf(contract_);
  model::Unit unit = (bound.upper ? *bound.upper : bound.limit).unit;
  if (unit == model::Unit::Percent)
    return {Rational(1, 100), "%"};
  if (unit == model::Unit::Nat || unit == model::Unit::Bit)
    return {1, "nat"};
  return {};
}

Reach Guide::reach(const bounds::Leeway& leeway) const {
  return {ground(*leeway.input.origin), notation(leeway.input),
          leeway.input.bound,           leeway.extent,
          leeway.isHorizon(),           {}};
}

DerivationSteps tellDerivation(const Guide& guide, const bounds::Problem& problem, FactId fact) {
  return DerivationTeller(guide, problem, fact).take(fact);
}

} // namespace tikc::explain
