#pragma once

#include "data/Source.h"
#include "data/inspect/Summary.h"
#include "suggest/ResponseMeans.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// One pass over recorded data, which finds where the two sides differ, and by how much.
namespace tikc::suggest {

/// Responses by the mean absolute log-ratio of their tokens. For rows, only their number is kept.
struct Group {
  ResponseMeans size;
  ResponseMeans slope; // of the absolute log-ratio over the positions of a long enough response
  std::uint64_t tokens = 0, rows = 0;

  void add(const Group& other);
};

/// Tokens from a position on compared with earlier tokens, for responses that have both.
struct Later {
  ResponseMeans change; // of a response: its later mean minus its earlier mean
  ResponseMeans before, behind;
  std::uint64_t tokens = 0; // later tokens of all responses

  void add(const Later& other);
};

/// The coarsest number format that could have stored all log-probs.
struct Grid {
  std::uint64_t numbers = 0, asBf16 = 0, asFp16 = 0;
  double largest = 0, sum = 0; // of absolute log-probs

  void add(float value);
  void add(const Grid& other);
  std::string_view format() const;
  /// Returns the largest change of a log-ratio by storing both sides in the format, and the change
  /// at a usual magnitude.
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
  std::vector<std::string> crowded; // labels with too many values to slice by
  std::array<Group, bins> prompts;  // of responses with a known prompt length
  std::array<Later, bins> later;
  Trend steps; // of responses: their size over the training step
  Grid grid;
  std::uint64_t nonFinite = 0, unpaired = 0, repeated = 0;
  std::uint64_t longest = 0;
  std::uint64_t vocabulary = 0; // of rows
  data::Range reward, advantage;

  void add(const Look& other, std::size_t most);
};

/// The label for the length of a response's prompt.
inline constexpr std::string_view promptField = "prompt_tokens";

Look look(const data::Source& source, unsigned jobs, const data::DataLimits& limits);

/// Returns the fields of data that can be labels if nothing else is requested: texts with names
/// that labels can have, except texts that are known only when a response has ended.
std::vector<std::string> labelsIn(const data::Source& source);

} // namespace tikc::suggest
