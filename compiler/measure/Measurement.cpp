#include "measure/Measurement.h"

#include "measure/EvidenceOrder.h"
#include "support/Check.h"
#include "support/UsageError.h"
#include "support/Utf8.h"
#include "tikc/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace tikc::measure {
namespace {

std::uint64_t linesBefore(const data::Source& source, std::size_t piece) {
  data::Place first;
  first.piece = piece;
  first.line = 1;
  return source.located(first).line - 1;
}

Measurement told(const Judging& judging, Intake intake, std::vector<PieceOrigin> pieces) {
  return {judging.records(), std::move(intake), judging.activations(),
          std::move(pieces), judging.assumed(), judging.rest(),
          judging.came(),    judging.details(), judging.ends()};
}

Fragment withTally(const EvidenceFragment& from, std::string_view file,
                   std::unique_ptr<engine::LoadedTally> tally) {
  return {std::move(tally), from.tokens, from.responses, from.rows, file,
          from.step,        from.begins, from.ends};
}

/// Reads fragments of evidence into one tally, under whichever contract they were observed.
class FragmentReader {
public:
  FragmentReader(const MeasuredPlan& subject, const Evidence& evidence) {
    for (const EvidenceOrigin& each : evidence.origins) {
      plans_.push_back(std::make_unique<engine::LoadedPlan>(subject.loaded));
      plans_.back()->fingerprint = each.fingerprint;
      tallies_.emplace_back();
    }
  }

  llvm::Expected<Fragment*> read(const EvidencePiece& piece, const EvidenceFragment& from) {
    giveBack();
    std::unique_ptr<engine::LoadedTally>& tally = tallies_[piece.origin];
    if (!tally)
      tally = std::make_unique<engine::LoadedTally>(*plans_[piece.origin]);
    const wire_error error = parse(from.tally.data(), from.tally.size(), *tally);
    if (error != wire_error::none)
      return usageError(fmt::format("the evidence has a tally that is not of this contract ({})",
                                    tikc::name(error)));
    lent_ = piece.origin;
    fragment_ = withTally(from, piece.site.files[from.file], std::move(tally));
    return &fragment_;
  }

private:
  void giveBack() {
    if (fragment_.tally)
      tallies_[lent_] = std::move(fragment_.tally);
  }

  std::vector<std::unique_ptr<engine::LoadedPlan>> plans_;
  std::vector<std::unique_ptr<engine::LoadedTally>> tallies_;
  std::size_t lent_ = 0;
  Fragment fragment_;
};

llvm::Error whyNotInTime(const MeasuredPlan& subject, const Judging& judging) {
  const auto& fault = judging.timeFault();
  if (!fault)
    return llvm::Error::success();
  const std::string file = utf8::tickedPath(fault->file);
  if (!fault->time || !fault->wasTimed)
    return usageError(fmt::format("data in {} have {} time, but earlier data have {}; windows of "
                                  "time require one for each response or row",
                                  file, fault->time ? "a" : "no", fault->time ? "none" : "one"));
  return usageError(fmt::format(
      "the time goes back from {} to {} s in {}, and windows of {:g} s allow less; order the data "
      "by time, or measure each file with --evidence and then their evidence together",
      fault->latest, *fault->time, file, *shortestTime(subject)));
}

llvm::Error
readFragments(const MeasuredPlan& subject, const Evidence& evidence, const EvidenceOrder& order,
              llvm::function_ref<void(const Fragment& fragment, std::size_t piece)> visit) {
  FragmentReader reader(subject, evidence);
  return order.each([&](std::size_t piece, const EvidenceFragment& each) -> llvm::Error {
    auto fragment = reader.read(*order.pieces()[piece], each);
    if (!fragment) {
      if (auto rewritten = evidence.whyRewritten()) {
        llvm::consumeError(fragment.takeError());
        return rewritten;
      }
      return fragment.takeError();
    }
    visit(**fragment, piece);
    return llvm::Error::success();
  });
}

/// What the fragments of a piece may take before they are judged. As long as they wait, a piece
/// that turns out to be the copy of another is left out.
constexpr std::size_t mostWaiting = std::size_t{4} << 20;

/// What was judged so far.
struct JudgedSoFar {
  JudgedSoFar(const MeasuredPlan& subject, const engine::LoadedPolicy& policy, std::size_t pieces)
      : judging(subject, policy), pieces(pieces) {}

