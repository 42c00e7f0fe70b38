#include "bounds/prove/Poser.h"

#include "bounds/prove/ClauseForms.h"
#include "bounds/prove/Questions.h"
#include "bounds/prove/Readings.h"
#include "model/EqualKernels.h"
#include "model/Metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tikc::bounds {

using model::Aggregate;
using model::ClaimId;
using model::Comparator;
using model::MetricId;
using Side = QuantityInfo::Side;

namespace {

/// What leaves out the tokens that only the server masks, where their mass is declared missing.
bool isOfMaskedLogits(MetricId metric) {
  return metric == MetricId::LogitLinf || metric == MetricId::LogitOsc ||
         metric == MetricId::LogitL2 || metric == MetricId::LogitRel;
}

/// How much of the population has to reach a lower limit, or to stay below an upper one.
std::optional<std::pair<Counter::Target, Rational>> askedOf(const model::Measure& measure,
                                                            Side side) {
  using Target = Counter::Target;
  switch (measure.aggregate) {
  case Aggregate::Mean:
    return std::pair(Target::Mean, Rational(0));
  case Aggregate::Max:
    return std::pair(side == Side::Lower ? Target::SomeValue : Target::EveryValue, Rational(0));
  case Aggregate::Min:
    return std::pair(side == Side::Lower ? Target::EveryValue : Target::SomeValue, Rational(0));
  case Aggregate::Quantile:
    return std::pair(Target::Share,
                     side == Side::Lower ? Rational(1 - measure.level) : measure.level);
  default:
    return std::nullopt;
  }
}

/// What is told of logits holds however a kernel samples.
bool isOfLogits(Quantity quantity) {
  switch (quantity) {
  case Quantity::LogitLinf:
  case Quantity::LogitOsc:
  case Quantity::LogitL2:
  case Quantity::LogitRel:
  case Quantity::Top1Flip:
  case Quantity::Top1Margin:
    return true;
  default:
    return false;
  }
}

bool isFloor(ClaimId claim, const Goal& goal) {
  auto low = parseDecimal(model::info(claim).range.low);
  return goal.lower && low && goal.budget <= *low && !goal.strict;
}

/// Whether the ratio p/q of what q draws, whose mean is 1, cannot be like that.
bool contradictsMeanOfOne(const model::Bound& bound) {
  const model::Measure& measure = bound.measure;
  const std::vector<Rational>& given = measure.parameters;
  bool isRatio = measure.metric == MetricId::Ratio || measure.metric == MetricId::SeqRatio;
  bool isCapped =
      measure.metric == MetricId::CappedRatio || measure.metric == MetricId::SeqCappedRatio;
  bool isEvent = measure.metric == MetricId::Clipped || measure.metric == MetricId::SeqClipped;
  Rational least = 1, most = 1; // that a largest figure can be, and that a smallest one can be
  if (isCapped) {
    least = std::min(Rational(1), given.at(1));
    most = std::max(Rational(1), given.at(0));
  } else if (isEvent) { // some ratio is at most 1, and some at least 1
    if (given.size() < 2 || (given[0] <= 1 && 1 <= given[1]))
      return false;
  } else if (!isRatio && measure.metric != MetricId::SeqGeoRatio) {
    return false;
  }
  bool isMean = isRatio && measure.aggregate == Aggregate::Mean;
  bool isLargest = measure.aggregate == Aggregate::Max || isMean ||
                   (isRatio && measure.aggregate == Aggregate::RootMeanSquare);
  bool isSmallest = !isEvent && (measure.aggregate == Aggregate::Min || isMean);
  for (const QuantityLimit& limit : limitsOf(bound)) {
    Rational amount = limit.quantity.scaled();
    if (limit.side == Side::Upper
            ? isLargest && (amount < least || (limit.strict && amount == least))
            : isSmallest && (amount > most || (limit.strict && amount == most)))
      return true;
  }
  return false;
}

/// Whether the aggregate of sizes is at most the largest of them.
bool isWithinValues(Aggregate aggregate) {
  switch (aggregate) {
  case Aggregate::Max:
  case Aggregate::Min:
  case Aggregate::Mean:
  case Aggregate::MeanByResponse:
  case Aggregate::RootMeanSquare:
  case Aggregate::Deviation:
  case Aggregate::Quantile:
    return true;
  default:
    return false;
  }
}

/// What a figure of sampled tokens asks, from below, of the two distributions: a mean only where
/// the second one draws the tokens.
std::optional<Counter> drawnFrom(const model::Measure& measure, const QuantityLimit& limit,
                                 bool isDrawnBySecond, unsigned bits) {
  if (limit.side != Side::Lower || measure.threshold)
    return std::nullopt;
  Counter out;
  out.limit = amount(limit.quantity, bits, Rounding::Down);
  out.strict = limit.strict;
  bool isSize = measure.absolute &&
                (measure.metric == MetricId::LogprobGap || measure.metric == MetricId::K1);
  if (isSize && isWithinValues(measure.aggregate)) { // one of its tokens reaches it
    out.quantity = Quantity::LogprobLinf;
    out.target = Counter::Target::SomeValue;
    return out;
  }
  if (!isDrawnBySecond || measure.aggregate != Aggregate::Mean || measure.absolute)
    return std::nullopt;
  out.target = Counter::Target::Mean;
  if (measure.metric == MetricId::TvSampled)
    out.quantity = Quantity::Tv;
  else if (measure.metric == MetricId::K1 || measure.metric == MetricId::K3)
    out.quantity = Quantity::KlInferTrain;
  else
    return std::nullopt;
  return out;
}

} // namespace

