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
  std::string_view level, measure, unit, wide, meaning;

  bool isQuantile() const { return !level.empty(); }
  /// Below which the figure's quantile leaves so much.
  double share() const;
  /// "p99(abs(logprob_gap))", "mean(tv)"; of another level than its own "quantile(…)".
  std::string text(std::string_view otherLevel = {}) const;
};
std::span<const SuggestedFigure> suggestedFigures();

/// The level of a sample of so many that bounds the quantile at `share` from above with this
/// confidence, by the interval that checkers have; empty where so many cannot.
std::string levelAbove(double share, std::uint64_t observations, double alpha);

} // namespace tikc::suggest
