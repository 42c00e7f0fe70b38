#pragma once

#include "data/inspect/Diagnosis.h"
#include "measure/Rows.h"
#include "model/Contract.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A measurement of a contract, for the output formats.
namespace tikc::measure {

struct MeasuredContract {
  const MeasuredPlan& subject;
  const Measurement& measured;
  std::vector<Row> rows;
  /// Differences between the data and this contract, one per line; every format reports them.
  std::vector<std::string> others;
  std::vector<AssumptionRow> assumptions;
  std::vector<ClaimRow> claims;
  /// For log-probs of both sides; rows and logged figures have none.
  std::optional<data::Diagnosis> diagnosis;

  static MeasuredContract of(const MeasuredPlan& subject, const Measurement& measured,
                             std::vector<Row> rows, std::vector<std::string> others,
                             bool isOfNamedClauses = false);
  /// Adds to the claims what follows from the observations.
  void observeClaims(const model::Contract& contract, std::span<const std::string> clauses);
  /// Returns the worst of clauses and claims: violated, suspended, undecided or satisfied. If
  /// clauses were named, claims that rest on others are not shown and do not count. Data with other
  /// settings than the contract's are never satisfied.
  std::string_view outcome() const;
  bool isAny(claim_state state) const;
  ServedSettings settings() const { return {subject.plan, subject.stream}; }
  /// Returns what rules did. None if clauses were named, because rules follow the others, too.
  const Activations& activations() const;
  bool isOfNamedClauses = false;
  /// Another measurement of the contract to compare with, and its name; null for none.
  const MeasuredContract* against = nullptr;
  std::string againstName{};
};

std::string measuredText(const MeasuredContract& contract, bool isQuiet, bool isColoured);
/// Returns a table with at most `most` lines of what was judged so far, the most important first.
std::vector<std::string> compactLines(const MeasuredContract& contract, std::size_t most);
std::string measuredJson(const MeasuredContract& contract);
std::string measuredMarkdown(const MeasuredContract& contract);
std::string measuredCsv(const MeasuredContract& contract);
std::string measuredJunit(const MeasuredContract& contract);

// Parts that the formats share.
/// Returns "0.0423"; empty without a number.
std::string numberText(std::optional<double> number);
/// "0.0423 in [0.041, 0.0437]"; of a quantile's bucket, "0.0423 (0.041 to 0.0437)"
std::string valueText(const Row& row);
/// "12 of 13 violated"
std::string windowsText(const Row& row);
/// "rollout 1.2.0, trainer_to_rollout"
std::string headingText(const MeasuredContract& contract);
/// Returns a line for each fact about the input, including what was skipped.
std::vector<std::string> intakeLines(const MeasuredContract& contract);
/// Returns the lines that make the verdicts cover less, or something else, than it seems; every
/// format reports them.
std::vector<std::string> cautionLines(const MeasuredContract& contract);
/// Returns a line for each row that was judged over far more than its clause's window, as far as
/// its observations show it: windows end at evaluations.
std::vector<std::string> wideWindowLines(const MeasuredContract& contract);
/// Returns the lines about settings that differ between data and contract.
std::vector<std::string> settingLines(const MeasuredContract& contract);
/// Returns the clauses that recorded data cannot decide.
std::vector<std::string> unaskedClauses(const MeasuredContract& contract);
/// Returns the broken, held and unwatched assumptions, or the claims; empty if there are none.
std::string assumptionTable(const MeasuredContract& contract, bool isQuiet);
std::string claimTable(const MeasuredContract& contract, bool isQuiet);
/// Returns "from 0 to 1.5".
std::string spanText(const AssumptionRow& row);
/// Returns "1.5 at data.jsonl:3" for the worst observation.
std::string offenceText(const AssumptionRow& row);
/// Returns what decides the state: "tvs is violated on math", "reward: [0, 1] is broken".
std::string reasonText(const ClaimRow& row);
/// Returns "<= 0.0123 (99%)" for each comparison, or why there is no bound.
std::string observedText(const ClaimRow& row);
/// Returns the first and last times at which each rule would have acted.
std::vector<std::string> activationLines(const MeasuredContract& contract);
/// Returns how many changes are between the first and last ones; empty if none are.
std::string leftOutActivations(const MeasuredContract& contract);

} // namespace tikc::measure
