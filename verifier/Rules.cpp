#include "verifier/Rules.h"

#include "verifier/Match.h"

#include <algorithm>
#include <map>

namespace verify {
namespace {

bool isLike(const Fact& fact, const Step& step, Quantifier quantifier) {
  return fact.quantity == step.fact.quantity && fact.quantifier == quantifier;
}

/// Everything that it rests on holds where it concludes.
void requireHere(const Step& step, const Setting& setting) {
  for (const auto* list : {&step.args, &step.under})
    for (const Known* known : *list)
      if (!holdsAt(known->fact, step.fact))
        reject("a premise is about another slice or link");
  bool fromContext = std::any_of(step.args.begin(), step.args.end(), [](const Known* known) {
    return known->fact.quantity->level == Level::Context;
  });
  bool inSlice = !step.fact.scope.empty() && step.fact.scope != "*";
  if (setting.slicesCutResponses && inSlice && fromContext &&
      step.fact.quantity->level == Level::Response)
    reject("a slice begins within a response, so its tokens say nothing of whole responses");
}

Value cap(const Step& step, const Setting&) {
  require(step.args.empty() && step.fact.quantifier == Quantifier::Sup &&
              step.fact.quantity->domain == Domain::Share,
          "nothing caps this quantity");
  return Number(1);
}

Value meanOfSup(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  require(step.args.size() == 1 && isLike(step.arg(0), step, Quantifier::Sup) &&
              step.fact.quantifier == Quantifier::Mean,
          "it takes a supremum to a mean");
  return Number(step.arg(0).bound);
}

Value quantileOfSup(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  const Fact& from = step.arg(0);
  require(step.args.size() == 1 && from.quantity == step.fact.quantity &&
              step.fact.quantifier == Quantifier::Quantile && from.share <= step.fact.share &&
              (from.quantifier == Quantifier::Sup || from.quantifier == Quantifier::Quantile),
          "it takes a supremum, or a quantile that fails less, to a quantile");
  return Number(from.bound);
}

/// Quantiles, those that fail most first, and what is left at the supremum or the cap.
Value ladder(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  require(!step.fact.quantity->lower && step.fact.quantifier == Quantifier::Mean,
          "it bounds a mean from above");
  bool hasTop = !step.args.empty() && step.args.back()->fact.quantifier == Quantifier::Sup;
  require(hasTop || step.fact.quantity->domain == Domain::Share,
          "without a cap, a share of the contexts is unbounded");
  Rational left = 1, sum = 0;
  for (std::size_t i = 0; i < step.args.size(); ++i) {
    const Fact& fact = step.arg(i);
    bool isTop = hasTop && i + 1 == step.args.size();
    Rational next = isTop ? Rational(0) : fact.share;
    require(isLike(fact, step, isTop ? Quantifier::Sup : Quantifier::Quantile) && next <= left,
            "it takes quantiles, those that fail most first");
    sum = sum + (left - next) * fact.bound;
    left = next;
  }
  return Number(sum + left);
}

Value jensen(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  require(step.arg(0).quantifier == Quantifier::Mean && step.fact.quantifier == Quantifier::Mean,
          "it takes a mean to a mean");
  Curve curve = curveOf(step, Shape::Concave, 1);
  require(step.params.size() == (curve.hasChosen ? 2u : 1u), "its parameters");
  return curve.at(valueOf(step.arg(0)), curve.hasChosen ? step.param(1) : 0);
}

Value chord(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  const Fact &mean = step.arg(0), &top = step.arg(1);
  require(mean.quantifier == Quantifier::Mean && top.quantifier == Quantifier::Sup &&
              mean.quantity == top.quantity && step.fact.quantifier == Quantifier::Mean,
          "it takes a mean and a supremum to a mean");
  Curve curve = curveOf(step, Shape::Convex, 2);
  require(step.params.size() == (curve.hasChosen ? 2u : 1u), "its parameters");
  if (top.bound <= mean.bound || top.bound == Rational(0))
    return curve.at(valueOf(top), curve.hasChosen ? step.param(1) : 0);
  Value end = curve.at(valueOf(top), curve.hasChosen ? step.param(1) : 0);
  return end ? Value(valueOf(mean) / valueOf(top) * *end) : end;
}

Value meanQuantile(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  const Fact &mean = step.arg(0), &quantile = step.arg(1);
  bool hasTop = step.args.size() > 2 && step.arg(2).quantity == mean.quantity;
  require(mean.quantifier == Quantifier::Mean && quantile.quantifier == Quantifier::Quantile &&
              mean.quantity == quantile.quantity &&
              (!hasTop || step.arg(2).quantifier == Quantifier::Sup) &&
              step.fact.quantifier == Quantifier::Mean,
          "it takes a mean and a quantile to a mean");
  Curve curve = curveOf(step, Shape::Concave, hasTop ? 3 : 2);
  require(step.params.size() == (curve.hasChosen ? 3u : 1u) && Rational(0) < quantile.share,
          "its parameters");
  const Rational share = quantile.share;
  Number low = valueOf(quantile), rest = (valueOf(mean) - (1 - Number(share)) * low) / share;
  require(low < valueOf(mean), "the mean is below the quantile");
  rest = hasTop ? min(rest, valueOf(step.arg(2))) : rest;
  Value first = curve.at(low, curve.hasChosen ? step.param(1) : 0),
        second = curve.at(rest, curve.hasChosen ? step.param(2) : 0);
  return first && second ? Value((1 - Number(share)) * *first + share * *second) : std::nullopt;
}

Value markov(const Step& step, const Setting& setting) {
  requireHere(step, setting);
  require(step.args.size() == 1 && isLike(step.arg(0), step, Quantifier::Mean) &&
              step.fact.quantifier == Quantifier::Quantile && !step.fact.quantity->lower &&
              step.fact.quantity->domain != Domain::Any && Rational(0) < step.fact.share,
          "it takes the mean of a quantity that is never negative to a quantile");
  return valueOf(step.arg(0)) / step.fact.share;
}

/// Whether a share is one of what this quantity's mean is over: tokens or requests.
void requireShare(const Known& share, const Fact& fact, const Quantity& quantity,
                  const Setting& setting) {
  bool ofTokens =
      quantity.level == Level::Context || (setting.isOneToken && quantity.name.starts_with("pg_"));
  require(share.fact.isAbout("share") && (fact.scope.empty() || share.fact.scope == fact.scope) &&
              share.shareKey == (ofTokens ? "token_weight" : "weight"),
          "a share is not the one that this mean needs");
  valueOf(share.fact);
}

bool isMember(const Fact& fact, const Step& step, Quantifier quantifier, const Setting& setting) {
  return isLike(fact, step, quantifier) &&
         (quantifier == Quantifier::Mean || quantifier == Quantifier::Sup) &&
         setting.slices.contains(fact.scope) && (fact.link.empty() || fact.link == step.fact.link);
}

/// Slices with their shares, then slices without one, the worst of which has what remains.
Value mixture(const Step& step, const Setting& setting) {
  require(setting.knowsSlices && step.fact.scope == "*" &&
              step.fact.quantifier == Quantifier::Mean && !step.fact.quantity->lower,
          "it bounds a mean over all slices");
  std::set<std::string> seen;
  Rational sum = 0, left = 1;
  std::optional<Rational> rest;
  for (std::size_t i = 0; i < step.args.size(); ++i) {
    const Known* share =
        step.arg(i).isAbout("share") && i + 1 < step.args.size() ? step.args[i++] : nullptr;
    const Fact& fact = step.arg(i);
    require(isMember(fact, step, Quantifier::Mean, setting) && seen.insert(fact.scope).second,
            "a premise is no mean of a slice");
    if (share != nullptr) {
      requireShare(*share, fact, *fact.quantity, setting);
      sum = sum + share->fact.bound * fact.bound;
      left = left - share->fact.bound;
    } else {
      rest = rest && fact.bound < *rest ? *rest : fact.bound;
    }
  }
  if (step.fact.quantity->domain == Domain::Share && seen != setting.slices)
    rest = Rational(1);
  require(Rational(0) <= left && (left == Rational(0) || rest) &&
              (seen == setting.slices || step.fact.quantity->domain == Domain::Share),
          "the shares are above 1, or a slice is missing");
  return Number(sum + (rest ? left * *rest : 0));
}

Value worst(const Step& step, const Setting& setting) {
  require(setting.knowsSlices && step.fact.scope == "*" && !step.args.empty(),
          "it bounds all slices");
  std::set<std::string> seen;
  Rational out;
  for (std::size_t i = 0; i < step.args.size(); ++i) {
    const Fact& fact = step.arg(i);
    require(isMember(fact, step, step.fact.quantifier, setting), "a premise is not about a slice");
    seen.insert(fact.scope);
    bool looser = i == 0 || (fact.quantity->lower ? fact.bound < out : out < fact.bound);
    out = looser ? fact.bound : out;
  }
  require(seen == setting.slices, "a slice is missing");
  return Number(out);
}

/// What holds of the mixture, as far as it says something of one slice.
Value partOfMixture(const Step& step, const Setting& setting) {
  bool ofSup = step.lemma == "L-ALL-SLICE";
  require(step.args.size() == (ofSup ? 1 : 2) && !step.fact.scope.empty(),
          "it takes a bound on the mixture to a slice");
  const Fact& from = step.arg(ofSup ? 0 : 1);
  require(from.quantity == step.fact.quantity && from.quantifier == step.fact.quantifier &&
              from.scope == "*" && from.link == step.fact.link,
          "it takes a bound on the mixture to a slice");
  if (ofSup) {
    require(from.quantifier == Quantifier::Sup,
            "only what holds in every context holds in each slice");
    return Number(from.bound);
  }
  requireShare(*step.args[0], step.fact, *from.quantity, setting);
  Rational share = step.arg(0).bound;
  require(Rational(0) < share, "the slice's share is 0");
  if (from.quantifier == Quantifier::Quantile) {
    require(from.share <= share * step.fact.share, "the slice can fail on more");
    return Number(from.bound);
  }
  require(from.quantifier == Quantifier::Mean && !from.quantity->lower &&
              from.quantity->domain != Domain::Any,
          "the rest of the mixture can pay for it");
  return Number(from.bound) / share;
}

/// Drifts of a chain's links add up.
Value chain(const Step& step, const Setting&) {
  static constexpr std::string_view adding =
      " logit_linf logit_osc logit_l2 omega logprob_linf log_ratio_up log_ratio_down entropy_gap "
      "tv plain_tv seq_tv seq_log_ratio_up seq_log_ratio_down ";
  require(adding.find(" " + std::string(step.fact.quantity->name) + " ") !=
                  std::string_view::npos &&
              !step.args.empty(),
          "this does not add along a chain");
  Rational sum = 0, share = 0;
  bool allMeans = true, noMeans = true;
  std::string at = step.fact.link.substr(0, step.fact.link.find('>'));
  for (const Known* known : step.args) {
    const Fact& fact = known->fact;
    std::size_t arrow = fact.link.find('>');
    require(fact.quantity == step.fact.quantity &&
                (fact.scope.empty() || fact.scope == step.fact.scope) &&
                arrow != std::string::npos && fact.link.substr(0, arrow) == at,
            "the links do not join");
    at = fact.link.substr(arrow + 1);
    sum = sum + fact.bound;
    share = share + fact.share;
    allMeans = allMeans && fact.quantifier == Quantifier::Mean;
    noMeans = noMeans && fact.quantifier != Quantifier::Mean;
  }
  Quantifier is = step.fact.quantifier;
  require(step.fact.link.substr(step.fact.link.find('>') + 1) == at && share == step.fact.share &&
              (is == Quantifier::Mean
                   ? allMeans
                   : noMeans && (is == Quantifier::Quantile || share == Rational(0))),
          "the links do not join, or not their quantifiers");
  require(is != Quantifier::Sup || std::all_of(step.args.begin(), step.args.end(),
                                               [](const Known* known) {
                                                 return known->fact.quantifier == Quantifier::Sup;
                                               }),
          "a supremum needs suprema");
  return step.fact.quantity->domain == Domain::Share ? min(1, Number(sum)) : Number(sum);
}

/// The errors and gains of all layers, as the first argument's text lists them.
Value network(const Step& step, const Setting&) {
  require(step.args.size() >= 2 && step.fact.isAbout("hidden_drift"),
          "it bounds the last hidden state");
  const auto& layers = step.args[0]->quote.layers;
  require(step.args.size() == 2 * layers.size(), "layers are missing");
  Rational sum = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Fact &error = step.arg(2 * i), &gain = step.arg(2 * i + 1);
    require(error.isAbout("layer_error") && gain.isAbout("layer_gain") &&
                error.bound == layers[i].first && gain.bound == layers[i].second,
            "its layers are not those of the text");
    sum = sum * gain.bound + error.bound;
  }
  return Number(sum);
}

using Rule = Value (*)(const Step& step, const Setting& setting);
const std::map<std::string_view, Rule> rules = {{"L-CAP", cap},
                                                {"L-MEAN-SUP", meanOfSup},
                                                {"L-QUANTILE-SUP", quantileOfSup},
                                                {"L-Q-MULTI", ladder},
                                                {"L-M-JENSEN", jensen},
                                                {"L-M-CHORD", chord},
                                                {"L-MQ", meanQuantile},
                                                {"L-MARKOV", markov},
                                                {"L-MIX", mixture},
                                                {"L-MIXBOX", worst},
                                                {"L-WORST", worst},
                                                {"L-MIX-PART", partOfMixture},
                                                {"L-CH-OSC", chain},
                                                {"L-ALL-SLICE", partOfMixture},
                                                {"L-CH-TV", chain},
                                                {"L-CH-LP", chain},
                                                {"L-NET-LIP", network}};

} // namespace

Value conclude(const Step& step, const Setting& setting) {
  if (auto rule = rules.find(step.lemma); rule != rules.end())
    return rule->second(step, setting);
  const Lemma* lemma = findLemma(step.lemma);
  if (lemma == nullptr)
    reject("this lemma is not known");
  requireHere(step, setting);
  for (const Use& use : usesOf(*lemma))
    if (auto arguments = match(step, use, lemma->needsFullSupport))
      return lemma->formula(*arguments);
  reject("its premises are not those of the lemma");
}

} // namespace verify
