#pragma once

#include "data/inspect/Diagnosis.h"

#include <optional>

/// Each cause is a test of its own sign. It is named where the sign is as large as no clean run has
/// it, and so many standard errors away from nothing that chance does not make it: errors are of
/// responses, as tokens of one share what they are made of. At 5 errors, and 50 responses at least,
/// a look is wrong once in 200,000 times; all causes together, with the places where a level may
/// change, have less than 200 looks.
namespace tikc::data {

inline constexpr double enoughErrors = 5;
inline constexpr std::uint64_t leastResponses = 50, leastTokens = 1000;

/// The state of a sign that is large or not, and so many standard errors away from nothing.
Consistent stateOf(CauseId cause, bool isLarge, double errors, std::uint64_t responses);
double errorsOf(double value, double error);

/// The place in a row of bins where the level of the gap changes most, for the errors that it has.
struct Change {
  std::size_t at = 0; // the first bin behind it
  Drift before, after;
  Drift begin; // the first bins that are enough to speak of
  double beforeError = 0, afterError = 0;

  double growth() const { return after.level() / before.level(); }
  double errors() const;
  bool isLarge() const;
};

/// What is asked of a gap that may grow, and where it did not yet.
struct Grown {
  Consistent is;
  std::optional<Change> change;
  bool isByLag = false; // whatever the step
};

Grown lookAtCache(const Signs& signs);
Grown lookAtWeights(const Signs& signs);
/// All causes, each by itself.
std::vector<Consistent> lookAtAll(const Signs& signs);

} // namespace tikc::data
