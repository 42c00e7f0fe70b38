#include "measure/LiveEvidence.h"

#include "data/bytes/Digest.h"
#include "measure/ObservationId.h"
#include "measure/Renaming.h"

#include <algorithm>
#include <utility>

namespace tikc::measure {
namespace {

/// Names that a process gave, as those of the first piece.
std::uint64_t liveName(std::uint64_t id, unsigned tokenBits) {
  const std::uint64_t number = id >> tokenBits, token = id - (number << tokenBits);
  return ObservationId{0, number, token == 0 ? 0 : token - 1}.packed();
}

Fragment fragmentOf(const MeasuredPlan& subject, const LivePiece& piece,
                    const engine::LoadedTally& observed) {
  Fragment out;
  out.tally = std::make_unique<engine::LoadedTally>(observed);
  renameObservations(*out.tally, [&](std::uint64_t id) { return liveName(id, piece.tokenBits); });
  // Links of a chain are shown the same tokens again.
  for (std::size_t stream = 0; stream < subject.loaded.streams.size(); ++stream) {
    tikc::stream_counts in;
    for (std::size_t slice = 0; slice < subject.loaded.slices; ++slice)
      in.merge(observed.observed(slice).through[stream]);
    out.tokens = std::max(out.tokens, in.tokens);
    out.responses = std::max(out.responses, in.sequences);
    out.rows = std::max(out.rows, in.rows);
  }
  out.file = piece.source;
  out.step = piece.step;
  out.begins = piece.begins;
  out.ends = piece.ends;
  return out;
}

data::PieceId liveDigest(std::string_view what, const LivePiece& piece, std::uint64_t number) {
  data::Digest out;
  out.add(what);
  out.add(number);
  out.add(piece.source);
  return out.id();
}

} // namespace

Evidence evidenceOf(const MeasuredPlan& subject, std::string_view stage, const LivePiece& piece,
                    const LiveObserved& observed) {
  const Fragment fragment = fragmentOf(subject, piece, observed.tally);
  FragmentBytes fragments;
  fragments.add(fragment);
  Intake intake;
  intake.signs = observed.signs;
  intake.report.broken = piece.failed;
  intake.report.responses = fragment.responses;
  intake.report.records = intake.report.responses + fragment.rows;
  const std::vector<std::string> files{piece.source};
  const auto content = std::make_shared<std::string>();
  llvm::cantFail(
      ContentBytes(intake, fragments).each([&](std::string_view step) { *content += step; }));
  Evidence out;
  out.shape = EvidenceShape::of(subject);
  out.origins = {EvidenceOrigin::of(subject, stage)};
  out.pieces = {{liveDigest("live piece", piece, piece.place),
                 0,
                 {liveDigest("live run", piece, 0), piece.place, files, 0, false},
                 *content}};
  out.kept = {content};
  return out;
}

} // namespace tikc::measure