void Poser::poseClause(std::size_t index) {
  const model::Clause& clause = contract_.clauses[index];
  if (clause.directive)
    return;
  std::uint32_t link = linkOf(clause);
  for (std::size_t i = 0; i < clause.bounds.size(); ++i) {
    Origin from = origin(Origin::Kind::Clause, clause.id.text, clause.bounds[i].span);
    from.stated = {index, i};
    const std::vector<QuantityLimit> limits = limitsOf(clause.bounds[i]);
    for (const QuantityLimit& limit : limits)
      poseLimit(clause, clause.bounds[i], limit, link, from);
    poseLaw(clause, clause.bounds[i], *from.stated, link);
    const auto& metric = model::info(clause.bounds[i].measure.metric);
    bool isOfLaws = metric.input == model::Input::Logits || metric.input == model::Input::Logprobs;
    const auto leadsNowhere = [&](const QuantityLimit& limit) {
      return !whyNoPromise(clause.bounds[i].measure, limit).empty();
    };
    if (isOfLaws && metric.id != MetricId::Nonfinite &&
        std::all_of(limits.begin(), limits.end(), leadsNowhere))
      passOver(fmt::format("`{}` is not used: {}", clause.id.text,
                           whyNoPromise(clause.bounds[i].measure, limits.front())));
  }
}

std::optional<About> Poser::aboutOf(const model::Clause& clause, MetricId metric,
                                    std::uint32_t link) {
  const Problem::Link& ends = problem_.links[link];
  std::uint32_t drawer = asks(Question::Drawer) ? laws_.drawerOf(clause) : problem_.server;
  About out = ends.rows;
  out.drawer = drawer;
  switch (model::info(metric).input) {
  case model::Input::Logprobs:
    out.first = asks(Question::LoggedByTrainer) ? laws_.logged(ends.first) : model::Law::Served;
    out.second = asks(Question::LoggedByServer) ? laws_.logged(ends.second) : model::Law::Served;
    if (out.second != model::Law::Served)
      passOver(fmt::format("`{}` is not used: the inference kernel logs raw log-probs, not those "
                           "of the law that it samples from",
                           clause.id.text));
    else if (out.first != model::Law::Served)
      passOver(fmt::format("`{}` is not used: the training kernel logs raw log-probs, not those "
                           "of the policy that claims compare",
                           clause.id.text));
    else if (drawer != ends.second)
      passOver(fmt::format("`{}` is not used: its tokens are not drawn by the second kernel of "
                           "its link",
                           clause.id.text));
    else if (drawer != problem_.server && model::info(metric).level == model::Level::Token)
      passOver(fmt::format("`{}` is not used: its tokens follow prefixes that the inference kernel "
                           "did not draw, but claims are about prefixes that it drew",
                           clause.id.text));
    return out;
  case model::Input::Logits:
    if (metric == MetricId::MissingMass)
      cut(out, clause, ends);
    else if (out.first == model::Law::Whole && metric != MetricId::Top1Flip &&
             metric != MetricId::Top1Margin)
      passOver(fmt::format("`{}` is not used: rows compare laws before cuts, but the first kernel "
                           "of its link cuts",
                           clause.id.text));
    if (drawer != problem_.server)
      passOver(fmt::format("`{}` is not used: its rows follow prefixes that the inference kernel "
                           "did not draw, but claims are about prefixes that it drew",
                           clause.id.text));
    if (isOfMaskedLogits(metric) && link == problem_.measured && laws_.declaresMissingMass() &&
        asks(Question::LeftOutOfDrift)) {
      out.isKept = true;
      if (link != 0)
        passOver(
            fmt::format("`{}` is not used: it leaves out the tokens that are declared missing, and "
                        "the effect of the weights' age on them is unknown",
                        clause.id.text));
    }
    return out;
  default:
    return std::nullopt;
  }
}

