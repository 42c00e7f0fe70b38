#pragma once

#include "explain/Solution.h"

#include <string>

/// One function per format.
namespace tikc::explain {

std::string solutionText(const Solution& solution);
std::string solutionJson(const Solution& solution);
/// Draws the trade-off as a curve.
std::string solutionSvg(const Solution& solution);

} // namespace tikc::explain
