#pragma once

#include "data/inspect/Diagnosis.h"
#include "measure/Rows.h"
#include "model/Contract.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What was measured, as people and programs read it.
namespace tikc::measure {

struct MeasuredContract {
  const MeasuredPlan& subject;
  const Measurement& measured;
  std::vector<Row> rows;
  /// What of evidence is not of this contract, a line each: every form tells it.
  std::vector<std::string> others;
  std::vector<AssumptionRow> assumptions;
  std::vector<ClaimRow> claims;
  /// Of log-probs of both sides; of rows and figures there is none.
  std::optional<data::Diagnosis> diagnosis;

  static MeasuredContract of(const MeasuredPlan& subject, const Measurement& measured,
                             std::vector<Row> rows, std::vector<std::string> others,
                             bool isOfNamedClauses = false);
  /// Says of the claims, too, what follows from what was observed.
  void observeClaims(const model::Contract& contract, std::span<const std::string> clauses);
  /// The worst of clauses and claims: violated, suspended, undecided or satisfied. Where clauses
  /// were named, a claim that rests on others is not shown, and decides nothing. Data that were
  /// made otherwise than the contract says satisfy nothing.
  std::string_view outcome() const;
  bool isAny(claim_state state) const;
  ServedSettings settings() const { return {subject.plan, subject.stream}; }
  bool isOfNamedClauses = false;
};

std::string measuredText(const MeasuredContract& of, bool isQuiet, bool isColoured);
/// So many lines at most, of a table of what was judged so far; those that matter most first.
std::vector<std::string> compactLines(const MeasuredContract& of, std::size_t most);
std::string measuredJson(const MeasuredContract& of);
std::string measuredMarkdown(const MeasuredContract& of);
std::string measuredCsv(const MeasuredContract& of);
std::string measuredJunit(const MeasuredContract& of);

// What they share.
/// "0.0423"; empty where it is not known.
std::string numberText(std::optional<double> number);
/// "0.0423 in [0.041, 0.0437]"
std::string valueText(const Row& row);
/// "12 of 13 violated"
std::string windowsText(const Row& row);
/// "rollout 1.2.0, trainer_to_rollout"
std::string headingText(const MeasuredContract& of);
/// What came in, and what of it was judged by nobody, a line each.
std::vector<std::string> intakeLines(const MeasuredContract& of);
/// Of these what makes the verdicts be of less, or of something else, than it seems: every form
/// tells it.
std::vector<std::string> cautionLines(const MeasuredContract& of);
/// Of these the settings that the data have otherwise than the contract.
std::vector<std::string> settingLines(const MeasuredContract& of);
/// Clauses that recorded data are not asked for.
std::vector<std::string> unaskedClauses(const MeasuredContract& of);
/// Lines of what is broken, held or unwatched, and of what is claimed by it; empty of nothing.
std::string assumptionTable(const MeasuredContract& of, bool isQuiet);
std::string claimTable(const MeasuredContract& of, bool isQuiet);
/// "from 0 to 1.5"
std::string spanText(const AssumptionRow& row);
/// "1.5 at data.jsonl:3", of the worst.
std::string offenceText(const AssumptionRow& row);
/// What decides the state: "tvs is violated on math", "reward: [0, 1] is broken".
std::string reasonText(const ClaimRow& row);
/// "<= 0.0123 (99%)"; of several comparisons each, and why there is none.
std::string observedText(const ClaimRow& row);
/// Of a rule that would have acted, the first and the last times.
std::vector<std::string> activationLines(const MeasuredContract& of);
/// How many changes are between these; empty of none.
std::string leftOutActivations(const MeasuredContract& of);

} // namespace tikc::measure
