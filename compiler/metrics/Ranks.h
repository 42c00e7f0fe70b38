#pragma once

#include "model/Contract.h"

#include <optional>

/// Within one figure, whatever its values: a maximum is never below a mean, a 99th percentile never
/// below a median.
namespace tikc::metrics {

/// Where a statistic lies between the least value and the largest one; a mean lies anywhere
/// between.
struct Rank {
  enum class Kind : std::uint8_t { Level, Mean, MeanByResponse };
  Kind kind = Kind::Level;
  Rational level; // 0 is the least value, 1 the largest

  bool isMean() const { return kind != Kind::Level; }
};

/// Nothing for what has no such place.
std::optional<Rank> rankOf(const model::Measure& measure);

/// Whether the first is never below the second.
bool dominates(const Rank& a, const Rank& b);

} // namespace tikc::metrics
