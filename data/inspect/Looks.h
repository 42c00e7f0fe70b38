#pragma once

#include "data/inspect/Diagnosis.h"

#include <optional>

/// Each cause is a test of its own sign. It is named if the sign is larger than in any clean run,
/// and so many standard errors from 0 that chance does not explain it. Errors are by response,
/// since tokens of one response are not independent. With 5 errors and at least 50 responses, a
/// test is wrong once in 200,000 times. All causes together, with the places where a level may
/// change, have fewer than 200 tests.
namespace tikc::data {

inline constexpr double enoughErrors = 5;
inline constexpr std::uint64_t leastResponses = 50, leastTokens = 1000;

/// Returns the state of a sign, by whether it is large and its distance from 0 in standard errors.
CauseFinding stateOf(CauseId cause, bool isLarge, double errors, std::uint64_t responses);
double errorsOf(double value, double error);

/// The bin boundary at which the level of the gap changes most, relative to its errors.
struct Change {
  std::size_t at = 0; // the first bin after the boundary
  Drift before, after;
  Drift begin; // the first bins, as many as the comparison needs
  double beforeError = 0, afterError = 0;

  double growth() const { return after.level() / before.level(); }
  double errors() const;
  bool isLarge(double least) const;
};

/// The result of a test for growth, and the change that it found.
struct Growth {
  CauseFinding sign;
  std::optional<Change> change;
  bool isByLag = false; // along the lag, whatever the step
};

Growth lookAtCache(const Signs& signs);
Growth lookAtWeights(const Signs& signs);
Growth lookAtLength(const Signs& signs);
/// Tests all causes independently.
std::vector<CauseFinding> lookAtAll(const Signs& signs);

} // namespace tikc::data
