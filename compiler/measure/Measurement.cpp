#include "measure/Measurement.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace tikc::measure {
namespace {

using By = Rounds::By;

/// Judges fragments one after the other.
class Judging {
public:
  Judging(const MeasuredPlan& subject, const engine::LoadedPolicy& policy)
      : subject_(subject), checker_(subject.loaded), router_(policy), records_(subject.loaded),
        verdicts_(subject.loaded.clauses.size(), subject.loaded.slices) {}

  void take(const Fragment& of) {
    if (!isAny_) {
      now_ = began_ = of.time.value_or(0);
      checker_.start(now_);
    }
    if (isAny_ && step_ != of.step)
      checker_.end_step();
    if (isAny_ && endsBefore(of))
      evaluate();
    checker_.merge(*of.tally);
    isAny_ = true;
    tokens_ += of.tokens;
    responses_ += of.responses;
    file_ = of.file;
    step_ = of.step;
    if (of.time)
      now_ = std::max(now_, *of.time);
  }

  void finish() {
    if (!isAny_)
      return;
    if (step_)
      checker_.end_step();
    evaluate();
  }

  const CheckRecords& records() const { return records_; }
  const std::vector<Activation>& activations() const { return activations_; }

private:
  bool endsBefore(const Fragment& next) const {
    const Rounds& rounds = subject_.rounds;
    switch (rounds.by) {
    case By::All:
      return false;
    case By::File:
      return next.file != file_;
    case By::Step:
      return next.step != step_;
    case By::Tokens:
      return static_cast<double>(tokens_) >= rounds.amount;
    case By::Responses:
      return static_cast<double>(responses_) >= rounds.amount;
    case By::Seconds:
      return next.time && *next.time >= began_ + rounds.amount;
    }
    return false;
  }

  void evaluate() {
    checker_.evaluate(now_);
    records_.look(checker_);
    checker_.verdicts(verdicts_);
    router_.tick(verdicts_, 0);
    for (const transition& each : router_)
      if (each.what == change::activated || each.what == change::released)
        activations_.push_back(
            {each.rule, each.slice, records_.evaluations(), each.what == change::activated});
    tokens_ = responses_ = 0;
    began_ = now_;
  }

  const MeasuredPlan& subject_;
  engine::LoadedChecker checker_;
  engine::LoadedRouter router_;
  CheckRecords records_;
  std::vector<Activation> activations_;
  engine::LoadedPlan::standings verdicts_;
  bool isAny_ = false;
  std::uint64_t tokens_ = 0, responses_ = 0;
  std::string_view file_;
  std::optional<double> step_;
  double now_ = 0, began_ = 0;
};

/// Lets threads by in the order of what they have, whatever the order they come in.
class Turns {
public:
  template <class Act> void take(std::size_t turn, Act&& act) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == turn || isBroken_; });
    if (isBroken_)
      return;
    try {
      act();
    } catch (...) {
      isBroken_ = true;
      changed_.notify_all();
      throw;
    }
    ++next_;
    changed_.notify_all();
  }
  /// Whose turn it is never comes: nobody is to wait for it.
  void giveUp() {
    const std::lock_guard lock(mutex_);
    isBroken_ = true;
    changed_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  bool isBroken_ = false;
};

void addUp(Intake& into, const Fragmenting& piece, const std::vector<Fragment>& fragments,
           const data::PieceReport& report, std::size_t mostFaults) {
  into.report.add(report, mostFaults);
  for (const Fragment& each : fragments) {
    into.tokens += each.tokens;
    into.responses += each.responses;
    into.rows += each.rows;
  }
  into.unpaired += piece.unpaired();
  into.strangers += piece.strangers();
  for (const auto& [name, count] : piece.missing())
    into.missing[name] += count;
}

} // namespace

Measurement measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                    const data::Source& source, unsigned jobs,
                    const std::function<void(std::size_t)>& tell) {
  constexpr std::size_t mostFaults = 10;
  Judging judging(subject, policy);
  Intake intake;
  std::vector<data::PieceId> pieces(source.pieces());
  std::vector<std::string> files(source.pieces());
  Turns turns;
  data::forEachPiece(source, jobs, [&](std::size_t piece, data::PieceReader& reader) {
    try {
      Fragmenting fragmenting(subject, piece);
      data::Response response;
      while (reader.next(response))
        fragmenting.take(response);
      data::RowPair rows;
      while (reader.nextRow(rows))
        fragmenting.take(rows);
      const std::vector<Fragment> fragments = fragmenting.finish();
      turns.take(piece, [&] {
        for (const Fragment& each : fragments)
          judging.take(each);
        addUp(intake, fragmenting, fragments, reader.report(), mostFaults);
        pieces[piece] = reader.id();
        if (!fragments.empty())
          files[piece] = fragments.front().file;
        if (tell)
          tell(piece + 1);
      });
    } catch (...) {
      turns.giveUp();
      throw;
    }
  });
  judging.finish();
  return {judging.records(), std::move(intake), judging.activations(), std::move(pieces),
          std::move(files)};
}

} // namespace tikc::measure