  Judging judging;
  Intake intake;
  std::vector<PieceOrigin> pieces;
  std::set<data::PieceId> known;
  std::string fault; // why nothing can be said
};

/// Judges a piece from the bytes of its fragments, one after the other.
class FragmentReplay {
public:
  explicit FragmentReplay(const MeasuredPlan& subject)
      : tally_(std::make_unique<engine::LoadedTally>(subject.loaded)) {}

  /// Whether it is of this contract.
  bool canBe(const EvidenceFragment& each) {
    return parse(each.tally.data(), each.tally.size(), *tally_) == wire_error::none;
  }
  void judge(const EvidenceFragment& each, std::string_view file, std::size_t piece,
             Judging& judging) {
    TIKC_CHECK(canBe(each), "what was observed under a contract can be judged under it");
    Fragment fragment = withTally(each, file, std::move(tally_));
    judging.take(fragment, piece);
    tally_ = std::move(fragment.tally);
  }

private:
  std::unique_ptr<engine::LoadedTally> tally_;
};

/// How far a piece has come.
struct PieceProgress {
  bool isJudged = false;           // as it comes
  std::optional<data::PieceId> id; // where it was looked at before
  bool isRepeated = false;
};

/// Observes pieces, or remembers that they were observed before, and judges them in their turn.
class PieceObserver {
public:
  PieceObserver(const MeasuredPlan& subject, const data::Source& source, const Witnesses& witnesses,
                JudgedSoFar& judged)
      : subject_(subject), source_(source), witnesses_(witnesses), judged_(judged) {}

  data::HandOver observe(std::size_t piece, data::PieceReader& reader, data::Turn& turn) const {
    const JournalEntry* const before =
        witnesses_.journal == nullptr ? nullptr : witnesses_.journal->find(piece);
    if (before == nullptr)
      return read(piece, reader, turn);
    // A file's name can say its step.
    const std::span<const std::string> names = source_.filesOf(piece);
    const bool isNamedSo =
        std::all_of(before->files.begin(), before->files.end(), [&](const std::string& each) {
          return std::find(names.begin(), names.end(), each) != names.end();
        });
    if (isNamedSo && reader.skim() == before->id)
      if (auto content = remembered(*before)) {
        collect(piece, *before, before->bytes());
        return judgeRemembered(piece, *before, std::move(*content));
      }
    return read(piece, *source_.read(piece), turn);
  }

private:
  data::HandOver read(std::size_t piece, data::PieceReader& reader, data::Turn& turn) const {
    const bool isKept = witnesses_.collected != nullptr || witnesses_.journal != nullptr;
    auto waiting = std::make_unique<FragmentBytes>(witnesses_.folder);
    const bool mayBeCopy = source_.mayBeCopy(piece);
    PieceProgress progress;
    auto start = [&] {
      if (mayBeCopy && source_.canReadAgain(piece))
        progress.id = source_.read(piece)->skim();
      turn.await();
      progress.isJudged = true;
      progress.isRepeated = progress.id && !judged_.known.insert(*progress.id).second;
      judge(piece, *waiting, progress);
      if (!isKept)
        *waiting = FragmentBytes();
    };
    Fragmenting fragmenting(subject_, [&](const Fragment& each) {
      if (!progress.isJudged && !mayBeCopy && turn.hasCome())
        start();
      if (isKept || !progress.isJudged)
        waiting->add(each);
      if (progress.isJudged && !progress.isRepeated)
        judged_.judging.take(each, piece);
      else if (!progress.isJudged && waiting->bytes() > mostWaiting)
        start();
      if (progress.isJudged)
        waiting->settle();
    });
    data::Response response;
    while (reader.next(response))
      fragmenting.take(response);
    data::RowPair rows;
    while (reader.nextRow(rows))
      fragmenting.take(rows);
    fragmenting.finish();
    Intake intake = intakeOf(fragmenting, reader.report());
    PieceOrigin origin = fragmenting.origin();
    origin.id = reader.id();
    if (isKept)
      keep(piece, origin, intake, *waiting, fragmenting.units());
    if (progress.isJudged)
      waiting.reset();
    return [this, piece, progress, intake = std::move(intake), origin = std::move(origin),
            waiting = std::move(waiting)]() mutable {
      admit(piece, intake, origin, progress);
      if (!progress.isJudged)
        judge(piece, *waiting, progress);
    };
  }

