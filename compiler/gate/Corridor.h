#pragma once

#include "gate/Judged.h"
#include "gate/State.h"

#include <string>
#include <vector>

/// A kernel beside those that people accepted.
namespace tikc::gate {

struct CorridorReading {
  const GateState& state;
  const std::string& stage;
  double width = 0; // a share of what accepted runs showed
};

/// Where a row's whole interval is outside of what the intervals of accepted runs allow; and that
/// none was accepted.
std::vector<Reason> corridorReasons(const CorridorReading& of, const std::vector<GateRow>& rows);

} // namespace tikc::gate
