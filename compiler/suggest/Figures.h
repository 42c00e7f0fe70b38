#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tikc::suggest {

enum class Brings : std::uint8_t { Tokens, Rows };
enum class Per : std::uint8_t { Token, Response };

/// A figure that a suggested clause bounds.
struct SuggestedFigure {
  std::string_view name;
  Brings source;
  Per per;
  std::string_view level, measure, unit, probe, meaning;

  bool isQuantile() const { return !level.empty(); }
  /// Returns the share below the figure's quantile.
  double share() const;
  /// Returns the measure: "p99(abs(logprob_gap))", "mean(tv)"; with another level, "quantile(…)".
  std::string text(std::string_view otherLevel = {}) const;
};
std::span<const SuggestedFigure> suggestedFigures();

/// Returns the sample level that bounds the quantile at `share` from above with this confidence, by
/// the interval that checkers use. Empty if there are too few observations.
std::string levelAbove(double share, std::uint64_t observations, double alpha);

} // namespace tikc::suggest
