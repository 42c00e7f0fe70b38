#include "audit/Audit.h"

#include "audit/gates/Judge.h"
#include "audit/reading/Reading.h"
#include "audit/settings/Agreement.h"
#include "audit/settings/Corrections.h"
#include "support/Utf8.h"
#include "trainers/TrainerFigures.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <span>
#include <string>

namespace tikc::audit {
namespace {

std::string percent(double share) {
  return share > 0 && share < 0.001 ? "less than 0.1%"
         : share >= 0.995           ? "all"
                                    : fmt::format("{:.2g}%", 100 * share);
}

/// What a correction takes: told of each, and where it is much a finding.
void judgeCorrection(const TrainerCorrection& correction, const Circumstances& at, diag::Sink& sink,
                     AuditedFile& out) {
  const TakenShare taken = takenBy(correction, at.noise, at.horizon);
  const bool ofResponses = correction.unit == CorrectedUnit::Responses;
  const std::string_view units = ofResponses ? "responses" : "tokens";
  const std::string_view does = correction.does == CorrectionDoes::Masks ? "masks" : "caps";
  const std::string share = percent(taken.ofUnits);
  const bool isLess = llvm::StringRef(share).starts_with("less");
  const std::string verdict = fmt::format("{} {}{} of the {}, {} of their weight", does,
                                          correction.isAtMost && !isLess ? "at most " : "", share,
                                          units, percent(taken.ofWeight));
  const std::string name = fmt::format("{} {}", correction.trainer, correction.name);
  out.judged.push_back({correction.place, name, verdict, {}, {}});
  if (correction.isAtMost || std::max(taken.ofUnits, taken.ofWeight) < lint::mostRemoved)
    return;
  auto& diagnostic = sink.report<diag::CorrectionTakesMuch>(correction.place, utf8::ticked(name),
                                                            does, percent(taken.ofUnits), units,
                                                            percent(taken.ofWeight));
  diagnostic.note(fmt::format(
      "estimated as if log-ratios of tokens were independent and normal, with a mean size of "
      "{:.6g}{}",
      at.noise,
      ofResponses ? fmt::format(", over responses of {:.6g} tokens", at.horizon) : std::string()));
  if (ofResponses && correction.figure == CorrectedFigure::Ratio)
    diagnostic.note(
        "a response's ratio is the product of its tokens' ratios: weigh or mask tokens, or "
        "allow less noise");
  if (correction.isDefault)
    diagnostic.note(fmt::format("this is {}'s default value; no file sets it", correction.trainer));
}

/// The widest of each trainer that is set: figures of capped weights reach it.
SetCaps capsOf(std::span<const TrainerCorrection> corrections) {
  SetCaps out;
  for (const TrainerCorrection& each : corrections) {
    const auto trainer = trainers::trainerNamed(each.figures);
    if (each.isDefault || !trainer)
      continue;
    const trainers::TrainerRow& row = rowOf(*trainer);
    for (std::string_view name : {row.name, row.base})
      if (!name.empty()) {
        SetCap& cap = out[std::string(name)];
        cap.high = std::max(cap.high, each.range.high);
        cap.isAsInRow = cap.isAsInRow && each.hasEndsOfRow;
      }
  }
  return out;
}

} // namespace

AuditedFile Auditor::audit(FileId file, diag::Sink& sink) {
  AuditedFile out;
  const FoundParts parts = readFile(sources_, file, limits_, sink);
  Gates gates;
  for (const JudgingText& check : parts.asked)
    addGates(check, limits_, gates);
  addRollouts(parts.rollouts, limits_, sink, gates, out.judged);
  Circumstances at = circumstances_;
  if (!at.isHorizonSaid)
    at.horizon = horizonOf(parts.settings).value_or(at.horizon);
  const auto corrections = correctionsOf(parts.settings, sink);
  judgeGates(gates, capsOf(corrections), meanings_, sink, out);
  judgePrinted(parts.printed, meanings_, sink, out);
  for (const TrainerCorrection& each : corrections)
    judgeCorrection(each, at, sink, out);
  if (contract_)
    out.compared = compareSettings(sources_, *contract_, parts.settings, corrections, sink);
  return out;
}

} // namespace tikc::audit
