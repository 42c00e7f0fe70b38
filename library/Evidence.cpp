#include "library/Handles.h"
#include "measure/DiagnosisForms.h"
#include "measure/Forms.h"
#include "measure/LiveEvidence.h"
#include "measure/Measurement.h"
#include "page/Provenance.h"
#include "page/ReportPage.h"
#include "support/UsageError.h"
#include "support/Utf8.h"
#include "tikc/c_tally.h"

#include <llvm/Support/Error.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

using namespace tikc;
using namespace tikc::library;

namespace {

tikc_status isEvidence(const void* handle) { return c::is_object<OpenEvidence>(handle); }
const measure::NamedEvidence& evidenceAt(const tikc_evidence* evidence) {
  return c::object<OpenEvidence>(evidence).named;
}

tikc_status isSink(tikc_sink sink) { return c::calls_back(sink != nullptr); }

/// In pieces of a size that callers need not be afraid of.
void tell(std::string_view text, tikc_sink sink, void* context) {
  constexpr std::size_t most = 1 << 20;
  for (; !text.empty(); text.remove_prefix(std::min(most, text.size())))
    sink(text.data(), std::min(most, text.size()), context);
}

tikc_status refused(llvm::Error why, tikc_sink sink, void* context) {
  tell(llvm::toString(std::move(why)), sink, context);
  return TIKC_REFUSED;
}

tikc_status isPiece(const tikc_piece* piece) {
  tikc_status wrong = c::points_to(piece);
  if (wrong == TIKC_OK)
    wrong = c::first_wrong(c::points_to(piece->source), c::points_to(piece->stage),
                           c::is_below(piece->token_bits, 64));
  if (wrong == TIKC_OK && utf8::firstInvalid(piece->source))
    wrong = TIKC_VALUE;
  return wrong;
}

std::optional<double> known(double number) {
  return std::isnan(number) ? std::nullopt : std::optional(number);
}

measure::LivePiece pieceOf(const tikc_piece& piece) {
  return {piece.source,        piece.place,       piece.failed,    known(piece.step),
          known(piece.begins), known(piece.ends), piece.token_bits};
}

const plan::Stage* stageNamed(const plan::Plan& plan, std::string_view name) {
  const auto found = std::find_if(plan.stages.begin(), plan.stages.end(),
                                  [&](const plan::Stage& each) { return each.name == name; });
  return found == plan.stages.end() ? nullptr : &*found;
}

/// What evidence says of a contract, told by `tell`.
llvm::Expected<std::string>
judged(const RunnableContract& contract, const measure::Evidence& evidence, bool allowsOther,
       bool isDetailed, llvm::function_ref<std::string(const measure::MeasuredContract&)> tell) {
  auto subject = measure::subjectOf(contract.plan, contract.tables, evidence);
  if (!subject)
    return subject.takeError();
  subject->isDetailed = isDetailed;
  const std::string stage = evidence.origins.empty() ? "" : evidence.origins.front().stage;
  auto others = measure::othersIn(evidence, measure::EvidenceOrigin::of(*subject, stage));
  if (!others.empty() && !allowsOther)
    return usageError(others.front());
  auto out = measure::measure(*subject, contract.policy, evidence);
  if (!out)
    return out.takeError();
  auto all = measure::MeasuredContract::of(*subject, *out, measure::rowsOf(*subject, *out, {}),
                                           std::move(others));
  all.observeClaims(contract.contract, {});
  return tell(all);
}

std::string pageOf(const measure::MeasuredContract& contract, const measure::Evidence& evidence) {
  return page::reportPage({contract, {}, {}, page::provenanceOf(contract, "", &evidence)});
}

tikc_status toldOf(const tikc_evidence* handle, const tikc_contract* contract,
                   uint32_t allows_other, bool isPage, tikc_sink sink, void* context) {
  const tikc_status wrong = c::first_wrong(isEvidence(handle), c::is_object<ContractRef>(contract),
                                           c::is_below(allows_other, 2), isSink(sink));
  if (wrong != TIKC_OK)
    return wrong;
  const measure::Evidence& evidence = evidenceAt(handle).evidence;
  auto told = judged(*c::object<ContractRef>(contract), evidence, allows_other != 0, isPage,
                     [&](const measure::MeasuredContract& all) {
                       return isPage ? pageOf(all, evidence) : measure::measuredJson(all);
                     });
  if (!told)
    return refused(told.takeError(), sink, context);
  tell(*told, sink, context);
  return TIKC_OK;
}

tikc_status createEvidence(const tikc_tally* observed, const data::Signs& signs,
                           const tikc_piece* piece, tikc_evidence** out) {
  const tikc_status wrong = c::first_wrong(c::is_object<engine::LoadedTally>(observed),
                                           isPiece(piece), c::points_to(out));
  if (wrong != TIKC_OK)
    return wrong;
  const auto& tally = *reinterpret_cast<const c::boxed<engine::LoadedTally>*>(observed);
  const plan::Plan& plan = tally.contract->plan;
  const plan::Stage* stage = stageNamed(plan, piece->stage);
  if (stage == nullptr && *piece->stage != '\0')
    return TIKC_VALUE;
  const measure::MeasuredPlan subject{plan, tally.contract->tables, 0,
                                      measure::Rounds::of(plan, stage)};
  return create<OpenEvidence>(
      out, OpenEvidence{{piece->source, measure::evidenceOf(subject, piece->stage, pieceOf(*piece),
                                                            {tally.held, signs})}});
}

} // namespace

