#include "measure/Judging.h"

#include "measure/ObservationId.h"
#include "tikc/wire.h"

#include <algorithm>

namespace tikc::measure {
namespace {

/// Names what a tally was shown as of a piece that was named as of the first one.
class Rebasing {
public:
  explicit Rebasing(std::uint64_t piece) : by_(ObservationId{piece, 0, 0}.packed()) {}

  template <bool Largest> void operator()(worst_few<Largest>& of) const {
    for (std::size_t i = 0; i < of.count; ++i)
      of.kept[i].id += by_;
  }
  void operator()(std::uint64_t& at, std::uint64_t nowhere) const {
    if (at != nowhere)
      at += by_;
  }
  template <class T> void operator()(T&) const {}
  template <class T> void operator()(T&, T) const {}

private:
  std::uint64_t by_;
};

void rebase(engine::LoadedTally& tally, std::uint64_t piece) {
  if (piece == 0)
    return;
  const Rebasing rebasing(piece);
  detail::wire_access::walk_tally(rebasing, tally);
}

} // namespace

Judging::Judging(const MeasuredPlan& subject, const engine::LoadedPolicy& policy)
    : subject_(subject), checker_(subject.loaded), router_(policy), records_(subject.loaded),
      verdicts_(subject.loaded.clauses.size(), subject.loaded.slices) {}

void Judging::take(const Fragment& of, std::uint64_t piece) {
  rebase(*of.tally, piece);
  if (!isAny_)
    start(of.begins.value_or(0));
  else if (step_ != of.step)
    checker_.end_step();
  if (isAny_ && endsBefore(of)) {
    // A round of time ends when the next begins, and not with its last observation.
    now_ = std::max(now_, of.begins.value_or(now_));
    evaluate();
  }
  checker_.merge(*of.tally);
  isAny_ = true;
  tokens_ += of.tokens;
  responses_ += of.responses;
  rows_ += of.rows;
  file_ = of.file;
  step_ = of.step;
  now_ = std::max(now_, of.ends.value_or(now_));
}

void Judging::finish() {
  if (!isAny_)
    return;
  if (step_)
    checker_.end_step();
  if (isWhole())
    return evaluate();
  rest_ = tokens_ + rows_;
  checker_.evaluate(now_);
  records_.lookAtRest(checker_);
}

/// A round of what is counted, or of time, ends when it is full; the data end any other.
bool Judging::isWhole() const {
  const Rounds& rounds = subject_.rounds;
  switch (rounds.by) {
  case Rounds::By::Tokens:
    return static_cast<double>(tokens_) >= rounds.amount;
  case Rounds::By::Responses:
    return static_cast<double>(responses_) >= rounds.amount;
  case Rounds::By::Seconds:
    return false;
  case Rounds::By::All:
  case Rounds::By::File:
  case Rounds::By::Step:
    return true;
  }
  return true;
}

void Judging::start(double now) {
  now_ = began_ = now;
  checker_.start(now);
}

bool Judging::endsBefore(const Fragment& next) const {
  const Rounds& rounds = subject_.rounds;
  switch (rounds.by) {
  case Rounds::By::All:
    return false;
  case Rounds::By::File:
    return next.file != file_;
  case Rounds::By::Step:
    return next.step != step_;
  case Rounds::By::Tokens:
  case Rounds::By::Responses:
    return isWhole();
  case Rounds::By::Seconds:
    return next.begins && *next.begins >= began_ + rounds.amount;
  }
  return false;
}

void Judging::evaluate() {
  checker_.evaluate(now_);
  records_.look(checker_);
  checker_.verdicts(verdicts_);
  router_.tick(verdicts_, 0);
  for (const transition& each : router_)
    if (each.what == change::activated || each.what == change::released)
      activations_.push_back(
          {each.rule, each.slice, records_.evaluations(), each.what == change::activated});
  tokens_ = responses_ = rows_ = 0;
  began_ = now_;
}

} // namespace tikc::measure
