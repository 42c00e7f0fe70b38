#include "bounds/prove/Closure.h"
#include "bounds/prove/Questions.h"

#include <algorithm>

namespace tikc::bounds {

using Need = Premise::Need;

namespace {

/// Carries means, and quantiles with them, through the curve of one lemma.
class MeanCurves {
public:
  MeanCurves(Deduction& deduction, Table& place, const DeductionStep& one,
             const std::vector<FactId>& standing)
      : shared_(deduction), table_(place), step_(one), under_(standing) {}

  bool run() {
    std::optional<std::size_t> each;
    for (std::size_t i = 0; i < step_.lemma->parameters().size(); ++i) {
      Need need = step_.use->premises[i].need;
      if (need == Need::Each && each)
        return false;
      if (need == Need::Each)
        each = i;
      else if (need != Need::Given && need != Need::Chosen)
        return false;
    }
    if (!each || takesMeans(step_, step_.use->premises[*each].quantity))
      return false;
    const Premise& through = step_.use->premises[*each];
    const Table* from = table_.tableFor(through.from);
    if (!from || !isUpper(through.quantity))
      return false;
    const Slot& source = (*from)[through.quantity];
    if (!source.mean())
      return false;
    std::vector<Filling> rest(1);
    for (std::size_t i = 0; i < step_.lemma->parameters().size(); ++i) {
      Premise premise = step_.use->premises[i];
      if (i == *each)
        premise.need = Need::Mean;
      extend(shared_, table_, premise, rest);
    }
    if (rest.empty())
      return false;
    Curve curve{step_,  rest.front(), *each,
                under_, source,       shared_.argument(shared_.facts[*source.mean()])};
    if (step_.lemma->curvature == Curvature::Convex && asks(Question::TakesMeans))
      return source.sup() && carryChord(curve, *source.sup());
    bool changed = carryJensen(curve);
    for (FactId quantile : source.quantiles)
      changed |= carryMeanAndQuantile(curve, quantile);
    return changed;
  }

private:
  struct Curve {
    const DeductionStep& step;
    const Filling& filling; // with the mean in the place of the Each parameter
    std::size_t each;
    const std::vector<FactId>& under;
    const Slot& source;
    Real mean;
  };

  /// Whether the lemma has a use of its own for the mean.
  static bool takesMeans(const DeductionStep& step, Quantity quantity) {
    return std::any_of(step.lemma->uses().begin(), step.lemma->uses().end(), [&](const Use& use) {
      return use.concludes == step.use->concludes &&
             std::any_of(use.premises.begin(), use.premises.end(), [&](const Premise& premise) {
               return premise.need == Need::Mean && premise.quantity == quantity;
             });
    });
  }

  Fact carried(const Curve& curve, const Lemma& by) const {
    Fact fact;
    fact.place = table_.place;
    fact.lemma = &by;
    fact.curve = curve.step.lemma;
    fact.under = curve.under;
    fact.key = {curve.step.use->concludes, Quantifier::Mean, 0};
    fact.premises.push_back(*curve.filling.facts[curve.each]);
    return fact;
  }

  /// The curve at one value of its parameter, with a free parameter chosen for that value.
  Result curveAt(const Curve& curve, const Real& value, Fact& fact) {
    std::vector<Real> values;
    std::size_t chosenAt = maxParameters;
    for (std::size_t i = 0; i < curve.filling.facts.size(); ++i) {
      if (curve.step.use->premises[i].need == Need::Chosen)
        chosenAt = i;
      values.push_back(i == curve.each ? value
                       : i == chosenAt ? shared_.argument(0)
                                       : shared_.argument(shared_.facts[*curve.filling.facts[i]]));
    }
    if (chosenAt < values.size()) {
      const auto& choice = shared_.results->choose(*curve.step.lemma, values);
      if (!choice)
        return std::nullopt;
      values[chosenAt] = shared_.argument(*choice);
      fact.parameters.push_back(*choice);
    }
    return shared_.results->evaluate(*curve.step.lemma, values);
  }

  void addOthers(const Curve& curve, Fact& fact) const {
    for (std::size_t i = 0; i < curve.filling.facts.size(); ++i)
      if (i != curve.each && curve.filling.facts[i])
        fact.premises.push_back(*curve.filling.facts[i]);
  }

  bool carryJensen(const Curve& curve) {
    Fact fact = carried(curve, lemmas::mJensen);
    addOthers(curve, fact);
    if (!shared_.settle(fact, curveAt(curve, curve.mean, fact)))
      return false;
    fact.strict = shared_.keepsStrictness(*curve.step.lemma, fact);
    return shared_.offer(table_, std::move(fact));
  }

  bool carryChord(const Curve& curve, FactId cap) {
    const Real top = shared_.argument(shared_.facts[cap]);
    if (!isLess(0, top) || !isLess(curve.mean, top))
      return false;
    Fact fact = carried(curve, lemmas::mChord);
    fact.premises.push_back(cap);
    addOthers(curve, fact);
    Result end = curveAt(curve, top, fact);
    return end && shared_.settle(fact, curve.mean / top * *end) &&
           shared_.offer(table_, std::move(fact));
  }

  /// L-MQ: all but a share at the quantile, the rest where the mean lets it be.
  bool carryMeanAndQuantile(const Curve& curve, FactId quantile) {
    const Rational share = shared_.facts[quantile].key.share;
    const Real value = shared_.argument(shared_.facts[quantile]);
    if (!isLess(value, curve.mean) || share <= 0)
      return false;
    Fact fact = carried(curve, lemmas::mq);
    fact.premises.push_back(quantile);
    Real rest = (curve.mean - shared_.argument(1 - share) * value) / shared_.argument(share);
    if (Quantity through = shared_.facts[quantile].key.quantity; hasCap(through))
      rest = min(rest, shared_.argument(mostOf(through)));
    const auto& top = curve.source.sup();
    if (top && isLess(shared_.argument(shared_.facts[*top]), rest)) {
      rest = shared_.argument(shared_.facts[*top]);
      fact.premises.push_back(*top);
    }
    addOthers(curve, fact);
    Result low = curveAt(curve, value, fact), high = curveAt(curve, rest, fact);
    return low && high &&
           shared_.settle(fact,
                          shared_.argument(1 - share) * *low + shared_.argument(share) * *high) &&
           shared_.offer(table_, std::move(fact));
  }

  Deduction& shared_;
  Table& table_;
  const DeductionStep& step_;
  const std::vector<FactId>& under_;
};

} // namespace

bool carryMean(Deduction& deduction, Table& table, const DeductionStep& step,
               const std::vector<FactId>& under) {
  return MeanCurves(deduction, table, step, under).run();
}

} // namespace tikc::bounds
