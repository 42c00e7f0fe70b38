#pragma once

#include "gate/Gate.h"

#include <string>

/// A gate's report in each output format.
namespace tikc::gate {

std::string gateText(const GateReport& report, bool isDry, bool isColoured);
std::string gateJson(const GateReport& report, bool isDry);
std::string gateMarkdown(const GateReport& report, bool isDry);

// Parts that the formats share.
/// Returns "promote from shadow to canary".
std::string outcomeText(const GateReport& report);
/// Returns "gap on math: undecided: the bound is …"; a note has no name.
std::string reasonText(const Reason& reason);
/// Returns a line for each missing thing and when it could be complete.
std::vector<std::string> missingLines(const GateReport& report);
/// Returns the basis of the decision.
std::vector<std::string> basisLines(const GateReport& report);
/// Returns the judged rows after a heading; the caller escapes them for its format.
std::vector<std::vector<std::string>> rowCells(const GateReport& report);

} // namespace tikc::gate
