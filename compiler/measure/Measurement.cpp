#include "measure/Measurement.h"

#include "measure/EvidenceOrder.h"
#include "support/UsageError.h"
#include "tikc/wire.h"

#include <fmt/format.h>

#include <set>

namespace tikc::measure {
namespace {

std::uint64_t linesBefore(const data::Source& source, std::size_t piece) {
  data::Place first;
  first.piece = piece;
  first.line = 1;
  return source.located(first).line - 1;
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
    fragment_.tally = std::move(tally);
    fragment_.tokens = from.tokens;
    fragment_.responses = from.responses;
    fragment_.rows = from.rows;
    fragment_.file = piece.found.files[from.file];
    fragment_.step = from.step;
    fragment_.begins = from.begins;
    fragment_.ends = from.ends;
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

} // namespace

Measurement measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                    const data::Source& source, unsigned jobs,
                    const std::function<void(std::size_t)>& tell, EvidenceCollector* collected) {
  Judging judging(subject, policy);
  Intake intake;
  std::vector<PieceOrigin> pieces(source.pieces());
  std::set<data::PieceId> known;
  data::forEachPiece(source, jobs,
                     [&](std::size_t piece, data::PieceReader& reader) -> data::HandOver {
                       auto fragmenting = std::make_unique<Fragmenting>(subject);
                       data::Response response;
                       while (reader.next(response))
                         fragmenting->take(response);
                       data::RowPair rows;
                       while (reader.nextRow(rows))
                         fragmenting->take(rows);
                       Intake own = intakeOf(*fragmenting, reader.report());
                       if (collected != nullptr)
                         collected->take(piece, reader.id(), own, *fragmenting);
                       return [&, piece, of = std::move(fragmenting), own = std::move(own)] {
                         const bool isEmpty = own.report.records + own.report.broken == 0;
                         if (!isEmpty && !known.insert(reader.id()).second) {
                           ++intake.repeated;
                         } else {
                           for (const Fragment& each : of->fragments())
                             judging.take(each, piece);
                           intake.add(own);
                           pieces[piece] = of->origin();
                         }
                         if (tell)
                           tell(piece + 1);
                       };
                     });
  judging.finish();
  // The lines before a piece are known once all before it are read.
  for (std::size_t i = 0; i < pieces.size(); ++i)
    pieces[i].linesBefore = linesBefore(source, i);
  return {judging.records(), std::move(intake), judging.activations(),
          std::move(pieces), judging.assumed(), judging.rest()};
}

llvm::Expected<Measurement> measure(const MeasuredPlan& subject, const engine::LoadedPolicy& policy,
                                    const Evidence& evidence) {
  Judging judging(subject, policy);
  Intake intake;
  std::vector<PieceOrigin> pieces;
  const EvidenceOrder order(evidence, marksSteps(subject));
  for (const EvidencePiece* each : order.pieces()) {
    intake.add(EvidenceContent::read(each->content, each->found.files.size())->intake);
    pieces.push_back({each->found.files.empty() ? "" : each->found.files.front(),
                      each->found.isOfLines, each->found.linesBefore});
  }
  FragmentReader reader(subject, evidence);
  auto error = order.each([&](std::size_t piece, const EvidenceFragment& each) -> llvm::Error {
    auto fragment = reader.read(*order.pieces()[piece], each);
    if (!fragment)
      return fragment.takeError();
    judging.take(**fragment, piece);
    return llvm::Error::success();
  });
  if (error)
    return error;
  judging.finish();
  return Measurement{judging.records(), std::move(intake), judging.activations(),
                     std::move(pieces), judging.assumed(), judging.rest()};
}

} // namespace tikc::measure
