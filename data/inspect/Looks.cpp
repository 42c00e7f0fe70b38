#include "data/inspect/Looks.h"
#include "data/Report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::data {
namespace {

/// Counts that are 0 in clean data need no error: so many responses that have it are no chance.
constexpr std::uint64_t enoughOfRare = 10, fewOfRare = 3;

// What clean runs do not have. In BF16 the mean of |x| is seen up to 0.013; FP8, int4 and the like
// begin where it is several times that.
constexpr double leastAbove = 0.001;   // of a mean log-prob
constexpr double leastGain = 0.2;      // of a shift, in correlation
constexpr double leastUndrawn = 0.001; // share of tokens
constexpr double leastStandingOut = 3, leastAtOneToken = 0.1;
constexpr double leastDeficit = 0.002; // of the mean of w
constexpr double leastSlope = 0.01, leastSlopeShare = 0.1, leastShareOfRatio = 0.25;
constexpr double leastTail = 0.0005, mostTail = 0.1, leastTailSquare = 0.3, leastTailRatio = 0.1;
constexpr double leastOfFew = 3, mostOfSpread = 0.5, mostNear = 0.2;
constexpr double leastFar = 1, leastFarWeight = 2; // nat; the mean of w is about 1 for other faults
constexpr std::size_t tailBins = 16; // quarters of octaves above the median: 16 times as far
constexpr double leastLevel = 0.02;  // of |x|

constexpr const char* fewOpenTokens = "fewer than 1,000 tokens that the server is not sure of";

/// The state of a large sign that clean responses do not have.
void judgeRare(CauseFinding& out, std::uint64_t responses) {
  if (responses < fewOfRare)
    return;
  out.state = responses >= enoughOfRare ? CauseState::named : CauseState::undecided;
  if (out.state == CauseState::undecided)
    out.why = fmt::format("in only {} response{}", responses, responses == 1 ? "" : "s");
}

/// No log-prob is above 0, so this needs no error.
CauseFinding lookAtScale(const Signs& signs) {
  CauseFinding out{CauseId::Probabilities, CauseState::unseen, {}, {}};
  const auto& [n, infer, x, inferSquare, product] = signs.line.sums;
  if (!(n > 0) || !(std::max(infer + x, infer) >= leastAbove * n))
    return out;
  out.state = CauseState::named;
  out.figures = {{"trainer", "mean of the trainer's numbers", (infer + x) / n, 0},
                 {"server", "mean of the server's numbers", infer / n, 0}};
  return out;
}

CauseFinding lookAtShift(const Signs& signs) {
  const LagProducts& products = signs.products;
  if (products.pairs == 0 || !(products.varianceOfInfer() > 0))
    return {CauseId::Shift, CauseState::unasked, {}, "no token has neighbours, or all are alike"};
  const auto at = products.covariances();
  const std::size_t side = at[0] > at[2] ? 0 : 1;
  const double variance = products.varianceOfInfer(), beside = at[2 * side];
  const double gain = beside - at[1];
  CauseFinding out =
      stateOf(CauseId::Shift, gain >= leastGain * variance && beside > 2 * std::max(at[1], 0.0),
              errorsOf(gain, products.errorOfGain(side)), signs.whole.responses);
  out.figures = {{"gain",
                  fmt::format("what the correlation gains if --shift is {} by 1",
                              side == 0 ? "raised" : "lowered"),
                  gain / variance, products.errorOfGain(side) / variance}};
  return out;
}

/// Of the first or the last tokens of responses, beside all others.
void lookAtOneToken(const Signs& signs, const Drift& one, std::string_view which,
                    CauseFinding& out) {
  const auto others = static_cast<double>(signs.whole.tokens - one.tokens);
  if (others == 0 || one.tokens == 0)
    return;
  const double rest = (signs.whole.absolute - one.absolute) / others;
  const double level = (signs.whole.absolute - one.absolute) / (signs.whole.room - one.room);
  const bool isLarge = one.absolute >= leastStandingOut * level * one.room &&
                       one.meanAbsolute() - rest >= leastAtOneToken;
  if (!isLarge)
    return;
  CauseFinding found =
      stateOf(CauseId::Mask, true,
              errorsOf(one.meanAbsolute() - rest,
                       std::hypot(one.absoluteError(), signs.whole.absoluteError())),
              signs.whole.responses);
  if (found.state == CauseState::named || out.state == CauseState::unseen) {
    out.state = found.state;
    out.why = found.why;
  }
  out.figures.push_back(
      {"one_token",
       fmt::format("mean |x| of the {} token of responses, where the others have {:.3g}", which,
                   rest),
       one.meanAbsolute(), one.absoluteError()});
}

/// The share of tokens that the server was sure of, as it writes.
double certainShare(const Signs& signs) {
  return 1 - signs.line.sums[0] / static_cast<double>(signs.whole.tokens);
}

/// Whether the server sampled greedily: then it is sure of each token after the cut.
bool isGreedy(const Signs& signs) { return certainShare(signs) >= 0.99; }

CauseFinding lookAtMask(const Signs& signs) {
  CauseFinding out{CauseId::Mask, CauseState::unseen, {}, {}};
  if (isGreedy(signs))
    return out;
  const double share =
      static_cast<double>(signs.undrawn.tokens) / static_cast<double>(signs.whole.tokens);
  if (share >= leastUndrawn)
    judgeRare(out, signs.undrawn.responses);
  if (out.state != CauseState::unseen)
    out.figures = {
        {"undrawn",
         fmt::format("share of tokens with log q = 0 although the trainer is far from sure, in {} "
                     "response{}",
                     grouped(signs.undrawn.responses), signs.undrawn.responses == 1 ? "" : "s"),
         share, 0}};
  lookAtOneToken(signs, signs.first, "first", out);
  lookAtOneToken(signs, signs.last, "last", out);
  return out;
}

CauseFinding lookAtSupport(const Signs& signs) {
  if (isGreedy(signs)) {
    const double away = -signs.whole.excess / static_cast<double>(signs.whole.tokens);
    CauseFinding out = stateOf(CauseId::Support, away >= leastDeficit,
                               errorsOf(away, signs.whole.standardError()), signs.whole.responses);
    out.figures = {{"certain",
                    "share of the tokens with a log q of 0, as greedy sampling has, and log-probs "
                    "that were not recorded",
                    certainShare(signs), 0},
                   {"mean_weight", "mean of w, the mass that the server kept", 1 - away,
                    signs.whole.standardError()}};
    return out;
  }
  // Without what nobody drew.
  const double n = static_cast<double>(signs.whole.tokens - signs.undrawn.tokens);
  if (!(n > 0))
    return {CauseId::Support, CauseState::unasked, {}, "the server sampled no token"};
  const double more = (signs.whole.excess - signs.undrawn.excess) / n;
  const double mean = (signs.whole.x - signs.undrawn.x) / n;
  // Of one sign, x has w - 1 as its mean but for its square; else w - 1 is much less than x.
  const double ratio = more / mean;
  const bool isOfOneSign = more < 0 ? ratio >= 0.5 && ratio <= 1.1 : ratio >= 0.9 && ratio <= 1.4;
  CauseFinding out =
      stateOf(CauseId::Support, std::abs(more) >= leastDeficit && isOfOneSign,
              errorsOf(std::abs(more), signs.whole.standardError()), signs.whole.responses);
  out.figures = {{"mean_weight",
                  !isOfOneSign ? "mean of w, 1 without a cut"
                  : more < 0   ? "mean of w, the mass that the server kept"
                               : "mean of w, one over the mass that the trainer kept",
                  1 + more, signs.whole.standardError()},
                 {"mean_x", "mean of x", mean, 0}};
  if (out.state == CauseState::unseen)
    return out;
  out.figures.push_back(
      {"certain", "share of the tokens with a log q of 0", certainShare(signs), 0});
  const auto side = more < 0 ? KeptMass::server : KeptMass::trainer;
  for (const auto& [key, share] : {std::pair{"kept_90", 0.9}, {"kept_98", 0.98}})
    out.figures.push_back(
        {key, fmt::format("least mass that was kept, for {:.0f}% of the tokens", 100 * share),
         signs.kept.exceededAtAllBut(1 - share, signs.whole.tokens, side), 0});
  return out;
}

CauseFinding lookAtTemperature(const Signs& signs) {
  const LineOfDrift::Line line = signs.line.line();
  CauseFinding out = stateOf(CauseId::Temperature,
                             std::abs(line.slope) >= leastSlope && line.share >= leastSlopeShare,
                             errorsOf(std::abs(line.slope), line.slopeError), signs.line.responses);
  out.figures = {{"slope", "slope of x over log q, 0 if both temperatures are equal", line.slope,
                  line.slopeError},
                 {"share", "share of the variance of x along this line", line.share, 0}};
  // If q is proportional to p^(1/t), x is (t - 1)·(log q - its mean) in each context, for t near 1.
  // So t - 1 is the mean of x² over that of x·log q, whatever the contexts are. What else is in x
  // adds to its square.
  if (out.state != CauseState::unseen && line.share >= leastShareOfRatio)
    out.figures.push_back({"ratio",
                           "the server's temperature over the trainer's, if nothing else differs",
                           1 + line.slope / line.share, line.slopeError / line.share});
  return out;
}

/// Where the tail begins, and what is in it.
struct Tail {
  double median = 0, begin = 0;
  std::uint64_t all = 0, tokens = 0, responses = 0;
  std::uint64_t near = 0; // of these responses, with no token above 4 times the tail's begin
  double square = 0, squareOfAll = 0, excess = 0, bulk = 1; // the share of |x| that is not in it

