#pragma once

#include "gate/Judged.h"
#include "gate/State.h"

#include <string>
#include <vector>

/// Compares a kernel with the accepted runs.
namespace tikc::gate {

struct CorridorReading {
  const GateState& state;
  const std::string& stage;
  double width = 0; // a share of the accepted runs' values
};

/// Returns a reason for each row whose whole interval is outside the corridor of accepted runs;
/// also if there is no accepted run.
std::vector<Reason> corridorReasons(const CorridorReading& corridor,
                                    const std::vector<GateRow>& rows);

} // namespace tikc::gate
