#pragma once

#include "measure/Rows.h"

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
};

std::string measuredText(const MeasuredContract& of, bool isQuiet, bool isColoured);
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
/// Clauses that recorded data are not asked for.
std::vector<std::string> unaskedClauses(const MeasuredContract& of);
/// Of a rule that would have acted.
std::vector<std::string> activationLines(const MeasuredContract& of);

} // namespace tikc::measure
