#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The decisions of a gate, and their reasons.
namespace tikc::gate {

enum class ReasonId : std::uint8_t {
#define REASON(Id, name, effect, help) Id,
#include "gate/Reasons.def"
};

/// From weakest to strongest.
enum class ReasonEffect : std::uint8_t { Note, Hold, Back };

enum class GateOutcome : std::uint8_t { Promote, Hold, RollBack };
std::string_view name(GateOutcome outcome); // Returns "promote", "hold" or "roll back".

struct ReasonInfo {
  std::string_view name, help;
  ReasonEffect effect;
};
const ReasonInfo& info(ReasonId id);

struct Reason {
  ReasonId id;
  std::string text;          // one line
  std::string clause, slice; // empty if not about one
};

/// Returns the outcome of the strongest effect. Without reasons, or with notes alone, the stage is
/// passed.
GateOutcome decide(const std::vector<Reason>& reasons);

} // namespace tikc::gate