  void judge(std::size_t piece, const FragmentBytes& fragments,
             const PieceProgress& progress) const {
    if (progress.isRepeated)
      return;
    FragmentReplay replay(subject_);
    for (const EvidenceFragment& each : fragments.read())
      replay.judge(each, fragments.files()[each.file], piece, judged_.judging);
  }

  /// Counts a piece, or finds that it is one that came before.
  void admit(std::size_t piece, const Intake& intake, const PieceOrigin& origin,
             PieceProgress& progress) const {
    const bool isEmpty = intake.report.records + intake.report.broken == 0;
    if (progress.id && *progress.id != origin.id)
      return fail(origin, "was changed while it was read");
    if (!progress.id && !isEmpty)
      progress.isRepeated = !judged_.known.insert(origin.id).second;
    if (!progress.isRepeated) {
      judged_.intake.add(intake);
      judged_.pieces[piece] = origin;
      return;
    }
    ++judged_.intake.repeated;
    if (progress.isJudged && !progress.id)
      fail(origin, "repeats the data of a file that was read before; give only one of them");
  }
  void fail(const PieceOrigin& at, std::string_view why) const {
    if (judged_.fault.empty())
      judged_.fault = fmt::format("{} {}", utf8::tickedPath(at.file), why);
  }

  void keep(std::size_t piece, const PieceOrigin& origin, const Intake& intake,
            const FragmentBytes& fragments, const UnitTable& units) const {
    JournalEntry entry{origin.id, origin.isOfLines, {}, intake.report.found, {}};
    entry.files.assign(fragments.files().begin(), fragments.files().end());
    const ContentBytes content(intake, fragments, units);
    // Bytes are digested some time after they are read.
    if (witnesses_.journal != nullptr && !source_.isRewritten(piece))
      witnesses_.journal->keep(piece, entry, content, intake);
    collect(piece, entry, content);
  }

  /// Nothing where a tally is none of this contract.
  std::optional<EvidenceContent> remembered(const JournalEntry& entry) const {
    FragmentReplay replay(subject_);
    bool isOfContract = true;
    auto content = entry.read(
        [&](const EvidenceFragment& each) { isOfContract = isOfContract && replay.canBe(each); });
    if (!isOfContract)
      return std::nullopt;
    content->intake.report.found = entry.found;
    return content;
  }
  data::HandOver judgeRemembered(std::size_t piece, const JournalEntry& entry,
                                 EvidenceContent content) const {
    return [this, piece, &entry, content = std::move(content)] {
      const PieceOrigin origin{entry.files.empty() ? "" : entry.files.front(), entry.isOfLines, 0,
                               entry.id};
      PieceProgress progress;
      admit(piece, content.intake, origin, progress);
      if (progress.isRepeated)
        return;
      FragmentReplay replay(subject_);
      entry.read([&](const EvidenceFragment& each) {
        replay.judge(each, entry.files[each.file], piece, judged_.judging);
      });
    };
  }

  void collect(std::size_t piece, const JournalEntry& entry, const ContentBytes& content) const {
    if (witnesses_.collected != nullptr)
      witnesses_.collected->take(piece, entry.id, entry.files, content);
  }

