#include "measure/Measurement.h"

#include "measure/EvidenceOrder.h"
#include "support/UsageError.h"
#include "tikc/wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace tikc::measure {
namespace {

std::uint64_t linesBefore(const data::Source& source, std::size_t piece) {
  data::Place first;
  first.piece = piece;
  first.line = 1;
  return source.located(first).line - 1;
}

Measurement told(const Judging& judging, Intake intake, std::vector<PieceOrigin> pieces) {
  return {judging.records(), std::move(intake), judging.activations(), std::move(pieces),
          judging.assumed(), judging.rest(),    judging.came(),        judging.transitions(),
          judging.details(), judging.ends()};
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
      return usageError(fmt::format("the evidence has a tally that is none of this contract ({})",
                                    tikc::name(error)));
    lent_ = piece.origin;
    fragment_ = withTally(from, piece.found.files[from.file], std::move(tally));
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

llvm::Error readFragments(const MeasuredPlan& subject, const Evidence& evidence,
                          const EvidenceOrder& order,
                          llvm::function_ref<void(const Fragment& of, std::size_t piece)> visit) {
  FragmentReader reader(subject, evidence);
  return order.each([&](std::size_t piece, const EvidenceFragment& each) -> llvm::Error {
    auto fragment = reader.read(*order.pieces()[piece], each);
    if (!fragment)
      return fragment.takeError();
    visit(**fragment, piece);
    return llvm::Error::success();
  });
}

/// What a piece brings.
struct ObservedPiece {
  data::PieceId id;
  PieceOrigin origin;
  Intake intake;
  std::vector<Fragment> fragments;
};

/// Observes a piece, or remembers that it was observed before.
class PieceObserver {
public:
  PieceObserver(const MeasuredPlan& subject, const data::Source& source, const Witnesses& witnesses)
      : subject_(subject), source_(source), witnesses_(witnesses) {}

  ObservedPiece observe(std::size_t piece, data::PieceReader& reader) const {
    const JournalEntry* const before =
        witnesses_.journal == nullptr ? nullptr : witnesses_.journal->find(piece);
    if (before == nullptr)
      return read(piece, reader);
    if (reader.skim() == before->id)
      if (auto out = remembered(*before)) {
        collect(piece, *before, std::string(before->content));
        return std::move(*out);
      }
    return read(piece, *source_.read(piece));
  }

private:
  ObservedPiece read(std::size_t piece, data::PieceReader& reader) const {
    Fragmenting fragmenting(subject_);
    data::Response response;
    while (reader.next(response))
      fragmenting.take(response);
    data::RowPair rows;
    while (reader.nextRow(rows))
      fragmenting.take(rows);
    ObservedPiece out{reader.id(), fragmenting.origin(), intakeOf(fragmenting, reader.report()),
                      std::move(fragmenting.fragments())};
    if (witnesses_.collected == nullptr && witnesses_.journal == nullptr)
      return out;
    JournalEntry entry{out.id, out.origin.isOfLines, {}, out.intake.report.found, {}};
    for (const Fragment& each : out.fragments)
      if (std::find(entry.files.begin(), entry.files.end(), each.file) == entry.files.end())
        entry.files.emplace_back(each.file);
    std::string content =
        EvidenceContent::bytesOf(out.intake, out.fragments, entry.files, fragmenting.units());
    entry.content = content;
    if (witnesses_.journal != nullptr)
      witnesses_.journal->keep(piece, entry, out.intake);
    collect(piece, entry, std::move(content));
    return out;
  }

  /// Nothing of a tally that is none of this contract.
  std::optional<ObservedPiece> remembered(const JournalEntry& entry) const {
    auto content = EvidenceContent::read(entry.content, entry.files.size());
    ObservedPiece out{entry.id, {}, std::move(content->intake), {}};
    out.intake.report.found = entry.found;
    if (!entry.files.empty())
      out.origin = {entry.files.front(), entry.isOfLines};
    for (const EvidenceFragment& each : content->fragments) {
      auto tally = std::make_unique<engine::LoadedTally>(subject_.loaded);
      if (parse(each.tally.data(), each.tally.size(), *tally) != wire_error::none)
        return std::nullopt;
      out.fragments.push_back(withTally(each, entry.files[each.file], std::move(tally)));
    }
    return out;
  }

  void collect(std::size_t piece, const JournalEntry& entry, std::string content) const {
    if (witnesses_.collected != nullptr)
      witnesses_.collected->take(piece, entry.id, entry.files, std::move(content));
  }

  const MeasuredPlan& subject_;
  const data::Source& source_;
  const Witnesses& witnesses_;
};

} // namespace

Measurement measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                    const data::Source& source, unsigned jobs, const Witnesses& witnesses) {
  Judging judging(subject, policy);
  Intake intake;
  std::vector<PieceOrigin> pieces(source.pieces());
  std::set<data::PieceId> known;
  const PieceObserver observer(subject, source, witnesses);
  data::forEachPiece(
      source, jobs, [&](std::size_t piece, data::PieceReader& reader) -> data::HandOver {
        auto of = std::make_unique<ObservedPiece>(observer.observe(piece, reader));
        return [&, piece, of = std::move(of)] {
          const bool isEmpty = of->intake.report.records + of->intake.report.broken == 0;
          if (!isEmpty && !known.insert(of->id).second) {
            ++intake.repeated;
          } else {
            for (const Fragment& each : of->fragments)
              judging.take(each, piece);
            intake.add(of->intake);
            pieces[piece] = of->origin;
            pieces[piece].id = of->id;
          }
          if (witnesses.tell)
            witnesses.tell(piece + 1, [&] { return told(judging, intake, {}); });
        };
      });
  judging.finish();
  // The lines before a piece are known once all before it are read.
  for (std::size_t i = 0; i < pieces.size(); ++i)
    pieces[i].linesBefore = linesBefore(source, i);
  return told(judging, std::move(intake), std::move(pieces));
}

llvm::Error eachFragment(const MeasuredPlan& subject, const Evidence& evidence,
                         llvm::function_ref<void(const Fragment& of, std::size_t piece)> visit) {
  return readFragments(subject, evidence, EvidenceOrder(evidence, marksSteps(subject)), visit);
}

llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence) {
  Judging judging(subject, policy);
  Intake intake;
  std::vector<PieceOrigin> pieces;
  const EvidenceOrder order(evidence, marksSteps(subject));
  pieces.reserve(order.pieces().size());
  for (const EvidencePiece* each : order.pieces()) {
    intake.add(EvidenceContent::read(each->content, each->found.files.size())->intake);
    pieces.push_back({each->found.files.empty() ? "" : each->found.files.front(),
                      each->found.isOfLines, each->found.linesBefore, each->id});
  }
  auto error =
      readFragments(subject, evidence, order,
                    [&](const Fragment& each, std::size_t piece) { judging.take(each, piece); });
  if (error)
    return error;
  judging.finish();
  return told(judging, std::move(intake), std::move(pieces));
}

} // namespace tikc::measure
