#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "support/Utf8.h"

#include <algorithm>
#include <optional>
#include <vector>

/// Requirements that are right in form, and that nobody means.
namespace tikc::lint {

using namespace model;
using metrics::Better;
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
void checkDirection(const Input& input, const Bound& bound, Better better) {
  bool above = limitsAbove(bound), below = limitsBelow(bound);
  better = directionOf(bound.measure, better);
  if (better != Better::Lower && better != Better::Higher)
    return;
  bool isLower = better == Better::Lower;
  std::string subject = ticked(input.sources.text(bound.measure.span));
  if (isLower ? below && !above : above && !below)
    input.sink.report<diag::WrongDirection>(bound.span, subject, metrics::betterText(better));
  else if (bound.measure.aggregate == (isLower ? Aggregate::Min : Aggregate::Max) &&
           (isLower ? above && !below : below && !above))
    input.sink.report<diag::BestAlone>(bound.span, subject);
}

/// A signed figure as one of which it is a multiple: k1 is the log-ratio with its sign turned.
struct Signed {
  MetricId of;
  bool turned;
};
std::optional<Signed> signedFigure(MetricId metric) {
  if (metric == MetricId::LogprobGap || metric == MetricId::K1)
    return Signed{MetricId::LogprobGap, metric == MetricId::K1};
  if (metric == MetricId::SeqLogRatio)
    return Signed{metric, false};
  return std::nullopt;
}

/// The sides of a signed figure that a bound keeps, as sides of the figure that it is a multiple
/// of.
struct Sides {
  MetricId of;
  bool above, below;
};
std::optional<Sides> sidesOf(const Bound& bound) {
  auto figure = signedFigure(bound.measure.metric);
  if (!figure || bound.measure.aggregate == Aggregate::Deviation)
    return std::nullopt;
  bool above = limitsAbove(bound) || isOfSizes(bound.measure);
  bool below = limitsBelow(bound) || isOfSizes(bound.measure);
  Sides sides{figure->of, figure->turned ? below : above, figure->turned ? above : below};
  // The mean of k1 is a divergence: of what the server drew it is below 0 by noise alone.
  if (bound.measure.aggregate == Aggregate::Mean && figure->of == MetricId::LogprobGap)
    sides.above = sides.above || sides.below;
  return sides;
}

/// `p99(logprob_gap)` as `p99(abs(logprob_gap))`. A least value has no largest size.
void offerSize(const Input& input, const Bound& bound, diag::Diagnostic& found) {
  std::string_view name = metrics::info(bound.measure.metric).symbol;
  std::string_view text = input.sources.text(bound.measure.span);
  auto at = text.find(name);
  if (bound.measure.aggregate == Aggregate::Min || at == std::string_view::npos)
    return;
  Span figure = bound.measure.span;
  figure.begin += static_cast<std::uint32_t>(at);
  figure.end = figure.begin + static_cast<std::uint32_t>(name.size());
  found.unsafeFix("bound its size", {{figure.start(), "abs("}, {figure.finish(), ")"}});
}

/// Signed figures of which nothing keeps the other side.
void checkSides(const Input& input) {
  std::vector<const Bound*> bounds;
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds)
      bounds.push_back(&bound);
  for (const Bound* bound : bounds) {
    auto sides = sidesOf(*bound);
    if (!sides || bound->measure.threshold || sides->above == sides->below)
      continue;
    bool isKept = std::any_of(bounds.begin(), bounds.end(), [&](const Bound* other) {
      auto others = sidesOf(*other);
      return others && others->of == sides->of && (sides->above ? others->below : others->above);
    });
    bool isTurned = bound->measure.metric == MetricId::K1;
    if (isKept)
      continue;
    auto& found = input.sink.report<diag::OneSided>(bound->span,
                                                    ticked(input.sources.text(bound->measure.span)),
                                                    sides->above != isTurned ? "below" : "above");
    if (limitsAbove(*bound))
      offerSize(input, *bound, found);
  }
}

void checkTotal(const Input& input, const Bound& bound) {
  bool isTotal =
      bound.measure.aggregate == Aggregate::Sum || bound.measure.aggregate == Aggregate::Count;
  if (isTotal && !metrics::countsEvents(bound.measure.metric))
    input.sink.report<diag::TotalOfMeasured>(bound.measure.span,
                                             ticked(input.sources.text(bound.measure.span)));
}

/// The aggregate of a figure that a window has one of.
void checkWindowFigure(const Input& input, const Bound& bound) {
  const metrics::MetricInfo& info = metrics::info(bound.measure.metric);
  if (info.level == metrics::Level::Window && bound.measure.aggregate != Aggregate::None)
    input.sink.report<diag::AggregateOfFigure>(bound.measure.span, ticked(info.symbol))
        .unsafeFix("bound the figure itself", {{bound.measure.span, std::string(info.symbol)}});
}

} // namespace

void lintRequirements(const Input& input) {
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      checkDirection(input, bound, metrics::info(bound.measure.metric).better);
      checkTotal(input, bound);
      checkWindowFigure(input, bound);
    }
  for (const Claim& claim : input.contract.claims)
    for (const Bound& bound : claim.bounds)
      checkDirection(input, bound, metrics::info(bound.measure.claim).better);
  checkSides(input);
}

} // namespace tikc::lint
