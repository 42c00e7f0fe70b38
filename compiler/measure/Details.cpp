#include "measure/Details.h"

#include "measure/CheckRecords.h"

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

TrackPoint pointOf(const finding& outcome, const RoundPlace& at) {
  return {at, at, 1, outcome.observations, outcome.is, outcome.value, outcome.low, outcome.high};
}

finding findingOf(const TrackPoint& point) {
  finding out;
  out.is = point.outcome;
  out.value = point.value;
  return out;
}

void join(const check& criterion, TrackPoint& into, const TrackPoint& next) {
  TrackPoint out = isWorse(criterion, findingOf(next), findingOf(into)) ? next : into;
  out.first = into.first;
  out.last = next.last;
  out.windows = into.windows + next.windows;
  out.observations = into.observations + next.observations;
  into = out;
}

/// Dense where bounds are: towards both ends, as far as some observations lie beyond.
std::vector<quantile_level> levelsOf(std::uint64_t observations) {
  constexpr std::uint32_t whole = 1000000;
  constexpr std::uint32_t tail[] = {1,      3,      10,     30,     100,    200,    500,
                                    1000,   2000,   5000,   7000,   10000,  15000,  20000,
                                    30000,  50000,  70000,  100000, 150000, 200000, 250000,
                                    300000, 350000, 400000, 450000};
  std::vector<quantile_level> out;
  auto add = [&](std::uint32_t part) {
    const double rarer = std::min(part, whole - part);
    if (rarer * static_cast<double>(observations) >= whole)
      out.push_back({part, whole});
  };
  for (std::uint32_t part : tail)
    add(part);
  add(whole / 2);
  for (std::size_t i = std::size(tail); i-- > 0;)
    add(whole - tail[i]);
  if (out.empty() && observations != 0)
    out.push_back({whole / 2, whole});
  return out;
}

QuantileCurve curveOf(const check& criterion, const engine::LoadedPlan& plan,
                      const kept<engine::LoadedPlan>& from) {
  QuantileCurve out;
  const keeper& sketch = plan.keepers[criterion.keepers[criterion.limit_count]];
  out.observations = from.seen(criterion.signal);
  if (out.observations == 0)
    return out;
  const nan_rank nan = is_upper(criterion.limits[0].how) ? nan_rank::highest : nan_rank::lowest;
  for (const quantile_level& level : levelsOf(out.observations))
    out.points.push_back(
        {static_cast<double>(level.part) / level.whole, from.quantile(sketch, level, nan).value});
  return out;
}

} // namespace

void Track::add(const check& criterion, const finding& outcome, const RoundPlace& at) {
  if (!points_.empty() && points_.back().windows < perPoint_)
    return join(criterion, points_.back(), pointOf(outcome, at));
  if (points_.size() == mostPoints)
    halve(criterion);
  points_.push_back(pointOf(outcome, at));
}

void Track::halve(const check& criterion) {
  for (std::size_t i = 0; i + 1 < points_.size(); i += 2) {
    join(criterion, points_[i], points_[i + 1]);
    points_[i / 2] = points_[i];
  }
  points_.resize(points_.size() / 2);
  perPoint_ *= 2;
}

Details::Details(const engine::LoadedPlan& plan)
    : tracks_(plan.checks.size(), std::vector<Track>(plan.slices)),
      curves_(plan.checks.size(), std::vector<QuantileCurve>(plan.slices)),
      whole_(plan.checks.size(), std::vector<finding>(plan.slices)) {}

void Details::takeWhole(const engine::LoadedChecker& whole) {
  const engine::LoadedPlan& plan = whole.plan();
  for (std::size_t check = 0; check < plan.checks.size(); ++check) {
    const tikc::check& criterion = plan.checks[check];
    // These compare with traffic, or with earlier windows.
    if (criterion.how == estimator::sampled || criterion.how == estimator::slope)
      continue;
    for (std::size_t slice = 0; slice < plan.slices; ++slice) {
      if (criterion.on_mixture ? slice != 0 : plan.binds[check][slice] == 0)
        continue;
      const kept<engine::LoadedPlan>& all = whole.open(check, slice);
      whole_[check][slice] = judge<engine::LoadedPlan>(criterion, all, /*full=*/true)();
      if (criterion.how == estimator::quantile)
        curves_[check][slice] = curveOf(criterion, plan, all);
    }
  }
}

} // namespace tikc::measure