  double share() const { return static_cast<double>(tokens) / static_cast<double>(all); }
  bool isHeavy() const { return share() >= leastTail && square >= leastTailSquare * squareOfAll; }
  bool isLarge() const { return isHeavy() && share() <= mostTail; }
};

std::optional<Tail> tailOf(const TailOfDrift& tail) {
  Tail out;
  for (const std::uint64_t each : tail.tokens)
    out.all += each;
  if (out.all < leastTokens)
    return std::nullopt;
  std::size_t median = 0;
  for (std::uint64_t below = tail.tokens[0]; 2 * below < out.all; below += tail.tokens[median])
    ++median;
  out.median = TailOfDrift::beginOf(median);
  // Responses are counted by octaves, so the tail begins with one.
  const std::size_t least = std::max(median + tailBins, TailOfDrift::binOf(leastTailRatio));
  const std::size_t begin = std::min((least + 3) / 4 * 4, tail.tokens.size());
  out.begin = TailOfDrift::beginOf(begin);
  double bulk = 0, far = 0;
  for (std::size_t i = 0; i < tail.tokens.size(); ++i) {
    (i < begin ? bulk : far) += std::sqrt(tail.square[i] * static_cast<double>(tail.tokens[i]));
    out.squareOfAll += tail.square[i];
    if (i < begin)
      continue;
    out.tokens += tail.tokens[i];
    out.square += tail.square[i];
    out.excess += tail.excess[i];
  }
  constexpr std::size_t nearOctaves = 2;
  const std::size_t first = begin / 4;
  for (std::size_t octave = first; octave < tail.responses.size(); ++octave) {
    out.responses += tail.responses[octave];
    out.near += octave < first + nearOctaves ? tail.responses[octave] : 0;
  }
  if (bulk + far > 0)
    out.bulk = bulk / (bulk + far);
  return out;
}

/// Returns of how many responses, at least, the tail's tokens would be on average if they were
/// independent of each other. With p for a response's share of all tokens, that is the sum of
/// 1 - exp(-tokens·p). Divided by p, a summand is convex in p, so the sum is at least what
/// (Σp)²/Σp² responses of one length would give.
double expectedResponses(const Tail& tail, const Drift& whole) {
  const auto tokens = static_cast<double>(whole.tokens);
  const double alike = tokens * tokens / whole.lengthSquare;
  return alike * -std::expm1(-static_cast<double>(tail.tokens) / alike);
}

bool isOfFewResponses(const Tail& tail, const Drift& whole) {
  const auto far = static_cast<double>(tail.tokens), of = static_cast<double>(tail.responses);
  return tail.isHeavy() && far >= leastOfFew * of &&
         of <= mostOfSpread * expectedResponses(tail, whole);
}

std::vector<SignFigure> figuresOfFew(const Tail& tail, const Drift& whole) {
  const auto all = static_cast<double>(whole.responses);
  return {{"responses",
           fmt::format("share of the responses with tokens of |x|/(1-q) above {:.2g}, where the "
                       "median is {:.2g}",
                       tail.begin, tail.median),
           static_cast<double>(tail.responses) / all, 0},
          {"spread", "this share if any response could have these tokens, at least",
           expectedResponses(tail, whole) / all, 0}};
}

CauseFinding lookAtEdited(const std::optional<Tail>& tail, const Drift& whole) {
  if (!tail)
    return {CauseId::Edited, CauseState::unasked, {}, fewOpenTokens};
  CauseFinding out{CauseId::Edited, CauseState::unseen, {}, {}};
  const auto far = static_cast<double>(tail->tokens), of = static_cast<double>(tail->responses);
  // A gap that grows, such as a cache's, has responses at each level.
  const bool isApart = static_cast<double>(tail->near) <= mostNear * of;
  // What the server drew has a mean w of about 1, also among the tokens that are far apart.
  const bool isOther =
      tail->square >= leastFar * leastFar * far && tail->excess >= (leastFarWeight - 1) * far;
  if (isApart && isOther && isOfFewResponses(*tail, whole))
    judgeRare(out, tail->responses);
  out.figures = figuresOfFew(*tail, whole);
  if (far > 0)
    out.figures.push_back({"far_weight", "mean of w of these tokens", 1 + tail->excess / far, 0});
  return out;
}

CauseFinding lookAtMinority(const std::optional<Tail>& tail, const Drift& whole) {
  if (!tail)
    return {CauseId::Minority, CauseState::unasked, {}, fewOpenTokens};
  CauseFinding out{CauseId::Minority, CauseState::unseen, {}, {}};
  if (isOfFewResponses(*tail, whole))
    judgeRare(out, tail->responses);
  out.figures = figuresOfFew(*tail, whole);
  return out;
}

CauseFinding lookAtRouting(const std::optional<Tail>& tail, std::uint64_t responses) {
  if (!tail)
    return {CauseId::Routing, CauseState::unasked, {}, fewOpenTokens};
  CauseFinding out{CauseId::Routing, CauseState::unseen, {}, {}};
  if (tail->isLarge())
    judgeRare(out, tail->responses);
  out.figures = {{"share",
                  fmt::format("share of the tokens that the server is not sure of with |x|/(1-q) "
                              "above {:.2g}, where the median is {:.2g}",
                              tail->begin, tail->median),
                  tail->share(), 0},
                 {"square", "share of the sum of x² that comes from them",
                  tail->squareOfAll > 0 ? tail->square / tail->squareOfAll : 0, 0},
                 {"responses", "share of the responses that have such tokens",
                  static_cast<double>(tail->responses) / static_cast<double>(responses), 0}};
  return out;
}

/// The gap where nothing else adds to it: before it grows, without its tail, and, if the tail is of
/// few responses, at the median, which they do not move.
CauseFinding lookAtLevel(const Signs& signs, const std::vector<const Change*>& grown,
                         const std::optional<Tail>& tail) {
  Drift base = signs.whole;
  for (const Change* each : grown)
    if (each->begin.meanAbsolute() < base.meanAbsolute())
      base = each->begin;
  double mean = base.meanAbsolute();
  if (grown.empty() && signs.undrawn.tokens != 0)
    mean = (base.absolute - signs.undrawn.absolute) /
           static_cast<double>(base.tokens - signs.undrawn.tokens);
  std::string_view what = grown.empty() ? "mean |x|" : "mean |x| before it grows";
  if (tail && isOfFewResponses(*tail, signs.whole)) {
    mean = std::min(mean, tail->median * base.room / static_cast<double>(base.tokens));
    what = "median of |x|/(1-q), times the mean of 1-q";
  } else if (tail && tail->isLarge()) {
    mean *= tail->bulk;
  }
  CauseFinding out = stateOf(CauseId::Quantisation, mean >= leastLevel,
                             errorsOf(mean - leastLevel, base.absoluteError()), base.responses);
  out.figures = {{"level", std::string(what), mean, base.absoluteError()}};
  return out;
}

} // namespace

