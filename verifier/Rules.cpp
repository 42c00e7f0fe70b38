#include "verifier/Rules.h"

#include <algorithm>
#include <set>

namespace verify {

Number valueOf(const Fact& fact) {
  const std::string kind = kindOf(fact.quantity);
  std::string_view domain = kind, level = take(domain, " ");
  take(domain, " ");
  const std::string_view side = take(domain, " ");
  require(!evaluate(domain, {fact.bound})->isZero(),
          "an argument is outside its " + std::string(level) + " domain");
  return side == "share" ? min(1, fact.bound) : fact.bound;
}

bool holdsAt(const Fact& premise, const Fact& place, std::string_view laws) {
  auto holds = [](std::string_view said, std::string_view here) {
    return said.empty() || said == here;
  };
  return holds(premise.scope, place.scope) && holds(premise.link, place.link) &&
         holds(premise.laws, laws) && holds(premise.drawn, place.drawn);
}

namespace {

bool isAtLevel(const Fact& fact, std::string_view level) {
  return kindOf(fact.quantity).starts_with(level);
}

/// Whether the step's premises have one of a kind, "sample" or "drift".
bool hasPremise(const Step& step, std::string_view word) {
  return std::any_of(step.args.begin(), step.args.end(),
                     [&](const Fact* fact) { return isOneOf(kindOf(fact->quantity), word); });
}

/// What can neither be negative nor is bounded from below.
bool isNonnegative(const Fact& fact) {
  return kindOf(fact.quantity).ends_with(" 0 <= a") && !isLower(fact.quantity) &&
         !isOneOf(kindOf(fact.quantity), "pooled");
}

bool isShare(const Fact& fact) { return isOneOf(kindOf(fact.quantity), "share"); }

/// One value on its way through a curve, which only what a lemma says of each value has.
constexpr std::string_view onCurves = "curve";

bool fits(const Fact& fact, std::string_view need, const Step& step, bool isConcave) {
  const bool either = fact.quantifier == "quantile" || fact.quantifier == "sup";
  if (need == "each")
    return either || fact.quantifier == onCurves || (isConcave && fact.quantifier == "mean");
  if (need == "within")
    return either && fact.share <= step.fact.share;
  return need == "at" ? either : fact.quantifier == need;
}

/// Whether a quantity is one of a row's names.
bool isNamed(const Fact& fact, std::string_view names, const Step& step) {
  bool isAny =
      names == "Q" || (names == "S" && isShare(fact)) || (names == "P" && isNonnegative(fact));
  return isAny ? fact.quantity == step.fact.quantity : isOneOf(names, fact.quantity);
}

/// The laws that a premise of a row is about, by its mark.
std::string lawsFor(std::string_view mark, const Step& step, const Contract& contract) {
  return mark == "@rows"       ? contract.rowLaws(step.fact.link)
         : mark == "@whole"    ? "served whole"
         : mark == "@kept"     ? "kept served"
         : mark == "@unmasked" ? "kept whole"
                               : step.fact.laws;
}

/// The arguments of the formula, if the step is this use of its lemma.
std::optional<std::vector<Number>> match(std::string_view use, std::string_view words,
                                         const Step& step, const Contract& contract) {
  std::string_view name = use;
  std::string premises(take(name, " -> ")), quantifier;
  auto isFull = [](const Fact* fact) { return fact->quantity == "full_support"; };
  // What bounds a drift bounds that, too: it is infinite where the masks differ.
  if (isOneOf(words, "full") &&
      (!hasPremise(step, "drift") || std::any_of(step.args.begin(), step.args.end(), isFull)))
    premises += premises.empty() ? "full_support" : ", full_support";
  if (name.find(' ') != std::string_view::npos)
    quantifier = take(name, " ");
  std::vector<const Fact*> left = step.args;
  std::vector<Number> out;
  std::size_t chosen = 0;
  Number share;
  for (std::string_view rest = premises; !rest.empty();) {
    std::string_view names = take(rest, ", "), need = "given";
    if (names.find(' ') != std::string_view::npos || isOneOf("chosen asked", names))
      need = take(names, " ");
    const std::string_view mark = names.starts_with('@') ? take(names, " ") : "";
    if (need == "chosen" && chosen == step.choices.size())
      return std::nullopt;
    if (need == "chosen" || need == "asked") {
      out.push_back(need == "asked" ? step.fact.share : step.choices[chosen++]);
      continue;
    }
    auto found = std::find_if(left.begin(), left.end(), [&](const Fact* fact) {
      return isNamed(*fact, names, step) && fits(*fact, need, step, isOneOf(words, "concave")) &&
             holdsAt(*fact, step.fact, lawsFor(mark, step, contract));
    });
    if (found == left.end())
      return std::nullopt;
    const Fact& fact = **found;
    if (need == "at")
      out.push_back(fact.share);
    out.push_back(valueOf(fact));
    share = need == "each" ? share + fact.share : share;
    if (need == "each" && (quantifier.empty() || fact.quantifier == "quantile"))
      quantifier = fact.quantifier;
    left.erase(found);
  }
  bool isRight = left.empty() && chosen == step.choices.size() && isNamed(step.fact, name, step) &&
                 step.fact.quantifier == quantifier && (share == 0 || share == step.fact.share);
  return isRight ? std::optional(out) : std::nullopt;
}

/// Whether samples are what the link's second kernel drew from the law that is compared.
bool isOfDraws(const Fact& fact) {
  const bool isOfServed = fact.laws.ends_with(" served") && !fact.laws.starts_with("kept");
  return isOfServed && fact.link.ends_with(">" + fact.drawn);
}

/// Whether the step's place is one that its lemma speaks of. Samples, and what is counted of what
/// is drawn, are those that the link's second kernel drew from the law that is compared; and from
/// prefixes to whole responses it goes only where those are the responses' own prefixes.
void requireConditions(const Step& step, std::string_view words) {
  const Fact& fact = step.fact;
  require((!isOneOf(words, "served") || fact.laws == "served served") &&
              (!isOneOf(words, "kept") || fact.laws == "kept served"),
          "its lemma concludes something about other laws");
  auto isAt = [](std::string_view level) {
    return [=](const Fact* premise) { return isAtLevel(*premise, level); };
  };
  const auto& args = step.args;
  const bool crosses = isAtLevel(fact, "response") && step.lemma != "L-CAP" &&
                       (std::any_of(args.begin(), args.end(), isAt("context")) ||
                        std::none_of(args.begin(), args.end(), isAt("response")));
  require((!crosses && !hasPremise(step, "sample") && !isOneOf(words, "drawn")) || isOfDraws(fact),
          "its premises are not of what the second kernel of its link draws");
}

/// What a lemma's row gives; nothing where hypotheses do not hold.
Value apply(const Step& step, const Contract& contract) {
  const std::string row = lemmaRow(step.lemma);
  require(!row.empty(), "this lemma is not known");
  std::string_view formula = row, words = take(formula, " = "), uses = take(words, " [");
  requireConditions(step, words);
  while (!uses.empty())
    if (auto arguments = match(take(uses, "; "), words, step, contract))
      return evaluate(formula, *arguments);
  throw Rejection{"its premises are not those of the lemma, or they are about something else"};
}

bool is(const Fact& fact, const Step& step, std::string_view quantifier) {
  return fact.quantity == step.fact.quantity && fact.quantifier == quantifier;
}

/// Quantiles, those that fail most first, and what is left at the supremum or the cap.
Value ladder(const Step& step, const Contract&) {
  bool hasTop = !step.args.empty() && step.args.back()->quantifier == "sup";
  require(!isLower(step.fact.quantity) && step.fact.quantifier == "mean" &&
              (hasTop || isShare(step.fact)) && step.args.size() > (hasTop ? 1 : 0),
          "it bounds a mean, from above, of what has a cap");
  Number left = 1, sum = 0;
  for (const Fact* fact : step.args) {
    bool isTop = hasTop && fact == step.args.back();
    Number next = isTop ? Number(0) : fact->share;
    require(is(*fact, step, isTop ? "sup" : "quantile") && next <= left,
            "expected quantiles in order, the largest failing share first");
    sum = sum + (left - next) * valueOf(*fact);
    left = next;
  }
  return sum + left;
}

/// What the step's curve gives at x, with the arguments from `rest` on.
Value onCurve(const Step& step, std::string_view shape, const Number& x, std::size_t rest,
              std::size_t choice, const Contract& contract) {
  std::string row = lemmaRow(step.curve);
  std::string_view formula = row, words = take(formula, " = ");
  take(words, " [");
  Fact top = *step.args[0];
  require(isOneOf(words, shape) && !isLower(top.quantity) && !isLower(step.fact.quantity),
          "its curve is not of the right shape");
  top.quantifier = onCurves;
  top.bound = x;
  Step at{step.curve, "", {&top}, {}, step.fact};
  at.fact.quantifier = onCurves;
  if (!step.choices.empty())
    at.choices = {step.choices.at(choice)};
  for (; rest < step.args.size(); ++rest) {
    require(step.args[rest]->quantifier == "given", "its curve has another premise");
    at.args.push_back(step.args[rest]);
  }
  return apply(at, contract);
}

/// A mean that goes through a curve. A convex one that is 0 at 0 lies below its chord to the
/// supremum; a concave one is at most what it is at a quantile and at what the mean leaves for the
/// rest, which is no more than a supremum.
Value throughCurve(const Step& step, const Contract& contract) {
  const bool isChord = step.lemma == "L-M-CHORD";
  const Fact &mean = *step.args.at(0), &other = *step.args.at(1);
  const bool hasTop = step.args.size() > 2 && step.args[2]->quantity == mean.quantity;
  require(mean.quantifier == "mean" && mean.quantity == other.quantity &&
              other.quantifier == (isChord ? "sup" : "quantile") &&
              (!hasTop || step.args[2]->quantifier == "sup") && step.fact.quantifier == "mean" &&
              (step.choices.empty() || step.choices.size() == (isChord ? 1 : 2)),
          "it takes a mean, and a supremum or a quantile, to a mean");
  const Number share = other.share, end = valueOf(other), middle = valueOf(mean);
  if (isChord) {
    Value value = onCurve(step, "convex", end, 2, 0, contract);
    return !value || end <= middle ? value : Value(middle / end * *value);
  }
  require(0 < share && end < middle, "the mean is below the quantile");
  Number rest = (middle - (1 - share) * end) / share;
  rest = hasTop ? min(rest, valueOf(*step.args[2])) : rest;
  Value first = onCurve(step, "concave", end, hasTop ? 3 : 2, 0, contract);
  Value second = onCurve(step, "concave", rest, hasTop ? 3 : 2, 1, contract);
  return first && second ? Value((1 - share) * *first + share * *second) : std::nullopt;
}

/// Whether a share is one of what the mean of a fact is over, tokens or requests, in its slice.
/// What shares others' tokens have is not known.
void requireShare(const Fact& share, const Fact& fact, const Contract& contract) {
  bool ofTokens =
      isAtLevel(fact, "context") || (contract.isOneToken() && fact.quantity.starts_with("pg_"));
  require(share.quantity == (ofTokens ? "token_weight" : "weight") && share.scope == fact.scope &&
              (!ofTokens || fact.drawn == contract.server()),
          "a share is not the one that this mean needs");
  valueOf(share);
}

std::set<std::string> slicesOf(const Contract& contract) {
  return {contract.slices().begin(), contract.slices().end()};
}

/// What is pooled over a slice is no member of what is pooled over all.
bool isMember(const Fact& fact, const Step& step) {
  Fact there = step.fact;
  there.scope = fact.scope;
  return !isOneOf(kindOf(fact.quantity), "pooled") && is(fact, step, step.fact.quantifier) &&
         fact.samePlace(there);
}

/// Slices with their shares, then slices without one, the worst of which has what remains.
Value mixture(const Step& step, const Contract& contract) {
  std::set<std::string> missing = slicesOf(contract);
  Number sum = 0, left = 1;
  Value worst;
  for (std::size_t i = 0; i < step.args.size(); ++i) {
    const Fact* share =
        isOneOf("weight token_weight", step.args[i]->quantity) ? step.args[i++] : nullptr;
    const Fact& fact = *step.args.at(i);
    require(isMember(fact, step) && missing.erase(fact.scope) == 1,
            "a premise is not the mean of a slice");
    if (share != nullptr) {
      requireShare(*share, fact, contract);
      sum = sum + share->bound * fact.bound;
      left = left - share->bound;
    } else {
      worst = worst ? max(*worst, fact.bound) : fact.bound;
    }
  }
  if (!missing.empty() && isShare(step.fact))
    worst = 1;
  require(step.fact.scope == "*" && step.fact.quantifier == "mean" &&
              !isLower(step.fact.quantity) && (missing.empty() || isShare(step.fact)) &&
              0 <= left && (left == 0 || worst),
          "the shares are above 1, or a slice is missing");
  return sum + (worst ? left * *worst : 0);
}

Value worstSlice(const Step& step, const Contract& contract) {
  std::set<std::string> missing = slicesOf(contract);
  const bool lower = isLower(step.fact.quantity);
  Value out;
  for (const Fact* fact : step.args) {
    require(isMember(*fact, step) && fact->share == step.fact.share &&
                missing.erase(fact->scope) == 1,
            "a premise is not about a slice");
    out = !out ? fact->bound : lower ? min(*out, fact->bound) : max(*out, fact->bound);
  }
  require(step.fact.scope == "*" && out && missing.empty() &&
              (lower || step.fact.quantifier != "mean"),
          "a slice is missing, or it is a mean, which the slices' shares mix");
  return out;
}

/// What holds of the mixture, as far as it says something of one slice.
Value partOfMixture(const Step& step, const Contract& contract) {
  const Fact& from = *step.args.at(step.args.size() - 1);
  require(isMember(from, step) && from.scope == "*" && step.args.size() <= 2,
          "it takes a bound on the mixture to a slice");
  require((from.quantifier == "sup") == (step.lemma == "L-ALL-SLICE"),
          "it is not of this quantifier");
  if (from.quantifier == "sup")
    return from.bound;
  const Fact& part = *step.args[0];
  requireShare(part, step.fact, contract);
  require(0 < part.bound, "the slice's share is 0");
  if (from.quantifier == "quantile")
    return from.share <= part.bound * step.fact.share ? Value(from.bound) : std::nullopt;
  if (from.quantifier != "mean")
    return std::nullopt;
  if (step.lemma == "L-MIX-PART-ONE")
    return from.quantity == "sampled_mult_error" ? Value(Number(1) + (from.bound - 1) / part.bound)
                                                 : std::nullopt;
  // The mean of k1 is a divergence in each context whose tokens the server drew.
  const bool isDivergence = from.quantity == "sampled_k1" && isOfDraws(from);
  return isNonnegative(from) || isDivergence ? Value(from.bound / part.bound) : std::nullopt;
}

/// Drifts and distances of a chain's links add up, where each is to the law that the next one is
/// from; of squared Hellinger distances, their roots. Prefixes are the same one's; of whole
/// responses, which are compared as such, nobody's.
Value chain(const Step& step, const Contract&) {
  const bool isSquare = step.fact.quantity == "hellinger";
  Number sum, share;
  std::string_view end = step.fact.link, at = take(end, ">");
  std::string_view last = step.fact.laws, law = take(last, " ");
  const bool isOfResponses = isAtLevel(step.fact, "response");
  for (const Fact* fact : step.args) {
    std::string_view to = fact->link, from = take(to, ">");
    std::string_view next = fact->laws, first = take(next, " ");
    bool isSup = fact->quantifier == "sup" && step.fact.quantifier == "quantile";
    require((is(*fact, step, step.fact.quantifier) || (is(*fact, step, "sup") && isSup)) &&
                from == at && first == law && !first.starts_with("kept") &&
                (fact->scope.empty() || fact->scope == step.fact.scope) &&
                fact->drawn == (isOfResponses ? to : step.fact.drawn),
            "the links do not join, or their bounds are not of one kind");
    at = to;
    law = next;
    sum = sum + (isSquare ? sqrt(valueOf(*fact)) : fact->bound);
    share = share + fact->share;
  }
  require(at == end && law == last && !step.args.empty() && share == step.fact.share &&
              (!isOfResponses || step.fact.drawn == end) &&
              isShare(step.fact) == (step.lemma != "L-CH-OSC") &&
              isSquare == (step.lemma == "L-CH-HEL") &&
              isOneOf("logit_linf logit_osc logit_l2 omega logprob_linf log_ratio_up "
                      "log_ratio_down entropy_gap tv seq_tv hellinger",
                      step.fact.quantity),
          "the links do not join, or this does not add along a chain");
  sum = isSquare ? sum * sum : sum;
  return isShare(step.fact) ? min(1, sum) : sum;
}

/// The roots of χ² add along a chain, where a link's largest ratio takes the sum before it to the
/// law that the link's own χ² is under.
Value chainOfChi2(const Step& step, const Contract&) {
  Number sum, share;
  const Fact* ratio = nullptr;
  std::string_view end = step.fact.link, at = take(end, ">");
  std::string_view last = step.fact.laws, law = take(last, " ");
  for (const Fact* fact : step.args) {
    std::string_view to = fact->link, from = take(to, ">");
    std::string_view next = fact->laws, first = take(next, " ");
    const bool isFirst = fact == step.args.front(), isSup = fact->quantifier == "sup";
    require(from == at && first == law && !first.starts_with("kept") &&
                (fact->scope.empty() || fact->scope == step.fact.scope) &&
                fact->drawn == step.fact.drawn,
            "the links do not join, or their bounds are not of one kind");
    if (fact->quantity == "log_ratio_up") {
      require(isSup && !isFirst && ratio == nullptr, "this is not the place of a ratio");
      ratio = fact;
      sum = sum * exp(fact->bound / 2);
      continue;
    }
    require((is(*fact, step, step.fact.quantifier) ||
             (is(*fact, step, "sup") && isSup && step.fact.quantifier == "quantile")) &&
                isFirst == (ratio == nullptr) &&
                (isFirst || (ratio->link == fact->link && ratio->laws == fact->laws)),
            "a link has no ratio, or its bound is not of this kind");
    at = to;
    law = next;
    ratio = nullptr;
    sum = sum + sqrt(valueOf(*fact));
    share = share + fact->share;
  }
  require(at == end && law == last && !step.args.empty() && ratio == nullptr &&
              share == step.fact.share && step.fact.quantity == "chi2",
          "the links do not join, or this does not lead along a chain");
  return sum * sum;
}

/// One link's divergence leads to the chain's with the largest log-ratios of the other links.
Value carried(const Step& step, const Contract&) {
  const bool isChi2 = step.lemma == "L-CH-CHI2", isBackward = step.lemma == "L-CH-KLR";
  const std::string_view wanted = isChi2       ? "chi2"
                                  : isBackward ? "kl_infer_train"
                                               : "kl_train_infer";
  const Fact* divergence = nullptr;
  Number before, after;
  std::string_view end = step.fact.link, at = take(end, ">");
  std::string_view last = step.fact.laws, law = take(last, " ");
  for (const Fact* fact : step.args) {
    std::string_view to = fact->link, from = take(to, ">");
    std::string_view next = fact->laws, first = take(next, " ");
    const bool isIt = divergence == nullptr && is(*fact, step, step.fact.quantifier);
    const bool isRatio = fact->quantifier == "sup" &&
                         fact->quantity == (isBackward ? "log_ratio_down" : "log_ratio_up");
    require((isIt || isRatio) && from == at && first == law && !first.starts_with("kept") &&
                (fact->scope.empty() || fact->scope == step.fact.scope) &&
                fact->drawn == step.fact.drawn,
            "the links do not join, or their bounds are not of one kind");
    at = to;
    law = next;
    if (isIt)
      divergence = fact;
    else if (divergence == nullptr)
      before = before + fact->bound;
    else
      after = after + fact->bound;
  }
  require(at == end && law == last && divergence != nullptr && step.fact.quantity == wanted &&
              divergence->share == step.fact.share,
          "the links do not join, or this does not lead along a chain");
  if (isChi2)
    return Value((Number(1) + divergence->bound) * exp(2 * before + after) - 1);
  require(isBackward ? after == Number() : before == Number(),
          "a link with a ratio is on the wrong side of the divergence");
  return Value(divergence->bound + before + after);
}

/// Of lemmas that take any quantity, or any number of premises: the rest have rows.
struct Rule {
  std::string_view ids;
  Value (*conclude)(const Step& step, const Contract& contract);
  bool isHere; // all premises hold where it concludes
};
constexpr Rule rules[] = {{"L-Q-MULTI", ladder, true},
                          {"L-M-CHORD L-MQ", throughCurve, true},
                          {"L-MIX", mixture, false},
                          {"L-WORST", worstSlice, false},
                          {"L-MIX-PART L-MIX-PART-ONE L-ALL-SLICE", partOfMixture, false},
                          {"L-CH-OSC L-CH-TV L-CH-HEL", chain, false},
                          {"L-CH-CHI2-SUM", chainOfChi2, false},
                          {"L-CH-CHI2 L-CH-KL L-CH-KLR", carried, false}};

} // namespace

Value conclude(const Step& step, const Contract& contract) {
  const Fact& fact = step.fact;
  const auto& slices = contract.slices();
  contract.rowLaws(fact.link);
  require(fact.scope == "*" || std::find(slices.begin(), slices.end(), fact.scope) != slices.end(),
          "it concludes something about no slice of the contract");
  require(!contract.cutsResponses(fact.scope) || !isAtLevel(fact, "response"),
          "a slice begins within a response, so no whole response is in it");
  auto rule = std::find_if(std::begin(rules), std::end(rules),
                           [&](const Rule& known) { return isOneOf(known.ids, step.lemma); });
  if (rule == std::end(rules))
    return apply(step, contract);
  for (const Fact* premise : step.args)
    require(!rule->isHere || holdsAt(*premise, fact, fact.laws),
            "a premise is about another slice, link or law");
  return rule->conclude(step, contract);
}

bool keepsStrictness(const Step& step) {
  auto isStrict = [](const Fact* fact) { return fact->strict; };
  const std::string row = lemmaRow(step.lemma);
  std::string_view words = row;
  words = take(words, " = ");
  take(words, " [");
  // A 0 may be one of a factor that no drift changes, and a cap is reached by much.
  const bool isBetween = 0 < step.fact.bound && !(isShare(step.fact) && 1 <= step.fact.bound);
  return (isOneOf("L-QUANTILE-SUP L-MEAN-SUP L-MARKOV L-MIX-PART L-MIX-PART-ONE "
                  "L-ALL-SLICE",
                  step.lemma) ||
          (isOneOf(words, "strict") && isBetween)) &&
         std::any_of(step.args.begin(), step.args.end(), isStrict);
}

bool leavesShare(const Step& step) {
  return step.fact.quantifier == "quantile" &&
         std::any_of(step.args.begin(), step.args.end(), [&](const Fact* fact) {
           return fact->open || (step.lemma == "L-QUANTILE-SUP" && fact->share < step.fact.share);
         });
}

} // namespace verify
