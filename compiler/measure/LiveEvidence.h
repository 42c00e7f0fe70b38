#pragma once

#include "measure/Evidence.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tikc::measure {

/// The source of observations that a process made while it ran.
struct LivePiece {
  std::string source;       // name for reports
  std::uint64_t place = 0;  // in the source; both together identify the piece
  std::uint64_t failed = 0; // observations that failed
  std::optional<double> step, begins, ends;
  /// The low bits of an observation's number that hold its token, from 1; the rest is its index.
  unsigned tokenBits = 0;
};

/// A live tally, and the signs of its responses.
struct LiveObserved {
  const engine::LoadedTally& tally;
  const data::Signs& signs;
};

/// Returns evidence with one piece of one tally. Rounds that count observations end with such
/// pieces.
Evidence evidenceOf(const MeasuredPlan& subject, std::string_view stage, const LivePiece& piece,
                    const LiveObserved& observed);

} // namespace tikc::measure