void Poser::cut(About& about, const model::Clause& clause, const Problem::Link& ends) {
  bool declares = laws_.kernels()[ends.second].declaresCut();
  bool isOfRequests =
      ends.second == problem_.server && laws_.cutVaries() && asks(Question::RequestCuts);
  if (about.second == model::Law::Whole && declares && !isOfRequests)
    about.second = model::Law::Served;
  if (about.second != model::Law::Served)
    passOver(fmt::format("`{}` is not used: {}", clause.id.text,
                         declares ? "requests set their own temperature or `top_p`"
                                  : "neither `sampling` nor `support: full` says which tokens the "
                                    "inference kernel cuts"));
  else if (about.first != model::Law::Served)
    passOver(fmt::format("`{}` is not used: it is about the training kernel's law before its cuts",
                         clause.id.text));
}

bool Poser::servesRows(const About& about, model::Level level, std::uint32_t link) const {
  std::uint32_t second = problem_.links[link].second;
  return fullSupport_ && level == model::Level::Row && second == problem_.server &&
         about.second == model::Law::Served && !laws_.kernels()[second].declaresCut();
}

void Poser::poseLimit(const model::Clause& clause, const model::Bound& bound,
                      const QuantityLimit& limit, std::uint32_t link, const Origin& from) {
  auto about = aboutOf(clause, bound.measure.metric, link);
  if (!about)
    return;
  const auto& metric = model::info(bound.measure.metric);
  bool isResponse = model::levelOf(bound.measure) == model::Level::Sequence;
  std::uint32_t index = problem_.indexOf(*about);
  poseCounter(bound, limit, from, {0, link, index}, isResponse);
  for (const Promise& promise : promisesOf(bound.measure, limit, problem_.bits)) {
    if (metric.level == model::Level::Row && isGreedy(link) && asks(Question::Greedy) &&
        !isOfLogits(promise.key.quantity))
      return passOver(fmt::format("`{}` is not used: it compares whole softmaxes, but a kernel "
                                  "that samples greedily keeps only one token",
                                  clause.id.text));
    for (std::uint32_t slice : slicesOf(bound.scope))
      if (!isResponse || !problem_.cutsResponses(slice) || !asks(Question::ResponsesInSlice)) {
        FactId id = add(promise.key, promise.value, from, {slice, link, index}, promise.strict);
        problem_.facts.change(id, [&](Fact& fact) {
          fact.exactly = promise.exactly;
          fact.origin->isThreshold = promise.isThreshold;
          if (servesRows(*about, metric.level, link))
            fact.under = {*fullSupport_};
        });
      }
  }
}

