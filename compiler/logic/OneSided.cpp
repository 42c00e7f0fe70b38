#include "logic/OneSided.h"

#include "model/Metrics.h"

#include <algorithm>

namespace tikc::logic {

using model::Aggregate;
using model::Bound;
using model::Comparator;
using model::Measure;
using model::Rank;

namespace {

bool isSizedClaim(model::ClaimId claim) {
  auto low = model::domainOf(model::info(claim).range).low;
  return low && *low >= 0;
}

Measurand measurandOf(const Measure& measure, Stands stands) {
  Measurand out;
  out.stands = stands;
  out.parameters = measure.parameters;
  if (stands == Stands::InClaim) {
    out.claim = measure.claim;
    out.isSize = isSizedClaim(measure.claim);
    return out;
  }
  out.metric = measure.metric;
  auto low = model::domainOf(measure).low;
  out.isSigned = !low || *low < 0;
  out.isSize = measure.absolute || !out.isSigned;
  return out;
}

/// Shares of samples and biases of a batch are no means of what each context gives.
bool isOfWholePopulation(model::ClaimId claim) {
  return claim == model::ClaimId::Ess || claim == model::ClaimId::SeqEss ||
         claim == model::ClaimId::PgBias;
}

/// The share of events is the mean of what is 1 where they occur.
bool isShareOfEvents(const Measure& measure) {
  auto high = model::domainOf(measure).high;
  return measure.aggregate == Aggregate::Rate && !measure.threshold && high && *high == 1;
}

/// Nothing for what has no place between the least value and the largest.
std::optional<Rank> rankedAs(const Measure& measure, Stands stands) {
  if (stands == Stands::InClause)
    return isShareOfEvents(measure) ? Rank{Rank::Kind::Mean, 0} : model::rankOf(measure);
  if (isOfWholePopulation(measure.claim))
    return std::nullopt;
  // A bare claim is the mean.
  return measure.aggregate == Aggregate::None ? Rank{Rank::Kind::Mean, 0} : model::rankOf(measure);
}

/// `rate(x > t) <= a` is a tail, and so is `rate(x <= t) >= 1 - a`.
std::optional<Tail> tailOfRate(const OneSided& side, const model::Threshold& threshold) {
  bool isOrdered = model::isAbove(threshold.comparator) || model::isBelow(threshold.comparator);
  if (!isOrdered)
    return std::nullopt;
  Tail out;
  bool isWith = !model::isStrict(threshold.comparator);
  out.at = magnitudeOf(threshold.bound);
  out.isLess = side.isStrict;
  out.isUpper = model::isAbove(threshold.comparator) == side.isAbove;
  out.isWith = side.isAbove ? isWith : !isWith;
  out.share = side.isAbove ? side.limit.value : Rational(1 - side.limit.value);
  return out;
}

/// Nothing that is counted or added up is below 0, but what is added up of signed figures.
bool isNeverBelowZero(const Measure& measure, const Measurand& measurand) {
  return measure.aggregate == Aggregate::Rate || measure.aggregate == Aggregate::Count ||
         measure.aggregate == Aggregate::Deviation ||
         measure.aggregate == Aggregate::RootMeanSquare ||
         (measurand.isSize && measure.aggregate != Aggregate::Slope);
}

/// What every value keeps.
bool isVacuous(const OneSided& side, const Measure& measure) {
  return !side.isAbove && side.limit.value <= 0 && !(side.isStrict && side.limit.value == 0) &&
         isNeverBelowZero(measure, side.measurand);
}

/// Where nothing is counted, or nothing is left of a sum of sizes, no window has any.
bool isEmptyTotal(const OneSided& side, const Measure& measure) {
  bool isTotal = measure.aggregate == Aggregate::Count || measure.aggregate == Aggregate::Sum;
  return isTotal && side.measurand.stands == Stands::InClause && side.measurand.isSize &&
         side.isAbove && side.limit.value == 0 && !side.isStrict;
}

OneSided sideOf(const Bound& bound, Stands stands, bool isAbove) {
  OneSided out;
  out.measurand = measurandOf(bound.measure, stands);
  out.isAbove = isAbove;
  out.limit = magnitudeOf(isAbove && bound.upper ? *bound.upper : bound.limit);
  out.isStrict = !bound.upper && model::isStrict(bound.comparator);
  if (auto rank = rankedAs(bound.measure, stands)) {
    out.form = OneSided::Form::Ranked;
    out.rank = *rank;
  } else if (isEmptyTotal(out, bound.measure)) {
    out.form = OneSided::Form::Ranked;
    out.rank = {Rank::Kind::Level, 1};
  } else if (bound.measure.aggregate == Aggregate::RootMeanSquare) {
    out.form = OneSided::Form::RootMeanSquare;
    out.measurand.isSize = true;
  } else if (bound.measure.aggregate == Aggregate::Rate && bound.measure.threshold) {
    if (auto tail = tailOfRate(out, *bound.measure.threshold)) {
      out.form = OneSided::Form::Tail;
      out.tail = std::move(*tail);
    }
  }
  return out;
}

Comparator turned(Comparator comparator) {
  switch (comparator) {
  case Comparator::LessEqual:
    return Comparator::GreaterEqual;
  case Comparator::Less:
    return Comparator::Greater;
  case Comparator::GreaterEqual:
    return Comparator::LessEqual;
  case Comparator::Greater:
    return Comparator::Less;
  default:
    return comparator;
  }
}

/// Of a figure whose sign is turned. A quantile is the lower one of what could stand at its level,
/// so that turned it is none.
bool turn(Bound& bound) {
  Measure& subject = bound.measure;
  const bool isOfSizes = subject.absolute || subject.aggregate == Aggregate::RootMeanSquare ||
                         subject.aggregate == Aggregate::Deviation;
  if (subject.threshold && !subject.absolute) {
    subject.threshold->comparator = turned(subject.threshold->comparator);
    subject.threshold->bound.value = -subject.threshold->bound.value;
  }
  if (subject.threshold || isOfSizes)
    return true;
  if (subject.aggregate == Aggregate::Quantile)
    return false;
  if (subject.aggregate == Aggregate::Max || subject.aggregate == Aggregate::Min)
    subject.aggregate = subject.aggregate == Aggregate::Max ? Aggregate::Min : Aggregate::Max;
  bound.comparator = turned(bound.comparator);
  if (bound.upper)
    std::swap(bound.limit, *bound.upper);
  bound.limit.value = -bound.limit.value;
  if (bound.upper)
    bound.upper->value = -bound.upper->value;
  return true;
}

/// Events that say on which side of a number another figure is.
std::optional<model::MetricId> comparedBy(const Measure& measure) {
  using model::MetricId;
  const bool isAboveAlone = measure.parameters.size() == 2 && measure.parameters[0] <= 0;
  switch (measure.metric) {
  case MetricId::Clipped:
    return isAboveAlone ? std::optional(MetricId::Ratio) : std::nullopt;
  case MetricId::SeqClipped:
    return isAboveAlone ? std::optional(MetricId::SeqRatio) : std::nullopt;
  case MetricId::SeqGeoClipped:
    return isAboveAlone ? std::optional(MetricId::SeqGeoRatio) : std::nullopt;
  case MetricId::Veto:
    return MetricId::Ratio;
  default:
    return std::nullopt;
  }
}

bool isShareOfCompared(const Measure& measure) {
  return (measure.aggregate == Aggregate::Mean || isShareOfEvents(measure)) &&
         comparedBy(measure).has_value();
}

void compareInstead(Measure& measure) {
  const bool isVeto = measure.metric == model::MetricId::Veto;
  model::Threshold threshold;
  threshold.comparator = isVeto ? Comparator::Less : Comparator::Greater;
  threshold.bound.value = measure.parameters.back();
  measure.metric = *comparedBy(measure);
  measure.aggregate = Aggregate::Rate;
  measure.parameters.clear();
  measure.threshold = std::move(threshold);
}

/// `rate(x > 0) == 0` of what is never below 0: there is none, as by `count(x) == 0`.
bool isRateOfNone(const Bound& bound) {
  const Measure& measure = bound.measure;
  const bool isAtMost =
      bound.comparator == Comparator::LessEqual || bound.comparator == Comparator::Equal;
  return measure.aggregate == Aggregate::Rate && measure.threshold &&
         measure.threshold->comparator == Comparator::Greater &&
         measure.threshold->bound.scaled() == 0 && isAtMost && !bound.upper &&
         bound.limit.scaled() == 0 && measurandOf(measure, Stands::InClause).isSize;
}

void countNone(Bound& bound) {
  bound.measure.aggregate = Aggregate::Count;
  bound.measure.threshold.reset();
  bound.comparator = Comparator::Equal;
  bound.limit.unit = model::Unit::None;
}

bool isLimitOfCount(const Bound& bound) {
  return bound.measure.aggregate == Aggregate::Count && !bound.upper &&
         (bound.comparator == Comparator::Less || bound.comparator == Comparator::LessEqual ||
          bound.comparator == Comparator::Greater || bound.comparator == Comparator::GreaterEqual);
}

/// Counts are whole.
void roundLimit(Bound& bound) {
  const Rational limit = bound.limit.scaled(), below = floorOf(limit);
  const bool isWhole = limit == below;
  switch (bound.comparator) {
  case Comparator::Less:
    bound.limit.value = isWhole ? Rational(below - 1) : below;
    bound.comparator = Comparator::LessEqual;
    break;
  case Comparator::LessEqual:
    bound.limit.value = below;
    break;
  case Comparator::Greater:
    bound.limit.value = below + 1;
    bound.comparator = Comparator::GreaterEqual;
    break;
  default:
    bound.limit.value = isWhole ? below : Rational(below + 1);
  }
  bound.limit.unit = model::Unit::None;
}

} // namespace

bool hasOtherSpelling(const Bound& bound, Stands stands) {
  using model::MetricId;
  const MetricId metric = bound.measure.metric;
  return stands == Stands::InClause &&
         (metric == MetricId::K1 || metric == MetricId::EssSample || isLimitOfCount(bound) ||
          isRateOfNone(bound) || isShareOfCompared(bound.measure));
}

std::vector<Bound> endsOf(const Bound& bound, Stands stands) {
  std::vector<Bound> out{bound};
  if (bound.upper) {
    out.push_back(bound);
    out[0].upper.reset();
    out[0].comparator = Comparator::GreaterEqual;
    out[1].limit = *out[1].upper;
    out[1].upper.reset();
    out[1].comparator = Comparator::LessEqual;
  }
  const bool isLargestSize = stands == Stands::InClause && !bound.upper && bound.measure.absolute &&
                             !bound.measure.threshold &&
                             bound.measure.aggregate == Aggregate::Max &&
                             model::isBelow(bound.comparator);
  if (isLargestSize) {
    out.push_back(bound);
    for (Bound& each : out)
      each.measure.absolute = false;
    out[1].measure.aggregate = Aggregate::Min;
    out[1].comparator = turned(bound.comparator);
    out[1].limit.value = -bound.limit.value;
  }
  return out;
}

Bound inOneSpelling(const Bound& bound, Stands stands) {
  using model::MetricId;
  Bound out = bound;
  if (!hasOtherSpelling(bound, stands))
    return out;
  if (bound.measure.metric == MetricId::K1 && turn(out))
    out.measure.metric = MetricId::LogprobGap;
  if (bound.measure.metric == MetricId::EssSample && bound.measure.aggregate == Aggregate::None) {
    out.measure.metric = MetricId::Ratio;
    out.measure.aggregate = Aggregate::EffectiveShare;
  }
  if (isLimitOfCount(bound))
    roundLimit(out);
  if (isRateOfNone(bound))
    countNone(out);
  if (isShareOfCompared(bound.measure))
    compareInstead(out.measure);
  return out;
}

std::vector<OneSided> sidesOf(const Bound& bound, Stands stands) {
  std::vector<OneSided> out;
  if (model::limitsAbove(bound))
    out.push_back(sideOf(bound, stands, true));
  if (model::limitsBelow(bound))
    out.push_back(sideOf(bound, stands, false));
  if (out.size() > 1)
    std::erase_if(out, [&](const OneSided& side) { return isVacuous(side, bound.measure); });
  return out;
}

std::optional<Tail> tailOf(const OneSided& side) {
  if (side.form == OneSided::Form::Tail)
    return side.tail;
  if (side.form != OneSided::Form::Ranked || side.rank.isMean())
    return std::nullopt;
  // The quantile at q is the least value that a share of q does not exceed. It is at most t where
  // at most 1 − q exceeds t; it is above t where less than q does not.
  Tail out;
  out.isUpper = side.isAbove;
  out.at = side.limit;
  out.isWith = side.isStrict;
  out.share = side.isAbove ? Rational(1 - side.rank.level) : side.rank.level;
  out.isLess = !side.isAbove && side.isStrict && side.rank.level > 0;
  // A minimum is no quantile at 0, nor a maximum from below one at 1.
  bool isOfEach = side.isAbove ? side.rank.level > 0 : side.rank.level < 1;
  return isOfEach ? std::optional(out) : std::nullopt;
}

std::optional<Tail> tailFor(const OneSided& side) {
  if (side.form == OneSided::Form::Tail)
    return side.tail;
  bool isQuantile = side.form == OneSided::Form::Ranked && !side.rank.isMean() &&
                    side.rank.level > 0 && side.rank.level < 1;
  if (!isQuantile)
    return std::nullopt;
  Tail out;
  out.isUpper = side.isAbove;
  out.at = side.limit;
  out.isWith = side.isStrict;
  out.share = side.isAbove ? Rational(1 - side.rank.level) : side.rank.level;
  // At its level itself a quantile is the lower one of what could stand there, and a strict limit
  // may be what a population comes as near to as it likes.
  out.isLess = !side.isAbove || side.isStrict;
  return out;
}

bool covers(const Tail& strong, const Tail& weak) {
  auto order = compare(strong.at, weak.at);
  if (strong.isUpper != weak.isUpper || !order)
    return false;
  bool isFurtherIn = strong.isUpper ? *order < 0 : *order > 0;
  bool isAround = isFurtherIn || (*order == 0 && (strong.isWith || !weak.isWith));
  return isAround && (strong.share < weak.share ||
                      (strong.share == weak.share && (strong.isLess || !weak.isLess)));
}

} // namespace tikc::logic