  const MeasuredPlan& subject_;
  const data::Source& source_;
  const Witnesses& witnesses_;
  JudgedSoFar& judged_;
};

/// Returns how many threads pay off. A piece that waits for its turn is kept as bytes, fragment by
/// fragment, and that takes longer than to read it if a tally is larger than a fragment's data.
unsigned usefulJobs(const MeasuredPlan& subject, unsigned jobs) {
  constexpr double bytesOfToken = 20, tokensOfResponse = 200, worth = 2;
  const Rounds& rounds = subject.rounds;
  if (rounds.by != Rounds::By::Tokens && rounds.by != Rounds::By::Responses)
    return jobs;
  const double tokens =
      rounds.amount / partsOfRound * (rounds.by == Rounds::By::Tokens ? 1 : tokensOfResponse);
  const auto& keepers = subject.loaded.keepers;
  const auto sketches = std::count_if(keepers.begin(), keepers.end(),
                                      [](const keeper& each) { return each.how == fold::sketch; });
  const double tally = static_cast<double>(subject.loaded.slices * sizeof(signed_sketch)) *
                       static_cast<double>(sketches);
  return tally > worth * tokens * bytesOfToken ? 1 : jobs;
}

} // namespace

llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const data::Source& source, unsigned jobs,
                                    const Witnesses& witnesses) {
  JudgedSoFar judged(subject, policy, source.pieces());
  const PieceObserver observer(subject, source, witnesses, judged);
  data::forEachPieceInTurn(
      source, usefulJobs(subject, jobs),
      [&](std::size_t piece, data::PieceReader& reader, data::Turn& turn) -> data::HandOver {
        return [&, piece, handOver = observer.observe(piece, reader, turn)]() mutable {
          handOver();
          if (witnesses.tell)
            witnesses.tell(piece + 1, [&] { return told(judged.judging, judged.intake, {}); });
        };
      });
  if (!judged.fault.empty())
    return usageError(judged.fault);
  if (auto error = whyNotInTime(subject, judged.judging))
    return error;
  judged.judging.finish();
  // The lines before a piece are known once all before it are read.
  for (std::size_t i = 0; i < judged.pieces.size(); ++i)
    judged.pieces[i].linesBefore = linesBefore(source, i);
  return told(judged.judging, std::move(judged.intake), std::move(judged.pieces));
}

llvm::Error whyNotInSteps(const MeasuredPlan& subject, const data::PieceReport& report) {
  const std::uint64_t without = report.responses - report.withStep;
  if (!marksSteps(subject) || report.withStep == 0 || without == 0)
    return llvm::Error::success();
  return usageError(fmt::format("{} of {} responses {} no step, but others do; step windows "
                                "require a step for each response",
                                data::grouped(without), data::grouped(report.responses),
                                without == 1 ? "has" : "have"));
}

llvm::Error
eachFragment(const MeasuredPlan& subject, const Evidence& evidence,
             llvm::function_ref<void(const Fragment& fragment, std::size_t piece)> visit) {
  return readFragments(subject, evidence, EvidenceOrder(evidence, marksSteps(subject)), visit);
}

llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence, Judging::Routed routed) {
  Judging judging(subject, policy, routed);
  Intake intake;
  std::vector<PieceOrigin> pieces;
  const EvidenceOrder order(evidence, marksSteps(subject));
  pieces.reserve(order.pieces().size());
  for (const EvidencePiece* each : order.pieces()) {
    const auto content = EvidenceContent::read(*each);
    if (!content)
      return usageError("evidence was changed while it was read");
    intake.add(content->intake);
    pieces.push_back({each->site.files.empty() ? "" : each->site.files.front(),
                      each->site.isOfLines, each->site.linesBefore, each->id});
  }
  // Each run was refused or not by itself; together their responses may not be of one kind.
  if (auto error = data::whyNotMarked(intake.report))
    return error;
  if (auto error = whyNotInSteps(subject, intake.report))
    return error;
  auto error =
      readFragments(subject, evidence, order,
                    [&](const Fragment& each, std::size_t piece) { judging.take(each, piece); });
  if (error)
    return error;
  if (auto rewritten = evidence.whyRewritten())
    return rewritten;
  if (auto backInTime = whyNotInTime(subject, judging))
    return backInTime;
  judging.finish();
  return told(judging, std::move(intake), std::move(pieces));
}

} // namespace tikc::measure
