#include "measure/Judging.h"

#include "measure/ObservationId.h"
#include "measure/Renaming.h"

#include <algorithm>

namespace tikc::measure {
namespace {

/// Names what a tally was shown as of a piece that was named as of the first one.
void rebase(engine::LoadedTally& tally, std::uint64_t piece) {
  const std::uint64_t by = ObservationId{piece, 0, 0}.packed();
  if (by != 0)
    renameObservations(tally, [by](std::uint64_t id) { return id + by; });
}

} // namespace

Judging::Judging(const MeasuredPlan& subject, const engine::LoadedPolicy& policy, Routed routed)
    : subject_(subject), checker_(subject.loaded), came_(subject.loaded.slices), router_(policy),
      routed_(routed), records_(subject.loaded), ends_(subject),
      verdicts_(subject.loaded.clauses.size(), subject.loaded.slices),
      shortestTime_(shortestTime(subject)) {
  const auto& checks = subject.loaded.checks;
  if (subject.isDetailed)
    details_ = Details(subject.loaded);
  if (subject.isDetailed || std::any_of(checks.begin(), checks.end(), [](const check& each) {
        return each.how == estimator::coherence;
      }))
    whole_.emplace(subject.loaded);
}

void Judging::take(const Fragment& fragment, std::uint64_t piece) {
  rebase(*fragment.tally, piece);
  compareTimes(fragment);
  if (fragment.begins && !isTimed_)
    start(*fragment.begins);
  if (isAny_ && step_ != fragment.step)
    checker_.end_step();
  if (isAny_ && endsBefore(fragment)) {
    // A round of time ends when the next begins, and not with its last observation.
    now_ = std::max(now_, fragment.begins.value_or(now_));
    evaluate();
  }
  checker_.merge(*fragment.tally);
  if (whole_)
    whole_->merge(*fragment.tally);
  for (std::size_t slice = 0; slice < came_.size(); ++slice)
    for (const stream_counts& each : fragment.tally->observed(slice).through)
      came_[slice] |= each.tokens + each.sequences + each.rows != 0 ? 1 : 0;
  isAny_ = true;
  tokens_ += fragment.tokens;
  responses_ += fragment.responses;
  rows_ += fragment.rows;
  file_ = fragment.file;
  step_ = fragment.step;
  if (fragment.step) {
    round_.firstStep = std::min(round_.firstStep.value_or(*fragment.step), *fragment.step);
    round_.lastStep = std::max(round_.lastStep.value_or(*fragment.step), *fragment.step);
  }
  now_ = std::max(now_, fragment.ends.value_or(now_));
}

void Judging::finish() {
  if (!isAny_)
    return;
  if (step_)
    checker_.end_step();
  finishRounds();
  if (whole_) {
    if (details_.isKept())
      details_.takeWhole(*whole_);
    whole_->evaluate(now_);
    records_.lookAtWhole(*whole_);
  }
}

void Judging::finishRounds() {
  if (isWhole())
    return evaluate();
  rest_ = tokens_ + rows_;
  records_.lookAtOpen(checker_);
  checker_.evaluate(now_);
  round_.evaluation = records_.evaluations() + 1;
  records_.lookAtRest(checker_, [this](auto&&... found) { keepWindow(found...); });
}

void Judging::keepWindow(std::size_t check, std::size_t slice, const finding& outcome) {
  ends_.add(check, slice, outcome);
  if (details_.isKept())
    details_.addWindow(subject_.loaded.checks[check], check, slice, outcome, round_);
}

/// A round of what is counted, or of time, ends when it is full; the data end any other.
bool Judging::isWhole() const {
  const Rounds& rounds = subject_.rounds;
  switch (rounds.by) {
  case Rounds::By::Tokens:
    return static_cast<double>(std::max(tokens_, rows_)) >= rounds.amount;
  case Rounds::By::Responses:
    return static_cast<double>(responses_) >= rounds.amount;
  case Rounds::By::Seconds:
    return now_ - began_ >= rounds.amount;
  case Rounds::By::All:
  case Rounds::By::File:
  case Rounds::By::Step:
    return true;
  }
  return true;
}

void Judging::start(double now) {
  isTimed_ = true;
  now_ = began_ = now;
  checker_.start(now);
}

/// Windows of time end by the latest time, so earlier data, and data without a time, would never be
/// judged. Workers and responses overlap, but not by a window.
void Judging::compareTimes(const Fragment& next) {
  if (!shortestTime_ || timeFault_)
    return;
  if (isAny_ && next.begins.has_value() != isTimed_)
    timeFault_ = TimeFault{now_, next.begins, isTimed_, std::string(next.file)};
  else if (isTimed_ && next.begins && *next.begins <= now_ - *shortestTime_)
    timeFault_ = TimeFault{now_, next.begins, true, std::string(next.file)};
}

bool Judging::endsBefore(const Fragment& next) const {
  const Rounds& rounds = subject_.rounds;
  switch (rounds.by) {
  case Rounds::By::All:
    return false;
  case Rounds::By::File:
    return next.file != file_;
  case Rounds::By::Step:
    return next.step != step_ || hasTimePassed(next);
  case Rounds::By::Tokens:
  case Rounds::By::Responses:
    return isWhole() || hasTimePassed(next);
  case Rounds::By::Seconds:
    return hasTimePassed(next);
  }
  return false;
}

bool Judging::hasTimePassed(const Fragment& next) const {
  return shortestTime_ && next.begins && *next.begins >= began_ + *shortestTime_;
}

void Judging::evaluate() {
  checker_.evaluate(now_);
  round_.evaluation = records_.evaluations() + 1;
  records_.look(checker_, [this](auto&&... found) { keepWindow(found...); });
  round_ = {};
  checker_.verdicts(verdicts_);
  router_.tick(verdicts_, 0);
  for (const transition& each : router_) {
    if (routed_)
      routed_(each);
    if (each.what == change::activated || each.what == change::released)
      activations_.add(
          {each.rule, each.slice, records_.evaluations(), each.what == change::activated});
  }
  tokens_ = responses_ = rows_ = 0;
  began_ = now_;
}

} // namespace tikc::measure
