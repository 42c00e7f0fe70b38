#include "bounds/prove/ClauseForms.h"

#include "bounds/prove/Readings.h"
#include "support/Names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::bounds {

using model::Aggregate;
using model::MetricId;
using Side = QuantityInfo::Side;

namespace {

constexpr unsigned anyPrecision = 64;

bool isEventOfRatio(const model::MetricInfo& metric) {
  return metric.gives == model::Gives::Event && metric.input == model::Input::Logprobs;
}

/// Of a metric that no aggregate leads from.
std::string_view whyNever(const model::MetricInfo& metric) {
  if (metric.level == model::Level::Window)
    return "it is a figure of the samples of one window, and does not bound a distance of the "
           "kernels' distributions";
  if (metric.id == MetricId::ProbGap)
    return "a small change of a rare token's probability can be a large ratio";
  if (metric.id == MetricId::BinaryKl)
    return "the probability of the sampled token leaves the drift of all others open";
  if (metric.id == MetricId::Nonfinite)
    return "distances are of finite logits, and this counts the others";
  if (metric.input != model::Input::Logits && metric.input != model::Input::Logprobs)
    return "it does not compare the two kernels' distributions";
  return {};
}

bool leads(const model::Measure& measure, const QuantityLimit& limit) {
  return whyNever(model::info(measure.metric)).empty() &&
         !promisesOf(measure, limit, anyPrecision).empty();
}

std::string_view whyAggregate(const model::Measure& measure) {
  const model::MetricInfo& metric = model::info(measure.metric);
  const bool isRatio = model::isWeight(metric);
  switch (measure.aggregate) {
  case Aggregate::Max:
  case Aggregate::Min:
    return "the extreme of this side does not bound other values";
  case Aggregate::Deviation:
    return "a spread does not bound the mean";
  case Aggregate::MeanByResponse:
    if (isSigned(measure.metric))
      return "values of both signs cancel each other within a response";
    if (isRatio)
      return "ratios have a mean of 1, whatever the drift";
    return "no lemma adds it up over a response";
  case Aggregate::Mean:
    if (isCapped(measure.metric))
      return "only with `low` at 0 and `high` at most 1 is its distance from 1 a total variation";
    if (isRatio)
      return "ratios have a mean of 1, whatever the drift";
    if (measure.metric == MetricId::Top1Margin)
      return "whether the most likely token changes is decided where the margin is small";
    return "values of both signs cancel each other";
  case Aggregate::RootMeanSquare:
  case Aggregate::EffectiveShare:
    if (isCapped(measure.metric))
      return "caps hide the largest ratios, which decide the spread";
    return "no lemma leads from a mean square of it to a claim";
  case Aggregate::Quantile:
  case Aggregate::Rate:
    if (isEventOfRatio(metric))
      return "it is 0 or 1: limit its mean, which is the share of ones";
    return "no lemma leads from its quantiles to a claim";
  default:
    return "no lemma leads from this aggregate to a claim";
  }
}

} // namespace

std::string_view whyNoPromise(const model::Measure& measure, const QuantityLimit& limit) {
  if (leads(measure, limit))
    return {};
  if (auto never = whyNever(model::info(measure.metric)); !never.empty())
    return never;
  const bool isUpper = limit.side == Side::Upper;
  QuantityLimit other = limit;
  other.side = isUpper ? Side::Lower : Side::Upper;
  if (leads(measure, other))
    return isUpper ? "it is an upper bound, and only a lower bound would lead to a claim"
                   : "it is a lower bound, and only an upper bound would lead to a claim";
  const bool isOfValues = measure.aggregate == Aggregate::Max ||
                          measure.aggregate == Aggregate::Min ||
                          measure.aggregate == Aggregate::Quantile || measure.threshold;
  if (isCapped(measure.metric) && isOfValues)
    return "it does not lie between the caps, where the capped ratio is the ratio";
  return whyAggregate(measure);
}

std::vector<ClauseForm> clauseForms(const model::MetricInfo& metric) {
  if (auto never = whyNever(metric); !never.empty())
    return {{std::string(metric.symbol), never}};
  struct Fold {
    Aggregate aggregate;
    std::string_view text;
    bool isOffered = true;
    Rational level = 0; // of a quantile, from this side
    Side side = Side::Upper;
  };
  const Fold folds[] = {
      {Aggregate::Max, "max({})"},
      {Aggregate::Min, "min({})"},
      {Aggregate::Mean, "mean({})"},
      {Aggregate::MeanByResponse, "mean_by_response({})", model::isAveragedByResponse(metric)},
      {Aggregate::RootMeanSquare, "rms({})"},
      {Aggregate::Deviation, "std({})"},
      {Aggregate::EffectiveShare, "effective_share({})", model::isWeight(metric)},
      {Aggregate::Quantile, "p99({})", !isEventOfRatio(metric), Rational(99, 100), Side::Upper},
      {Aggregate::Quantile, "quantile({}, 0.01)", !isEventOfRatio(metric), Rational(1, 100),
       Side::Lower},
      {Aggregate::Rate, "rate({} > …)", !isEventOfRatio(metric)},
  };
  std::vector<ClauseForm> out, unused;
  auto add = [&](const Fold& fold, bool absolute, std::vector<Rational> parameters,
                 std::string_view symbol) {
    model::Measure measure;
    measure.metric = metric.id;
    measure.aggregate = fold.aggregate;
    measure.level = fold.level;
    measure.absolute = absolute;
    measure.parameters = std::move(parameters);
    model::Amount value;
    value.value = Rational(3, 4);
    if (fold.aggregate == Aggregate::Rate)
      measure.threshold = {model::Comparator::Greater, value};
    const std::string text = fmt::format(
        fmt::runtime(fold.text), absolute ? fmt::format("abs({})", symbol) : std::string(symbol));
    bool isUsed = false;
    for (Side side : {Side::Upper, Side::Lower}) {
      if ((fold.level != 0 && side != fold.side) || !leads(measure, {value, side}))
        continue;
      isUsed = true;
      out.push_back({text + (side == Side::Upper ? " <= …" : " >= …"), {}});
    }
    if (!isUsed && fold.level == 0)
      unused.push_back({text, whyNoPromise(measure, {value, Side::Upper})});
  };
  const std::vector<Rational> none, caps = {Rational(1, 2), Rational(2)};
  const bool hasParameters = !metric.parameters.empty();
  const std::string name =
      hasParameters
          ? fmt::format("{}({})", metric.symbol, fmt::join(splitWords(metric.parameters), ", "))
          : std::string(metric.symbol);
  for (const Fold& fold : folds)
    if (fold.isOffered) {
      add(fold, false, hasParameters ? caps : none, name);
      if (fold.aggregate == Aggregate::Mean && isCapped(metric.id))
        add(fold, false, {0, 1}, fmt::format("{}(0, 1)", metric.symbol));
      if (isSigned(metric.id) && fold.aggregate != Aggregate::Min &&
          fold.aggregate != Aggregate::Deviation)
        add(fold, true, none, name);
    }
  out.insert(out.end(), unused.begin(), unused.end());
  return out;
}

} // namespace tikc::bounds
