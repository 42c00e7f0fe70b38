#pragma once

#include "model/Contract.h"

#include <optional>

/// The order of statistics of one figure, whatever its values: a maximum is at least the mean, and
/// a 99th percentile at least the median.
namespace tikc::model {

/// The position of a statistic between the least and the largest value; a mean may be anywhere
/// between.
struct Rank {
  enum class Kind : std::uint8_t { Level, Mean, MeanByResponse };
  Kind kind = Kind::Level;
  Rational level; // 0 is the least value, 1 the largest

  bool isMean() const { return kind != Kind::Level; }
};

/// Returns the rank of a measure, or nothing if it has no such position.
std::optional<Rank> rankOf(const model::Measure& measure);

/// Returns whether the first is always at least the second.
bool dominates(const Rank& a, const Rank& b);

} // namespace tikc::model
