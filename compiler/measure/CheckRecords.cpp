#include "measure/CheckRecords.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::measure {
namespace {

double roomTo(const limit& bound, double value) {
  switch (bound.how) {
  case comparator::at_most:
  case comparator::below:
    return bound.bound - value;
  case comparator::at_least:
  case comparator::above:
    return value - bound.bound;
  case comparator::equal:
    return -std::abs(value - bound.bound);
  case comparator::not_equal:
    return std::abs(value - bound.bound);
  }
  return 0;
}

/// How far a finding is within its limits; NaN is as far beyond as can be.
double roomOf(const check& criterion, const finding& outcome) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < criterion.limit_count; ++i) {
    const limit& each = criterion.limits[i];
    out = std::min(out, roomTo(each, outcome.value));
  }
  return std::isnan(outcome.value) ? -std::numeric_limits<double>::infinity() : out;
}

/// Whether its windows end with rounds.
bool isOfRounds(const engine::LoadedPlan& plan, const check& criterion) {
  const window_unit unit = plan.windows[criterion.window].unit;
  return unit == window_unit::stage || unit == window_unit::ticks;
}

/// What is no number stays so.
void widen(double& end, double to, bool isFarther) {
  if (!std::isnan(end) && (isFarther || std::isnan(to)))
    end = to;
}

/// What decides goes before what does not.
int rankOf(verdict outcome) {
  return outcome == verdict::violated ? 2 : outcome == verdict::undecided ? 1 : 0;
}

} // namespace

bool isWorse(const check& criterion, const finding& one, const finding& other) {
  return rankOf(one.is) > rankOf(other.is) ||
         (one.is == other.is && roomOf(criterion, one) < roomOf(criterion, other));
}

void CheckRecord::show(const check& criterion, const finding& outcome, bool isEarly) {
  const bool isDecided = shown.is == verdict::violated && !isShownEarly;
  if (isEarly && isDecided)
    return; // fewer observations say less
  if (windows() > 1 && !(isShownEarly && !isEarly) && !isWorse(criterion, outcome, shown))
    return;
  shown = outcome;
  isShownEarly = isEarly;
}

void CheckRecord::widen(const finding& outcome) {
  tikc::measure::widen(lowest, outcome.low, outcome.low < lowest);
  tikc::measure::widen(highest, outcome.high, outcome.high > highest);
}

CheckRecords::CheckRecords(const engine::LoadedPlan& plan)
    : plan_(plan), each_(plan.checks.size(), std::vector<CheckRecord>(plan.slices)) {}

void CheckRecords::eachBound(llvm::function_ref<void(std::size_t, std::size_t)> visit) const {
  for (std::size_t i = 0; i < each_.size(); ++i)
    for (std::size_t slice = 0; slice < plan_.slices; ++slice)
      if (plan_.checks[i].on_mixture || plan_.binds[i][slice])
        visit(i, slice);
}

void CheckRecords::look(const engine::LoadedChecker& checker, Ended ended) {
  ++evaluations_;
  eachBound([&](std::size_t check, std::size_t slice) { keep(check, slice, checker, ended); });
}

void CheckRecords::lookAtOpen(const engine::LoadedChecker& checker) {
  eachBound([&](std::size_t which, std::size_t slice) {
    const check& criterion = plan_.checks[which];
    if (!isOfRounds(plan_, criterion) || criterion.how == estimator::sampled ||
        criterion.how == estimator::slope)
      return;
    const finding early =
        judge<engine::LoadedPlan>(criterion, checker.open(which, slice), /*full=*/false)();
    if (early.is != verdict::violated)
      return;
    CheckRecord& at = each_[which][slice];
    ++at.violated;
    at.show(criterion, early, true);
  });
}

void CheckRecords::lookAtRest(const engine::LoadedChecker& checker, Ended ended) {
  eachBound([&](std::size_t check, std::size_t slice) {
    if (isOfRounds(plan_, plan_.checks[check]))
      each_[check][slice].open = checker.result(check, slice).observations;
    else
      keep(check, slice, checker, ended);
  });
}

void CheckRecords::lookAtWhole(const engine::LoadedChecker& checker) {
  eachBound([&](std::size_t check, std::size_t slice) {
    const finding& outcome = checker.result(check, slice);
    CheckRecord& at = each_[check][slice];
    if (plan_.checks[check].how != estimator::coherence || outcome.is != verdict::violated ||
        at.violated != 0)
      return;
    at.violated = 1;
    at.shown = outcome;
  });
}

void CheckRecords::keep(std::size_t which, std::size_t slice, const engine::LoadedChecker& checker,
                        Ended ended) {
  CheckRecord& at = each_[which][slice];
  const check& criterion = plan_.checks[which];
  const finding& outcome = checker.result(which, slice);
  const kept<engine::LoadedPlan>& open = checker.open(which, slice);
  at.open = criterion.how == estimator::sampled ? open.observed.served(criterion.sampled)
                                                : open.seen(criterion.signal);
  const bool isOver = at.open == 0, wasViolated = at.isOpenViolated;
  const bool isViolated = outcome.is == verdict::violated && !outcome.is_kept;
  at.isOpenViolated = !isOver && (wasViolated || isViolated);
  if (at.isOpenViolated)
    at.open = 0;
  if (wasViolated) { // it counts already
    if (isOver) {
      at.widen(outcome);
      at.show(criterion, outcome, false);
    }
    return;
  }
  if (outcome.is_kept)
    return;
  const bool isFirst = at.windows() == 0;
  if (isViolated)
    ++at.violated;
  else if (outcome.is == verdict::satisfied)
    ++at.satisfied;
  else if (outcome.observations != 0 && isOver)
    ++at.undecided;
  else if (!isFirst)
    return; // a window that goes on
  const bool isEarly = isViolated && !isOver;
  if (at.windows() != 0) {
    if (!isEarly)
      at.widen(outcome);
    if (ended)
      ended(which, slice, outcome);
  }
  at.show(criterion, outcome, isEarly);
}

} // namespace tikc::measure
