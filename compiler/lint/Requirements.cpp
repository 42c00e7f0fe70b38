#include "lint/Lint.h"

#include "model/EqualKernels.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

/// Requirements that are right in form, and that nobody means.
namespace tikc::lint {

using namespace model;
using model::Better;
using utf8::ticked;

namespace {

bool isOfSizes(const Measure& measure) {
  return measure.absolute || measure.aggregate == Aggregate::RootMeanSquare;
}

/// The direction in which what the bound is about gets better: a rate gets lower where its event is
/// a bad one.
Better directionOf(const Measure& measure, Better better) {
  if (isOfSizes(measure) || measure.aggregate == Aggregate::Deviation)
    better = Better::Lower;
  if (measure.aggregate == Aggregate::EffectiveShare)
    better = Better::Higher;
  if (measure.aggregate != Aggregate::Rate || !measure.threshold)
    return better;
  Comparator event = measure.threshold->comparator;
  if ((better == Better::Lower && isAbove(event)) || (better == Better::Higher && isBelow(event)))
    return Better::Lower;
  return (better == Better::Lower && isBelow(event)) || (better == Better::Higher && isAbove(event))
             ? Better::Higher
             : Better::Zero;
}

/// A slope is a figure's change, which the figure's own direction tells, too.
bool isOfWrongDirection(const Bound& bound, Better better) {
  bool above = limitsAbove(bound), below = limitsBelow(bound);
  return (better == Better::Lower && below && !above) ||
         (better == Better::Higher && above && !below);
}

void checkDirection(const LintInput& input, const Bound& bound, Better better) {
  better = directionOf(bound.measure, better);
  if (isOfWrongDirection(bound, better))
    input.sink.report<diag::WrongDirection>(
        bound.span, ticked(input.sources.text(bound.measure.span)), model::betterText(better));
}

/// `mean(ratio) <= 0.5`, `mean(k3) in [0.1, 0.2]`
void checkEquals(const LintInput& input, const Bound& bound) {
  Better better = model::info(bound.measure.metric).better;
  bool isReported = isOfWrongDirection(bound, directionOf(bound.measure, better)) ||
                    input.sink.hasErrorWithin(bound.span);
  if (isReported || !model::haveOneLaw(input.contract) || !model::refusesEqualKernels(bound))
    return;
  bool isOfFigure = !isOfSizes(bound.measure) && bound.measure.aggregate != Aggregate::Rate &&
                    bound.measure.aggregate != Aggregate::Deviation;
  if (!isOfFigure || (better != Better::Zero && better != Better::One))
    better = *model::figureOfEqualKernels(bound.measure) == 0 ? Better::Lower : Better::Higher;
  input.sink
      .report<diag::WrongDirection>(bound.span, ticked(input.sources.text(bound.measure.span)),
                                    model::betterText(better))
      .note("kernels that agree to the last bit would violate it");
}

/// A bound from above on a low quantile, or from below on a high one: what lies beyond it is free.
void checkTail(const LintInput& input, const Bound& bound) {
  const Measure& measure = bound.measure;
  // To be equal to an end of its range a figure is limited from one side: the range is the other.
  const auto [low, high] = model::domainOf(measure);
  const bool isEqual = bound.comparator == Comparator::Equal && !bound.upper;
  const Rational limit = bound.limit.scaled();
  bool above = limitsAbove(bound) && !(isEqual && high && limit == *high),
       below = limitsBelow(bound) && !(isEqual && low && limit == *low);
  bool isQuantile = measure.aggregate == Aggregate::Quantile;
  Rational half(1, 2);
  bool isLow = measure.aggregate == Aggregate::Min || (isQuantile && measure.level < half);
  bool isHigh = measure.aggregate == Aggregate::Max || (isQuantile && measure.level > half);
  if (above == below || !(above ? isLow : isHigh))
    return;
  // A comparator that is turned round has both of its faults at once.
  if (isOfWrongDirection(bound, directionOf(bound.measure, model::info(measure.metric).better)))
    return;
  Rational share = (isLow ? measure.level : Rational(1 - measure.level)) * 100;
  std::string name =
      isQuantile ? fmt::format("the {} {}% of observations alone meet",
                               isLow ? "lowest" : "highest", printRational(share))
                 : fmt::format("the {} observation alone meets", isLow ? "lowest" : "highest");
  input.sink.report<diag::BestAlone>(bound.span, name, ticked(input.sources.text(measure.span)));
}

/// A signed figure as one of which it is a multiple: k1 is the log-ratio with its sign turned.
struct SignedFigure {
  MetricId metric;
  bool turned;
};
std::optional<SignedFigure> signedFigure(MetricId metric) {
  if (metric == MetricId::LogprobGap || metric == MetricId::K1)
    return SignedFigure{MetricId::LogprobGap, metric == MetricId::K1};
  if (metric == MetricId::SeqLogRatio)
    return SignedFigure{metric, false};
  return std::nullopt;
}

/// The sides of a signed figure that a bound keeps, as sides of the figure that it is a multiple
/// of.
struct Sides {
  MetricId metric;
  bool above, below;
};
/// Of a token, with its log-ratio.
bool growsOnBothSides(MetricId metric) {
  return metric == MetricId::K2 || metric == MetricId::K3 || metric == MetricId::MultProbError;
}
std::optional<Sides> sidesOf(const Bound& bound) {
  if (growsOnBothSides(bound.measure.metric) && limitsAbove(bound) && !bound.measure.threshold)
    return Sides{MetricId::LogprobGap, true, true};
  auto figure = signedFigure(bound.measure.metric);
  if (!figure || bound.measure.aggregate == Aggregate::Deviation)
    return std::nullopt;
  // Of a rate the event's own side is what few observations may be on.
  const auto& event = bound.measure.threshold;
  if (event && !isAbove(event->comparator) && !isBelow(event->comparator))
    return std::nullopt;
  bool isTurned = event && isBelow(event->comparator);
  bool above = (isTurned ? limitsBelow(bound) : limitsAbove(bound)) || isOfSizes(bound.measure);
  bool below = (isTurned ? limitsAbove(bound) : limitsBelow(bound)) || isOfSizes(bound.measure);
  Sides sides{figure->metric, figure->turned ? below : above, figure->turned ? above : below};
  // The mean of k1 is a divergence: of what the server drew it is below 0 by noise alone.
  if (bound.measure.aggregate == Aggregate::Mean && figure->metric == MetricId::LogprobGap)
    sides.above = sides.above || sides.below;
  return sides;
}

/// `p99(logprob_gap)` as `p99(abs(logprob_gap))`. A least value has no largest size.
void offerSize(const LintInput& input, const Bound& bound, diag::Diagnostic& diagnostic) {
  std::string_view name = model::info(bound.measure.metric).symbol;
  std::string_view text = input.sources.text(bound.measure.span);
  auto at = text.find(name);
  if (bound.measure.aggregate == Aggregate::Min || at == std::string_view::npos)
    return;
  Span figure = bound.measure.span;
  figure.begin += static_cast<std::uint32_t>(at);
  figure.end = figure.begin + static_cast<std::uint32_t>(name.size());
  diagnostic.unsafeFix("bound its size", {{figure.start(), "abs("}, {figure.finish(), ")"}});
}

/// Signed figures of which nothing keeps the other side.
void checkSides(const LintInput& input) {
  std::vector<const Bound*> bounds;
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds)
      bounds.push_back(&bound);
  for (const Bound* bound : bounds) {
    auto sides = sidesOf(*bound);
    if (!sides || sides->above == sides->below)
      continue;
    bool isKept = std::any_of(bounds.begin(), bounds.end(), [&](const Bound* other) {
      auto others = sidesOf(*other);
      return others && others->metric == sides->metric &&
             (sides->above ? others->below : others->above);
    });
    bool isTurned = bound->measure.metric == MetricId::K1;
    if (isKept)
      continue;
    auto& diagnostic = input.sink.report<diag::OneSided>(
        bound->span, ticked(input.sources.text(bound->measure.span)),
        sides->above != isTurned ? "below" : "above");
    const auto& event = bound->measure.threshold;
    if (limitsAbove(*bound) && (!event || isAbove(event->comparator)))
      offerSize(input, *bound, diagnostic);
  }
}

/// What is counted where a window has as many observations as traffic brings; none at all is as
/// much of any number.
void checkTotal(const LintInput& input, const Bound& bound) {
  bool isTotal =
      bound.measure.aggregate == Aggregate::Sum || bound.measure.aggregate == Aggregate::Count;
  if (!isTotal)
    return;
  bool isEvent = model::countsEvents(bound.measure.metric);
  auto dimension = bound.over ? bound.over->dimension() : Dimension::Time;
  bool isFixed = dimension == Dimension::Tokens || dimension == Dimension::Sequences ||
                 dimension == Dimension::Requests;
  if (isEvent && (isFixed || !limitsAbove(bound) || bound.limit.value == 0))
    return;
  input.sink.reportAs<diag::TotalOfMeasured>(
      isEvent ? diag::Severity::Note : diag::info(diag::Code::TotalOfMeasured).severity,
      bound.measure.span, ticked(input.sources.text(bound.measure.span)));
}

/// Below one half, a limit lies on the other side of what was measured.
void checkConfidence(const LintInput& input, const Bound& bound) {
  if (bound.confidence && bound.confidence->scaled() < Rational(1, 2))
    input.sink.report<diag::ConfidenceTooLow>(bound.confidence->span,
                                              ticked(input.sources.text(bound.confidence->span)));
}

/// The aggregate of a figure that a window has one of.
void checkWindowFigure(const LintInput& input, const Bound& bound) {
  const model::MetricInfo& info = model::info(bound.measure.metric);
  if (info.level == model::Level::Window && bound.measure.aggregate != Aggregate::None)
    input.sink.report<diag::AggregateOfFigure>(bound.measure.span, ticked(info.symbol))
        .unsafeFix("bound the metric itself", {{bound.measure.span, std::string(info.symbol)}});
}

} // namespace

void lintRequirements(const LintInput& input) {
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      checkDirection(input, bound, model::info(bound.measure.metric).better);
      checkEquals(input, bound);
      checkTail(input, bound);
      checkConfidence(input, bound);
      checkTotal(input, bound);
      checkWindowFigure(input, bound);
    }
  for (const Claim& claim : input.contract.claims)
    for (const Bound& bound : claim.bounds)
      checkDirection(input, bound, model::info(bound.measure.claim).better);
  checkSides(input);
}

} // namespace tikc::lint