CauseFinding stateOf(CauseId cause, bool isLarge, double errors, std::uint64_t responses) {
  CauseFinding out{cause, CauseState::unseen, {}, {}};
  if (!isLarge)
    return out;
  if (errors >= enoughErrors) {
    out.state = CauseState::named;
    return out;
  }
  out.state = CauseState::undecided;
  const double times = enoughErrors / std::max(errors, 0.5);
  const double more = (times * times - 1) * static_cast<double>(responses);
  out.why = fmt::format("{:.2g} standard errors, but {:g} are required: about {} more responses",
                        std::max(errors, 0.0), enoughErrors,
                        grouped(static_cast<std::uint64_t>(std::ceil(more < 1e15 ? more : 1e15))));
  return out;
}

double errorsOf(double value, double error) {
  return error > 0 ? value / error : value > 0 ? enoughErrors : 0;
}

std::vector<CauseFinding> lookAtAll(const Signs& signs) {
  const auto tail = tailOf(signs.tail);
  std::vector<CauseFinding> out = {lookAtScale(signs),   lookAtShift(signs),
                                   lookAtMask(signs),    lookAtEdited(tail, signs.whole),
                                   lookAtSupport(signs), lookAtTemperature(signs)};
  std::vector<Growth> growths;
  growths.push_back(lookAtCache(signs));
  growths.push_back(lookAtWeights(signs));
  growths.push_back(lookAtLength(signs));
  // A cache that is not emptied is staler with each step, too.
  if (CauseFinding& weights = growths[1].sign; growths[0].sign.state == CauseState::named &&
                                               !growths[1].isByLag &&
                                               weights.state == CauseState::named) {
    weights.state = CauseState::echoed;
    weights.why = fmt::format("{} would explain it as well", rowOf(CauseId::Cache).name);
  }
  std::vector<const Change*> grown;
  for (Growth& each : growths) {
    if (each.sign.state == CauseState::named)
      grown.push_back(&*each.change);
    out.push_back(std::move(each.sign));
  }
  out.push_back(lookAtMinority(tail, signs.whole));
  out.push_back(lookAtRouting(tail, signs.whole.responses));
  out.push_back(lookAtLevel(signs, grown, tail));
  return out;
}

} // namespace tikc::data
