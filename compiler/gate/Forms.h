#pragma once

#include "gate/Gate.h"

#include <string>

/// What a gate decided, as people and programs read it.
namespace tikc::gate {

std::string gateText(const GateReport& of, bool isDry, bool isColoured);
std::string gateJson(const GateReport& of, bool isDry);
std::string gateMarkdown(const GateReport& of, bool isDry);

// What they share.
/// "promote from shadow to canary"
std::string outcomeText(const GateReport& of);
/// "gap on math: undecided: the bound is …", without its name where it is a note.
std::string reasonText(const Reason& of);
/// What is missing and when it could be there, a line each.
std::vector<std::string> missingLines(const GateReport& of);
/// What it was decided on.
std::vector<std::string> basisLines(const GateReport& of);
/// What was judged, under a heading; as it was written, which whoever shows it escapes.
std::vector<std::vector<std::string>> rowCells(const GateReport& of);

} // namespace tikc::gate
