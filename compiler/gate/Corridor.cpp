#include "gate/Corridor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tikc::gate {
namespace {

/// What accepted runs of the stage showed of the same, together.
measure::UnitSums trusted(const CorridorReading& corridor, const GateRow& row) {
  measure::UnitSums out;
  for (const AcceptedRun& run : corridor.state.history)
    for (const AcceptedRow& each : run.rows)
      if (run.stage == corridor.stage && each.clause == row.clause && each.says == row.says &&
          each.slice == row.slice)
        out.merge(each.sums);
  return out;
}

/// Distances that are smaller are none: of small figures a share says nothing.
constexpr double floorOfBound = 0.1;

} // namespace

std::vector<Reason> corridorReasons(const CorridorReading& corridor,
                                    const std::vector<GateRow>& rows) {
  std::vector<Reason> out;
  if (std::none_of(corridor.state.history.begin(), corridor.state.history.end(),
                   [&](const AcceptedRun& run) { return run.stage == corridor.stage; })) {
    out.push_back({ReasonId::NoHistory,
                   "no run of this stage was accepted, so there is nothing to compare with; add "
                   "one with `tikc accept`",
                   {},
                   {}});
    return out;
  }
  for (const GateRow& row : rows) {
    if (!row.sums)
      continue;
    const measure::UnitSums sums = trusted(corridor, row);
    if (sums.units == 0 || sums.numberless != 0) {
      out.push_back(
          {ReasonId::NoHistory, "accepted runs have no data for it", row.clause, row.slice});
      continue;
    }
    const MeanEvidence then = row.reading.of(sums);
    const double unit = row.reading.unit;
    const ValueEnds old = then.limits(row.reading.alpha);
    const double low = old.low / unit, high = old.high / unit;
    auto room = [&](double at) {
      return std::max(corridor.width * std::abs(at), floorOfBound * std::abs(*row.bound));
    };
    const double had = then.value() / unit;
    // Where a corridor about one end of what accepted runs leave open is behind the bound, and one
    // about the other is not, no run that keeps the clause is ever outside, and one may have to be.
    const double bound = *row.bound;
    const bool mayHold = row.isUpper ? !(low + room(low) >= bound) : !(high - room(high) <= bound);
    const bool doesHold = row.isUpper ? high + room(high) < bound : low - room(low) > bound;
    if (mayHold && !doesHold) {
      out.push_back({ReasonId::NoHistory,
                     fmt::format("undecided: accepted runs had {:.4g} in [{:.4g}, {:.4g}] from {} "
                                 "response{}, too few for {:.3g}% around it to be narrower than "
                                 "the bound {:.4g}; accept a larger run",
                                 had, low, high, sums.units, sums.units == 1 ? "" : "s",
                                 100 * corridor.width, bound),
                     row.clause, row.slice});
      continue;
    }
    const bool isAbove = *row.low > high + room(high), isBelow = *row.high < low - room(low);
    if (!isAbove && !isBelow)
      continue;
    const bool isWorse = isAbove == row.isUpper;
    out.push_back({isWorse ? ReasonId::OutsideCorridor : ReasonId::BetterThanHistory,
                   fmt::format("{:.4g} in [{:.4g}, {:.4g}], but accepted runs had {:.4g} in "
                               "[{:.4g}, {:.4g}] from {} response{}, and {:.3g}% is allowed",
                               *row.value, *row.low, *row.high, had, low, high, sums.units,
                               sums.units == 1 ? "" : "s", 100 * corridor.width),
                   row.clause, row.slice});
  }
  return out;
}

} // namespace tikc::gate
