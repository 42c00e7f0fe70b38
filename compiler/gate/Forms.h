#pragma once

#include "gate/Gate.h"

#include <string>

/// A gate's report in each output format.
namespace tikc::gate {

std::string gateText(const GateReport& of, bool isDry, bool isColoured);
std::string gateJson(const GateReport& of, bool isDry);
std::string gateMarkdown(const GateReport& of, bool isDry);

// Parts that the formats share.
/// Returns "promote from shadow to canary".
std::string outcomeText(const GateReport& of);
/// Returns "gap on math: undecided: the bound is …"; a note has no name.
std::string reasonText(const Reason& of);
/// Returns a line for each missing thing and when it could be complete.
std::vector<std::string> missingLines(const GateReport& of);
/// Returns the basis of the decision.
std::vector<std::string> basisLines(const GateReport& of);
/// Returns the judged rows after a heading; the caller escapes them for its format.
std::vector<std::vector<std::string>> rowCells(const GateReport& of);

} // namespace tikc::gate