void Poser::poseLaw(const model::Clause& clause, const model::Bound& bound, ClauseBound stated,
                    std::uint32_t link) {
  MetricId metric = bound.measure.metric;
  auto about = aboutOf(clause, metric, link);
  if (!about || isOfMaskedLogits(metric) || metric == MetricId::Nonfinite)
    return;
  bool isResponse = model::info(metric).level == model::Level::Sequence;
  auto isWhole = [&](std::uint32_t slice) { return !isResponse || !problem_.cutsResponses(slice); };
  auto ask = [&](Counter counter) {
    counter.stated = stated;
    for (std::uint32_t slice : slicesOf(bound.scope))
      if (isWhole(slice)) {
        counter.place = {slice, link, problem_.indexOf(*about)};
        problem_.counters.push_back(counter);
      }
  };
  if (model::haveOneLaw(contract_) && model::refusesEqualKernels(bound)) {
    Counter counter;
    counter.quantity = Quantity::Tv;
    counter.target = Counter::Target::SomeValue;
    counter.strict = true;
    ask(counter);
  }
  const bool isDrawnBySecond = about->drawer == problem_.links[link].second;
  for (const QuantityLimit& limit : limitsOf(bound))
    if (auto counter = drawnFrom(bound.measure, limit, isDrawnBySecond, problem_.bits))
      ask(*counter);
  bool isServed = about->first == model::Law::Served && about->second == model::Law::Served &&
                  !about->isKept && link == problem_.measured;
  if (fullSupport_ && isDrawnBySecond && isServed && contradictsMeanOfOne(bound))
    for (std::uint32_t slice : slicesOf(bound.scope))
      if (!problem_.cutsResponses(slice))
        return problem_.impossible.push_back(stated);
}

void Poser::poseCounter(const model::Bound& bound, const QuantityLimit& limit, const Origin& from,
                        Place place, bool isResponse) {
  Side other = limit.side == Side::Upper ? Side::Lower : Side::Upper;
  auto target = askedOf(bound.measure, limit.side);
  for (const Reading& reading : readingsOf(bound.measure, other)) {
    if (!target || reading.negated || info(reading.quantity).side == limit.side)
      continue;
    Counter counter;
    counter.stated = *from.stated;
    counter.quantity = reading.quantity;
    counter.place = place;
    std::tie(counter.target, counter.share) = *target;
    counter.limit = amount(limit.quantity, problem_.bits,
                           limit.side == Side::Upper ? Rounding::Up : Rounding::Down);
    counter.strict = limit.strict;
    for (std::uint32_t slice : slicesOf(bound.scope))
      if (!isResponse || !problem_.cutsResponses(slice)) {
        counter.place.slice = slice;
        problem_.counters.push_back(counter);
      }
  }
}

void Poser::poseClaim(std::size_t index) {
  const model::Claim& claim = contract_.claims[index];
  std::uint32_t link = linkOf(claim);
  for (std::size_t i = 0; i < claim.bounds.size(); ++i) {
    const model::Bound& bound = claim.bounds[i];
    for (const QuantityLimit& limit : limitsOf(bound))
      for (std::uint32_t slice : slicesOf(bound.scope)) {
        Goal goal;
        goal.claim = index;
        goal.bound = i;
        goal.place = {slice, link, 0};
        goal.lower = limit.side == Side::Lower;
        goal.strict = limit.strict;
        goal.budget =
            amount(limit.quantity, problem_.bits, goal.lower ? Rounding::Up : Rounding::Down);
        goal.exactly = exactlyOf(limit.quantity, goal.budget);
        // What no value can fall short of needs no proof.
        if (isFloor(bound.measure.claim, goal))
          continue;
        goal.key = claimKeyOf(bound.measure, limit.side, isOfBatch(contract_));
        goal.place.about = problem_.indexOf(claimed(goal));
        if (goal.key && info(goal.key->quantity).level == QuantityInfo::Level::Response &&
            problem_.cutsResponses(slice) && asks(Question::ResponsesInSlice))
          goal.key.reset();
        problem_.goals.push_back(std::move(goal));
      }
  }
}

About Poser::claimed(const Goal& goal) const {
  About out = problem_.served();
  if (goal.key && info(goal.key->quantity).level == QuantityInfo::Level::Response)
    out.drawer = problem_.links[goal.place.link].second;
  return out;
}

} // namespace tikc::bounds
