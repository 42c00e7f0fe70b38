#pragma once

#include "story/Solver.h"

/// What `tikc solve` tells.
namespace tikc::driver {

struct Solution {
  std::string contract, claim, text;
  std::string slice; // empty: all that the claim is made of
  bool follows = false;
  bool isBounded = false;
  bool isInfeasible = false;
  std::vector<std::string> missing;
  std::vector<story::Reach> reaches;
  std::optional<story::Solver::Trade> trade;

  /// Some tolerance is enough.
  bool hasAnswer() const;
};

std::string solutionText(const Solution& solution);
std::string solutionJson(const Solution& solution);
/// The trade-off as a curve.
std::string solutionSvg(const Solution& solution);

} // namespace tikc::driver
