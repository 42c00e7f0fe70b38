#include "logic/Domain.h"

#include "model/Metrics.h"

#include <algorithm>

namespace tikc::logic {

using model::Aggregate;
using model::Measure;

namespace {

/// What one observation can be.
model::ValueRange figuresOf(const Measure& measure, Stands stands) {
  model::ValueRange out = stands == Stands::InClaim
                              ? model::domainOf(model::info(measure.claim).range)
                              : model::domainOf(measure);
  if (!measure.absolute)
    return out;
  if (out.low && out.high)
    out.high = std::max(abs(*out.low), abs(*out.high));
  out.low = 0;
  return out;
}

/// Of what every figure is, or none, the rate is known.
bool isFixed(const model::Threshold& threshold, const model::ValueRange& figures) {
  const Magnitude at = magnitudeOf(threshold.bound);
  auto is = [&](const std::optional<Rational>& end, bool isHigh) {
    auto order = end ? compare(at, isHigh ? upperEnd(*end) : Magnitude{*end, false}) : std::nullopt;
    return order && (*order == 0 || (*order > 0) == isHigh);
  };
  return is(figures.low, false) || is(figures.high, true);
}

} // namespace

Magnitude upperEnd(const Rational& high) {
  static const auto logOfTwo = model::domainOf(model::info(model::MetricId::Js).range).high;
  return high == logOfTwo ? Magnitude{1, true} : Magnitude{high, false};
}

Stretch domainOf(const Measure& measure, Stands stands) {
  model::ValueRange figures = figuresOf(measure, stands);
  auto& [low, high] = figures;
  bool isSize = low && *low >= 0;
  if (measure.threshold && isFixed(*measure.threshold, figures))
    return {Rational(1), Rational(0)};
  switch (measure.aggregate) {
  case Aggregate::Rate: // of what occurs several times in an observation, any number
    return {Rational(0),
            measure.threshold || (high && *high == 1) ? std::optional<Rational>(1) : std::nullopt};
  case Aggregate::Count:
    return {Rational(0), std::nullopt};
  case Aggregate::Sum:
    return {isSize ? std::optional<Rational>(0) : std::nullopt, std::nullopt};
  case Aggregate::Slope:
    return {};
  case Aggregate::EffectiveShare:
    return {Rational(0), Rational(1), false, true};
  case Aggregate::Deviation:
    return {Rational(0), low && high ? std::optional<Rational>((*high - *low) / 2) : std::nullopt};
  case Aggregate::RootMeanSquare:
    if (low && high)
      high = std::max(abs(*low), abs(*high));
    else
      high = std::nullopt;
    return {isSize ? low : std::optional<Rational>(0), high};
  default:
    return {low, high};
  }
}

bool isAlwaysKept(const OneSided& side, const Measure& measure) {
  // A sample's deviation can be more than a population's, and no sum ends at all.
  if (side.form == OneSided::Form::Whole)
    return false;
  Stretch domain = domainOf(measure, side.measurand.stands);
  const auto& end = side.isAbove ? domain.high : domain.low;
  if (!end || (domain.low && domain.high && *domain.low > *domain.high))
    return false;
  auto order = compare(side.limit, side.isAbove ? upperEnd(*end) : Magnitude{*end, false});
  return order && (*order == 0 ? !side.isStrict : (*order > 0) == side.isAbove);
}

} // namespace tikc::logic
