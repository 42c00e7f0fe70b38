#include "verifier/Match.h"

#include <algorithm>

namespace verify {

Number valueOf(const Fact& fact) {
  Value value = inDomain(*fact.quantity, fact.bound);
  return value ? *value : throw Rejected{"an argument is outside its domain"};
}

std::optional<std::vector<Number>> match(const Step& step, const Use& use, bool needsFullSupport) {
  std::vector<Number> out;
  std::size_t arg = 0, param = 0;
  Rational share = 0;
  bool lifts = false, isQuantile = false;
  for (const Premise& premise : use.premises) {
    const std::string& need = premise.need;
    if (need == "chosen" || need == "asked") {
      Rational value = step.param(param++);
      bool isShare = Rational(0) < value && value < Rational(1);
      if (need == "asked" && !(isShare && value == step.fact.share))
        return std::nullopt;
      out.emplace_back(value);
      continue;
    }
    if (arg >= step.args.size() || step.arg(arg).quantity != premise.quantity)
      return std::nullopt;
    const Fact& fact = step.arg(arg++);
    Quantifier is = fact.quantifier;
    bool each = need == "each", at = need == "at",
         either = is == Quantifier::Sup || is == Quantifier::Quantile;
    bool fits = each || at ? either
                           : is == (need == "sup"    ? Quantifier::Sup
                                    : need == "mean" ? Quantifier::Mean
                                                     : Quantifier::Given);
    if (!fits)
      return std::nullopt;
    lifts = lifts || each;
    isQuantile = isQuantile || (each && is == Quantifier::Quantile);
    share = each ? share + fact.share : share;
    if (at)
      out.emplace_back(fact.share);
    if (at && arg < step.args.size() && step.args[arg] == step.args[arg - 1])
      ++arg;
    out.push_back(valueOf(fact));
  }
  Quantifier concludes = !lifts       ? use.quantifier
                         : isQuantile ? Quantifier::Quantile
                                      : Quantifier::Sup;
  bool fits = arg == step.args.size() && param == step.params.size() &&
              step.fact.quantity == use.concludes && step.fact.quantifier == concludes &&
              (!lifts || step.fact.share == share) &&
              (use.under.empty() || step.isUnder(use.under)) &&
              (!needsFullSupport || step.isUnder("full_support"));
  return fits ? std::optional(out) : std::nullopt;
}

Curve curveOf(const Step& step, Shape shape, std::size_t rest) {
  const Fact& base = step.arg(0);
  const Lemma* lemma = step.params.empty() ? nullptr : findLemma(step.params[0]);
  if (lemma == nullptr || lemma->shape != shape || base.quantity->lower ||
      (lemma->needsFullSupport && !step.isUnder("full_support")))
    reject("its curve is not known, or not of the right shape, or lacks full support");
  for (const Use& use : usesOf(*lemma)) {
    Curve out{lemma, {}, 0, false, 0};
    std::size_t eaches = 0, arg = rest;
    bool fits = use.concludes == step.fact.quantity && !use.concludes->lower &&
                (use.under.empty() || step.isUnder(use.under));
    for (const Premise& premise : use.premises) {
      if (premise.need == "each" && premise.quantity == base.quantity) {
        out.each = out.values.size();
        ++eaches;
        out.values.emplace_back(0);
      } else if (premise.need == "chosen") {
        out.hasChosen = true;
        out.chosen = out.values.size();
        out.values.emplace_back(0);
      } else {
        fits = fits && premise.need == "given" && arg < step.args.size() &&
               step.arg(arg).quantity == premise.quantity;
        out.values.push_back(fits ? valueOf(step.arg(arg)) : Number(0));
        ++arg;
      }
    }
    if (fits && eaches == 1 && arg == step.args.size())
      return out;
  }
  reject("its arguments are not those of the curve");
}

bool confirms(const std::function<Value()>& compute, const Rational& claimed, bool lower,
              std::int64_t bits) {
  for (std::int64_t most = std::max<std::int64_t>(16384, 4 * bits); bits <= most; bits *= 2) {
    Precision precision(bits);
    try {
      Value value = compute();
      if (!value)
        reject("the lemma's hypotheses do not hold at these arguments");
      return lower ? Number(claimed) <= *value : *value <= Number(claimed);
    } catch (const Undecided&) {
    }
  }
  return false;
}

} // namespace verify
