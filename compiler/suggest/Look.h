#pragma once

#include "data/Source.h"
#include "data/inspect/Summary.h"
#include "suggest/ResponseMeans.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// What one pass over recorded data tells of where the two sides are how far apart.
namespace tikc::suggest {

/// Responses, by the mean size of their tokens' log-ratios; of rows no more than how many.
struct Group {
  ResponseMeans size;
  ResponseMeans slope; // of the size over the positions of a response that is long enough
  std::uint64_t tokens = 0, rows = 0;

  void add(const Group& other);
};

/// Tokens from a position on beside those before it, of responses that have both.
struct Later {
  ResponseMeans change; // of a response: its mean size there less that before
  ResponseMeans before, behind;
  std::uint64_t tokens = 0; // there, of all responses

  void add(const Later& other);
};

/// The coarsest numbers that all log-probs could have been stored as.
struct Grid {
  std::uint64_t numbers = 0, asBf16 = 0, asFp16 = 0;
  double largest = 0, sum = 0; // of log-probs, in size

  void add(float value);
  void add(const Grid& other);
  std::string_view format() const;
  /// What storing both sides so does to a log-ratio at most, and to one of a usual size.
  double step() const { return stepAt(largest); }
  double usualStep() const;

private:
  double stepAt(double size) const;
};

struct Look {
  static constexpr std::size_t bins = 48; // by log2
  static constexpr std::size_t mostValues = 64;

  data::PieceReport report;
  Group all;
  std::map<std::string, std::map<std::string, Group>> labels;
  std::vector<std::string> crowded; // labels of more values than anybody slices by
  std::array<Group, bins> prompts;  // of those that say how long their prompt is
  std::array<Later, bins> later;
  Trend steps; // of responses, their size over the step of the training
  Grid grid;
  std::uint64_t nonFinite = 0, unpaired = 0, repeated = 0;
  std::uint64_t longest = 0;
  std::uint64_t vocabulary = 0; // of rows
  data::Range reward, advantage;

  void add(const Look& other, std::size_t most);
};

/// The label that says how long a response's prompt is.
inline constexpr std::string_view promptField = "prompt_tokens";

Look look(const data::Source& source, unsigned jobs, const data::DataLimits& limits);

/// Fields of data that can be labels, where nothing else is said of them: texts that are called as
/// labels can be, but for what is known only when a response has ended.
std::vector<std::string> labelsIn(const data::Source& source);

} // namespace tikc::suggest