extern "C" {

tikc_status tikc_evidence_create(const tikc_tally* observed, const tikc_piece* piece,
                                 tikc_evidence** out) noexcept {
  return guarded([&] { return createEvidence(observed, data::Signs(), piece, out); });
}

tikc_status tikc_evidence_create_with(const tikc_tally* observed, const tikc_signs* signs,
                                      const tikc_piece* piece, tikc_evidence** out) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(c::is_object<engine::LoadedTally>(observed),
                                             c::is_object<data::Signs>(signs));
    return wrong == TIKC_OK ? createEvidence(observed, c::object<data::Signs>(signs), piece, out)
                            : wrong;
  });
}

tikc_status tikc_evidence_destroy(tikc_evidence* evidence) noexcept {
  return destroy<OpenEvidence>(evidence);
}

tikc_status tikc_evidence_read(const void* bytes, size_t size, const char* name,
                               tikc_evidence** out, tikc_sink sink, void* context) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(c::has_bytes(bytes, size), c::points_to(name),
                                             c::points_to(out), isSink(sink));
    if (wrong != TIKC_OK)
      return wrong;
    // What is read points into it.
    const auto kept = std::make_shared<const std::string>(static_cast<const char*>(bytes), size);
    auto evidence = measure::Evidence::read(*kept, name);
    if (!evidence)
      return refused(evidence.takeError(), sink, context);
    evidence->kept.push_back(kept);
    return create<OpenEvidence>(out, OpenEvidence{{name, std::move(*evidence)}});
  });
}

tikc_status tikc_evidence_serialise(const tikc_evidence* handle, void* to, size_t room,
                                    size_t* bytes) noexcept {
  return guarded([&] {
    const tikc_status wrong =
        c::first_wrong(isEvidence(handle), c::has_bytes(to, room), c::points_to(bytes));
    if (wrong != TIKC_OK)
      return wrong;
    const measure::EvidenceParts parts(evidenceAt(handle).evidence);
    *bytes = parts.size();
    if (*bytes > room)
      return TIKC_ROOM;
    char* end = static_cast<char*>(to);
    parts.each([&](std::string_view step) {
      end = std::copy(step.begin(), step.end(), end);
      return true;
    });
    return TIKC_OK;
  });
}

tikc_status tikc_evidence_merge(tikc_evidence* into, const tikc_evidence* other,
                                uint32_t allows_other, tikc_sink sink, void* context) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(isEvidence(into), isEvidence(other),
                                             c::is_below(allows_other, 2), isSink(sink));
    if (wrong != TIKC_OK)
      return wrong;
    const measure::NamedEvidence both[] = {evidenceAt(into), evidenceAt(other)};
    auto merged = measure::joined(both, allows_other != 0);
    if (!merged)
      return refused(merged.takeError(), sink, context);
    c::object<OpenEvidence>(into).named.evidence = std::move(*merged);
    return TIKC_OK;
  });
}

tikc_status tikc_evidence_summary(const tikc_evidence* handle, tikc_summary* out) noexcept {
  return guarded([&] {
    return c::when_right(c::first_wrong(isEvidence(handle), c::points_to(out)), [&] {
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      const measure::Evidence& evidence = evidenceAt(handle).evidence;
      const measure::EvidenceSummary in = measure::summaryOf(evidence);
      *out = {in.pieces,
              in.files,
              in.intake.tokens,
              in.intake.responses,
              in.intake.rows,
              in.intake.report.broken,
              in.first.value_or(unknown),
              in.last.value_or(unknown),
              static_cast<uint32_t>(evidence.origins.size())};
    });
  });
}

tikc_status tikc_evidence_origin(const tikc_evidence* handle, uint32_t origin,
                                 tikc_origin* out) noexcept {
  return guarded([&] {
    tikc_status wrong = isEvidence(handle);
    if (wrong == TIKC_OK)
      wrong = c::first_wrong(c::is_below(origin, evidenceAt(handle).evidence.origins.size()),
                             c::points_to(out));
    return c::when_right(wrong, [&] {
      const measure::Evidence& evidence = evidenceAt(handle).evidence;
      const measure::EvidenceOrigin& each = evidence.origins[origin];
      const auto pieces = std::count_if(evidence.pieces.begin(), evidence.pieces.end(),
                                        [&](const auto& piece) { return piece.origin == origin; });
      *out = {each.contract.c_str(),        each.version.c_str(), each.build.c_str(),
              each.digest.c_str(),          each.stage.c_str(),   each.fingerprint,
              static_cast<uint64_t>(pieces)};
    });
  });
}

tikc_status tikc_evidence_measure(const tikc_evidence* evidence, const tikc_contract* contract,
                                  uint32_t allows_other, tikc_sink sink, void* context) noexcept {
  return guarded([&] { return toldOf(evidence, contract, allows_other, false, sink, context); });
}

tikc_status tikc_evidence_report(const tikc_evidence* evidence, const tikc_contract* contract,
                                 uint32_t allows_other, tikc_sink sink, void* context) noexcept {
  return guarded([&] { return toldOf(evidence, contract, allows_other, true, sink, context); });
}

tikc_status tikc_evidence_diagnose(const tikc_evidence* handle, tikc_sink sink,
                                   void* context) noexcept {
  return guarded([&] {
    const tikc_status wrong = c::first_wrong(isEvidence(handle), isSink(sink));
    if (wrong != TIKC_OK)
      return wrong;
    const measure::EvidenceSummary in = measure::summaryOf(evidenceAt(handle).evidence);
    tell(measure::diagnosisJson(data::Diagnosis::of(in.intake.signs)), sink, context);
    return TIKC_OK;
  });
}

} // extern "C"
