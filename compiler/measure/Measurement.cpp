#include "measure/Measurement.h"

#include <algorithm>
#include <set>

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
    file_ = of.file;
    step_ = of.step;
    now_ = std::max(now_, of.ends.value_or(now_));
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
  void start(double now) {
    now_ = began_ = now;
    checker_.start(now);
  }

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
      return next.begins && *next.begins >= began_ + rounds.amount;
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

void addUp(Intake& into, const Fragmenting& piece, const data::PieceReport& report,
           std::size_t mostFaults) {
  into.report.add(report, mostFaults);
  for (const Fragment& each : piece.fragments()) {
    into.tokens += each.tokens;
    into.responses += each.responses;
    into.rows += each.rows;
    into.namesSteps = into.namesSteps || each.step;
    into.namesTimes = into.namesTimes || each.begins;
  }
  into.unpaired += piece.unpaired();
  into.strangers += piece.strangers();
  if (piece.strangers() != 0)
    into.strangeLength = piece.strangeLength();
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
  std::vector<PieceOrigin> pieces(source.pieces());
  std::set<data::PieceId> known;
  data::forEachPiece(source, jobs,
                     [&](std::size_t piece, data::PieceReader& reader) -> data::HandOver {
                       auto fragmenting = std::make_unique<Fragmenting>(subject, piece);
                       data::Response response;
                       while (reader.next(response))
                         fragmenting->take(response);
                       data::RowPair rows;
                       while (reader.nextRow(rows))
                         fragmenting->take(rows);
                       return [&, piece, of = std::move(fragmenting)] {
                         const data::PieceReport& report = reader.report();
                         const bool isEmpty = report.records + report.broken == 0;
                         if (!isEmpty && !known.insert(reader.id()).second) {
                           ++intake.repeated;
                         } else {
                           for (const Fragment& each : of->fragments())
                             judging.take(each);
                           addUp(intake, *of, report, mostFaults);
                           pieces[piece] = of->origin();
                         }
                         if (tell)
                           tell(piece + 1);
                       };
                     });
  judging.finish();
  return {judging.records(), std::move(intake), judging.activations(), std::move(pieces)};
}

} // namespace tikc::measure
