#include "gate/Decision.h"

#include <algorithm>

namespace tikc::gate {

std::string_view name(GateOutcome outcome) {
  constexpr std::string_view names[] = {"promote", "hold", "roll back"};
  return names[static_cast<std::size_t>(outcome)];
}

const ReasonInfo& info(ReasonId id) {
  static constexpr ReasonInfo rows[] = {
#define REASON(Id, name, effect, help) {name, help, ReasonEffect::effect},
#include "gate/Reasons.def"
  };
  return rows[static_cast<std::size_t>(id)];
}

GateOutcome decide(const std::vector<Reason>& reasons) {
  ReasonEffect strongest = ReasonEffect::Note;
  for (const Reason& each : reasons)
    strongest = std::max(strongest, info(each.id).effect);
  return strongest == ReasonEffect::Back   ? GateOutcome::RollBack
         : strongest == ReasonEffect::Hold ? GateOutcome::Hold
                                           : GateOutcome::Promote;
}

} // namespace tikc::gate
