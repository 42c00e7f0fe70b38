#include "bounds/prove/Readings.h"

#include "bounds/facts/Evaluate.h"
#include "metrics/Metrics.h"

namespace tikc::bounds {

using model::Aggregate;
using model::ClaimId;
using model::Comparator;
using model::MetricId;

namespace {

using Side = QuantityInfo::Side;

bool isTwoSided(MetricId metric) {
  return metric == MetricId::LogprobGap || metric == MetricId::SeqLogRatio;
}

struct Claimed {
  ClaimId claim;
  Quantity quantity;
};

std::optional<Quantity> quantityOf(ClaimId claim, Side side) {
  if (claim == ClaimId::Ratio)
    return side == Side::Upper ? Quantity::Ratio : Quantity::RatioFloor;
  if (claim == ClaimId::SeqRatio)
    return side == Side::Upper ? Quantity::SeqRatio : Quantity::SeqRatioFloor;
  static constexpr Claimed rows[] = {
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
  for (const Claimed& row : rows)
    if (row.claim == claim)
      return info(row.quantity).side == side ? std::optional(row.quantity) : std::nullopt;
  return std::nullopt;
}

} // namespace

std::vector<Reading> readingsOf(const model::Measure& measure, Side side) {
  bool isMean = measure.aggregate == Aggregate::Mean;
  if (isTwoSided(measure.metric)) {
    bool isSequence = measure.metric == MetricId::SeqLogRatio;
    Quantity gap = isSequence ? Quantity::SeqSampledGap : Quantity::SampledGap;
    Quantity size = isSequence ? Quantity::SeqSampledAbsGap : Quantity::SampledAbsGap;
    if (measure.absolute)
      return side != Side::Upper ? std::vector<Reading>{}
             : isMean            ? std::vector<Reading>{{size}}
                                 : std::vector<Reading>{{size}, {gap}};
    if (side == Side::Lower)
      return isMean && isSequence ? std::vector<Reading>{}
             : isMean             ? std::vector<Reading>{{Quantity::SampledK1, true}}
                                  : std::vector<Reading>{{gap, true}};
    return {};
  }
  struct Row {
    MetricId metric;
    Quantity quantity;
    bool ofMean; // only its mean says something
  };
  static constexpr Row rows[] = {
      {MetricId::LogitLinf, Quantity::LogitLinf, false},
      {MetricId::LogitOsc, Quantity::LogitOsc, false},
      {MetricId::LogitL2, Quantity::LogitL2, false},
      {MetricId::LogitRel, Quantity::LogitRel, false},
      {MetricId::LogprobLinf, Quantity::LogprobLinf, false},
      {MetricId::Tv, Quantity::Tv, false},
      {MetricId::Hellinger, Quantity::Hellinger, false},
      {MetricId::KlTrainInfer, Quantity::KlTrainInfer, false},
      {MetricId::KlInferTrain, Quantity::KlInferTrain, false},
      {MetricId::Js, Quantity::Js, false},
      {MetricId::Chi2, Quantity::Chi2, false},
      {MetricId::Top1Flip, Quantity::Top1Flip, false},
      {MetricId::Top1Margin, Quantity::Top1Margin, false},
      {MetricId::EntropyGap, Quantity::EntropyGap, false},
      {MetricId::MissingMass, Quantity::MissingMass, false},
      {MetricId::Ratio, Quantity::SampledRatio, false},
      {MetricId::TvSampled, Quantity::SampledTv, true},
      {MetricId::K1, Quantity::SampledK1, true},
      {MetricId::K2, Quantity::SampledK2, true},
      {MetricId::K3, Quantity::SampledK3, true},
      {MetricId::SeqTv, Quantity::SeqSampledTv, true},
  };
  for (const Row& row : rows)
    if (row.metric == measure.metric) {
      bool says = info(row.quantity).side == side && (!row.ofMean || isMean) &&
                  (row.quantity != Quantity::SampledRatio || !isMean);
      return says ? std::vector<Reading>{{row.quantity}} : std::vector<Reading>{};
    }
  return {};
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
    return Key{quantity, Quantifier::Quantile, share};
  }
  default:
    return std::nullopt;
  }
}

/// A ratio's mean is no distance: only its largest and smallest values and its quantiles are.
std::optional<Key> claimKeyOf(const model::Measure& measure, Side side) {
  auto quantity = quantityOf(measure.claim, side);
  bool isRatio = measure.claim == ClaimId::Ratio || measure.claim == ClaimId::SeqRatio;
  bool isMean = measure.aggregate == Aggregate::Mean || measure.aggregate == Aggregate::None;
  if (!quantity || (isRatio && isMean))
    return std::nullopt;
  return keyOf(measure, *quantity, side);
}

} // namespace tikc::bounds
