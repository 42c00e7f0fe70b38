#pragma once

#include "measure/Evidence.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tikc::measure {

/// Where from a process has what it observed while it ran.
struct LivePiece {
  std::string source;       // which it is told under
  std::uint64_t place = 0;  // among the source's: with that it is known
  std::uint64_t failed = 0; // observations of which nothing came in
  std::optional<double> step, begins, ends;
  /// How the observations are named: the number of each, and in so many low bits that of its token
  /// from 1 on, where it is one.
  unsigned tokenBits = 0;
};

/// What it observed: a tally, and the signs of the responses in it.
struct LiveObserved {
  const engine::LoadedTally& tally;
  const data::Signs& signs;
};

/// A piece of one tally. Where rounds are of what is counted, they end where such pieces do.
Evidence evidenceOf(const MeasuredPlan& subject, std::string_view stage, const LivePiece& piece,
                    const LiveObserved& observed);

} // namespace tikc::measure
