#include "bounds/prove/Readings.h"

#include "model/Metrics.h"

#include <algorithm>

namespace tikc::bounds {

using model::Aggregate;
using model::ClaimId;
using model::Comparator;
using model::MetricId;

namespace {

using Side = QuantityInfo::Side;

struct ClaimedQuantity {
  ClaimId claim;
  Quantity quantity;
};

std::optional<Quantity> quantityOf(ClaimId claim, Side side) {
  if (claim == ClaimId::Ratio)
    return side == Side::Upper ? Quantity::Ratio : Quantity::RatioFloor;
  if (claim == ClaimId::SeqRatio)
    return side == Side::Upper ? Quantity::SeqRatio : Quantity::SeqRatioFloor;
  static constexpr ClaimedQuantity rows[] = {
      {ClaimId::Tv, Quantity::Tv},
      {ClaimId::KlTrainInfer, Quantity::KlTrainInfer},
      {ClaimId::KlInferTrain, Quantity::KlInferTrain},
      {ClaimId::Chi2, Quantity::Chi2},
      {ClaimId::Hellinger, Quantity::Hellinger},
      {ClaimId::Js, Quantity::Js},
      {ClaimId::Ess, Quantity::Ess},
      {ClaimId::EntropyGap, Quantity::EntropyGap},
      {ClaimId::Top1Flip, Quantity::Top1Flip},
      {ClaimId::StepRewardDrift, Quantity::StepRewardDrift},
      {ClaimId::SeqTv, Quantity::SeqTv},
      {ClaimId::SeqKl, Quantity::SeqKlInferTrain},
      {ClaimId::SeqEss, Quantity::SeqEss},
      {ClaimId::RewardDrift, Quantity::RewardDrift},
      {ClaimId::DiscountedRewardDrift, Quantity::DiscountedRewardDrift},
      {ClaimId::PgBias, Quantity::PgBias},
  };
  for (const ClaimedQuantity& row : rows)
    if (row.claim == claim)
      return info(row.quantity).side == side ? std::optional(row.quantity) : std::nullopt;
  return std::nullopt;
}

std::vector<Reading> readingsOfGap(const model::Measure& measure, Side side) {
  bool isSequence = measure.metric == MetricId::SeqLogRatio;
  bool isMean = measure.aggregate == Aggregate::Mean, isUpper = side == Side::Upper;
  if (measure.absolute)
    return isUpper ? std::vector<Reading>{{isSequence ? Quantity::SeqSampledAbsGap
                                                      : Quantity::SampledAbsGap}}
                   : std::vector<Reading>{};
  if (isMean)
    return isUpper ? std::vector<Reading>{}
                   : std::vector<Reading>{
                         {isSequence ? Quantity::SeqSampledK1 : Quantity::SampledK1, true}};
  if (isUpper)
    return {{isSequence ? Quantity::SeqSampledRise : Quantity::SampledRise}};
  return {{isSequence ? Quantity::SeqSampledGap : Quantity::SampledGap, true}};
}

/// k1 is the gap with its sign turned, and as large.
std::vector<Reading> readingsOfK1(const model::Measure& measure, Side side) {
  if (measure.absolute)
    return readingsOfGap(measure, side);
  if (measure.aggregate == Aggregate::Mean)
    return side == Side::Upper ? std::vector<Reading>{{Quantity::SampledK1}}
                               : std::vector<Reading>{};
  return side == Side::Upper ? std::vector<Reading>{{Quantity::SampledGap}}
                             : std::vector<Reading>{{Quantity::SampledRise, true}};
}

} // namespace

bool isSigned(MetricId metric) { return model::isLogRatio(metric) || metric == MetricId::K1; }

bool isCapped(MetricId metric) {
  return metric == MetricId::CappedRatio || metric == MetricId::SeqCappedRatio;
}

std::vector<Reading> readingsOf(const model::Measure& measure, Side side) {
  if (model::isLogRatio(measure.metric))
    return readingsOfGap(measure, side);
  if (measure.metric == MetricId::K1)
    return readingsOfK1(measure, side);
  struct Row {
    MetricId metric;
    Quantity quantity;
    bool hasMean = true; // means of ratios and margins say nothing
  };
  static constexpr Row rows[] = {
      {MetricId::LogitLinf, Quantity::LogitLinf},
      {MetricId::LogitOsc, Quantity::LogitOsc},
      {MetricId::LogitL2, Quantity::LogitL2},
      {MetricId::LogitRel, Quantity::LogitRel},
      {MetricId::LogprobLinf, Quantity::LogprobLinf},
      {MetricId::Tv, Quantity::Tv},
      {MetricId::Hellinger, Quantity::Hellinger},
      {MetricId::KlTrainInfer, Quantity::KlTrainInfer},
      {MetricId::KlInferTrain, Quantity::KlInferTrain},
      {MetricId::Js, Quantity::Js},
      {MetricId::Chi2, Quantity::Chi2},
      {MetricId::Top1Flip, Quantity::Top1Flip},
      {MetricId::Top1Margin, Quantity::Top1Margin, false},
      {MetricId::EntropyGap, Quantity::EntropyGap},
      {MetricId::MissingMass, Quantity::MissingMass},
      {MetricId::Ratio, Quantity::SampledRatio, false},
      {MetricId::Ratio, Quantity::SampledRatioUp, false},
      {MetricId::TvSampled, Quantity::SampledTv},
      {MetricId::K2, Quantity::SampledK2},
      {MetricId::K3, Quantity::SampledK3},
      {MetricId::ProbGap, Quantity::SampledProbGap},
      {MetricId::BinaryKl, Quantity::SampledBinaryKl},
      {MetricId::MultProbError, Quantity::SampledMultError},
      {MetricId::SeqTv, Quantity::SeqSampledTv},
      {MetricId::SeqRatio, Quantity::SeqSampledRatio, false},
      {MetricId::SeqRatio, Quantity::SeqSampledRatioUp, false},
      {MetricId::SeqGeoRatio, Quantity::SeqGeoRatio, false},
      {MetricId::SeqGeoRatio, Quantity::SeqGeoRatioUp, false},
  };
  std::vector<Reading> out;
  for (const Row& row : rows)
    if (row.metric == measure.metric && info(row.quantity).side == side &&
        (row.hasMean || measure.aggregate != Aggregate::Mean))
      out.push_back({row.quantity});
  return out;
}

std::optional<Key> keyOf(const model::Measure& measure, Quantity quantity, Side side) {
  switch (measure.aggregate) {
  case Aggregate::None:
  case Aggregate::Mean:
    return Key{quantity, Quantifier::Mean, 0};
  case Aggregate::Max:
    return side == Side::Upper ? std::optional(Key{quantity, Quantifier::Sup, 0}) : std::nullopt;
  case Aggregate::Min:
    return side == Side::Lower ? std::optional(Key{quantity, Quantifier::Sup, 0}) : std::nullopt;
  case Aggregate::Quantile: {
    Rational share = side == Side::Upper ? Rational(1 - measure.level) : measure.level;
    return Key{quantity, Quantifier::Quantile, share, side == Side::Lower};
  }
  default:
    return std::nullopt;
  }
}

namespace {

/// What is said to hold of all but a share.
struct Event {
  Side side;
  Rational share;
  model::Amount limit;
  bool strict = false;
};

Key keyOf(Quantity quantity, const Rational& share, const QuantityLimit& limit) {
  bool isQuantile = share > 0;
  return {quantity, isQuantile ? Quantifier::Quantile : Quantifier::Sup, share,
          isQuantile && limit.strict};
}

/// rate(M > t) <= a, and rate(M <= t) >= 1 − a, say that M <= t of all but a share a.
std::optional<Event> eventOf(const model::Measure& measure, const QuantityLimit& limit) {
  if (measure.aggregate != Aggregate::Rate || !measure.threshold)
    return std::nullopt;
  using enum Comparator;
  bool countsFailures = limit.side == Side::Upper;
  Rational share = countsFailures ? limit.quantity.scaled() : Rational(1 - limit.quantity.scaled());
  Comparator comparator = measure.threshold->comparator;
  if (share < 0 || share >= 1 || comparator == Equal || comparator == NotEqual)
    return std::nullopt;
  return Event{isAbove(comparator) == countsFailures ? Side::Upper : Side::Lower, share,
               measure.threshold->bound, isStrict(comparator) != countsFailures};
}

/// The share on which an indicator may be 1.
std::optional<Rational> shareOfIndicator(const model::Measure& measure,
                                         const QuantityLimit& limit) {
  Rational value = limit.quantity.scaled();
  if (limit.side != Side::Upper || value < 0 || value >= 1)
    return std::nullopt;
  switch (measure.aggregate) {
  case Aggregate::Mean:
  case Aggregate::Rate:
    return measure.threshold ? std::nullopt : std::optional(value);
  case Aggregate::Max:
    return Rational(0);
  default:
    return std::nullopt;
  }
}

/// A ratio outside [low, high], or below low, is what these count.
struct Indicator {
  MetricId metric;
  Quantity low;
  std::optional<Quantity> high = std::nullopt;
};

const Indicator* indicatorOf(MetricId metric) {
  static constexpr Indicator rows[] = {
      {MetricId::Clipped, Quantity::SampledRatio, Quantity::SampledRatioUp},
      {MetricId::Veto, Quantity::SampledRatio},
      {MetricId::SeqClipped, Quantity::SeqSampledRatio, Quantity::SeqSampledRatioUp},
      {MetricId::SeqGeoClipped, Quantity::SeqGeoRatio, Quantity::SeqGeoRatioUp},
      {MetricId::SeqVeto, Quantity::SeqLeastRatio},
  };
  const auto* found = std::find_if(std::begin(rows), std::end(rows),
                                   [&](const Indicator& row) { return row.metric == metric; });
  return found == std::end(rows) ? nullptr : found;
}

std::vector<Promise> promisesOfIndicator(const Indicator& indicator, const model::Measure& measure,
                                         const QuantityLimit& limit) {
  auto share = shareOfIndicator(measure, limit);
  if (!share || measure.parameters.empty())
    return {};
  std::vector<Promise> out;
  auto add = [&](Quantity quantity, const Rational& threshold) {
    out.push_back({keyOf(quantity, *share, limit), threshold, false, std::nullopt, true});
  };
  add(indicator.low, measure.parameters.front());
  if (indicator.high)
    add(*indicator.high, measure.parameters.at(1));
  // That no response has such a token is said of all tokens.
  if (indicator.metric == MetricId::SeqVeto && *share == 0)
    add(Quantity::SampledRatio, measure.parameters.front());
  return out;
}

Promise promiseOf(Key key, const Reading& reading, Side side, const model::Amount& limit,
                  bool strict, unsigned bits) {
  Rational value = amount(limit, bits, side == Side::Upper ? Rounding::Up : Rounding::Down);
  auto exactly = exactlyOf(limit, value);
  if (reading.negated) {
    value = -value;
    if (exactly)
      exactly = {{-exactly->value.factor, exactly->value.of}, value};
  }
  return {std::move(key), std::move(value), strict, std::move(exactly)};
}

/// A mean of sizes is at most the root of the mean square, whatever the figure's sign.
model::Measure meanOfSizes(model::Measure measure) {
  measure.aggregate = Aggregate::Mean;
  measure.absolute = measure.absolute || isSigned(measure.metric);
  return measure;
}

/// E w², which is 1 + χ². The mean of w is at most 1: exactly 1 where no mass is missing.
std::vector<Promise> promisesOfSquare(const model::Measure& measure, const QuantityLimit& limit) {
  const Rational value = limit.quantity.scaled();
  const bool isUpper = limit.side == Side::Upper;
  std::optional<Rational> square;
  if (measure.aggregate == Aggregate::RootMeanSquare && isUpper && value >= 0)
    square = value * value;
  else if (measure.aggregate == Aggregate::Deviation && isUpper && value >= 0)
    square = 1 + value * value;
  else if (measure.aggregate == Aggregate::EffectiveShare && !isUpper && value > 0)
    square = 1 / value;
  if (!square)
    return {};
  const Quantity quantity =
      measure.metric == MetricId::Ratio ? Quantity::SampledSquare : Quantity::SeqSampledSquare;
  return {{{quantity, Quantifier::Mean, 0}, *square, limit.strict}};
}

/// 1 − min(w, 1) is (1 − w)⁺, whose mean a lower cap makes larger.
std::vector<Promise> promisesOfCappedMean(const model::Measure& measure,
                                          const QuantityLimit& limit) {
  if (limit.side != Side::Lower || measure.parameters.at(0) != 0 || measure.parameters.at(1) > 1)
    return {};
  const Quantity quantity =
      measure.metric == MetricId::CappedRatio ? Quantity::SampledTv : Quantity::SeqSampledTv;
  return {{{quantity, Quantifier::Mean, 0}, 1 - limit.quantity.scaled(), limit.strict}};
}

/// Between its caps, the capped ratio is the ratio.
bool isBetweenCaps(const model::Measure& measure, const QuantityLimit& limit) {
  const Rational value =
      measure.threshold ? measure.threshold->bound.scaled() : limit.quantity.scaled();
  return measure.parameters.at(0) < value && value < measure.parameters.at(1);
}

std::vector<Promise> promisesByResponse(const model::Measure& measure, const QuantityLimit& limit,
                                        unsigned bits) {
  std::optional<Quantity> quantity;
  if (measure.metric == MetricId::TvSampled)
    quantity = Quantity::TvByResponse;
  else if (measure.metric == MetricId::K3)
    quantity = Quantity::K3ByResponse;
  else if (measure.absolute && isSigned(measure.metric))
    quantity = Quantity::AbsGapByResponse; // of the gap or of k1, which are as large
  if (limit.side != Side::Upper || !quantity)
    return {};
  return {
      {{*quantity, Quantifier::Mean, 0}, amount(limit.quantity, bits, Rounding::Up), limit.strict}};
}

} // namespace

std::vector<Promise> promisesOf(const model::Measure& measure, const QuantityLimit& limit,
                                unsigned bits) {
  using enum MetricId;
  if (isCapped(measure.metric)) {
    if (measure.aggregate == Aggregate::Mean)
      return promisesOfCappedMean(measure, limit);
    model::Measure uncapped = measure;
    uncapped.metric = measure.metric == CappedRatio ? Ratio : SeqRatio;
    const bool isOfValues = measure.aggregate == Aggregate::Max ||
                            measure.aggregate == Aggregate::Min ||
                            measure.aggregate == Aggregate::Quantile || measure.threshold;
    return isOfValues && isBetweenCaps(measure, limit) ? promisesOf(uncapped, limit, bits)
                                                       : std::vector<Promise>{};
  }
  if (measure.metric == Ratio || measure.metric == SeqRatio)
    if (auto found = promisesOfSquare(measure, limit); !found.empty())
      return found;
  if (measure.aggregate == Aggregate::MeanByResponse)
    return promisesByResponse(measure, limit, bits);
  if (measure.aggregate == Aggregate::RootMeanSquare)
    return limit.side == Side::Upper ? promisesOf(meanOfSizes(measure), limit, bits)
                                     : std::vector<Promise>{};
  if (const Indicator* indicator = indicatorOf(measure.metric))
    return promisesOfIndicator(*indicator, measure, limit);
  auto event = eventOf(measure, limit);
  Side side = event ? event->side : limit.side;
  std::vector<Promise> out;
  for (const Reading& reading : readingsOf(measure, side)) {
    auto key = event ? std::optional(keyOf(reading.quantity, event->share, limit))
                     : keyOf(measure, reading.quantity, side);
    if (!key)
      continue;
    out.push_back(promiseOf(std::move(*key), reading, side, event ? event->limit : limit.quantity,
                            event ? event->strict : limit.strict, bits));
    out.back().isThreshold = event.has_value();
  }
  return out;
}

/// A ratio's mean is no distance: only its largest and smallest values and its quantiles are.
std::optional<Key> claimKeyOf(const model::Measure& measure, Side side, bool isOfBatch) {
  auto quantity = quantityOf(measure.claim, side);
  bool isRatio = measure.claim == ClaimId::Ratio || measure.claim == ClaimId::SeqRatio;
  bool isMean = measure.aggregate == Aggregate::Mean || measure.aggregate == Aggregate::None;
  bool isPooled = quantity == Quantity::PgBias && isOfBatch;
  if (!quantity || (isRatio && isMean))
    return std::nullopt;
  return keyOf(measure, isPooled ? Quantity::PgTokenBias : *quantity, side);
}

bool isOfBatch(const model::Contract& contract) {
  const model::Assumptions& assumptions = contract.assumptions;
  return assumptions.loss && assumptions.loss->value == model::Loss::BatchMean &&
         assumptions.estimator && assumptions.estimator->value != model::GradientEstimator::Step;
}

} // namespace tikc::bounds
