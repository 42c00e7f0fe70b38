#include "policy/Conditions.h"

#include <algorithm>

namespace tikc::policy {

bool asksFor(const plan::Trigger& trigger, trigger_kind state) {
  return trigger.kind == state ||
         std::any_of(trigger.parts.begin(), trigger.parts.end(),
                     [state](const plan::Trigger& part) { return asksFor(part, state); });
}

void addNamed(const plan::Trigger& trigger, std::vector<std::uint32_t>& out) {
  if (trigger.clause)
    out.push_back(*trigger.clause);
  for (const plan::Trigger& part : trigger.parts)
    addNamed(part, out);
}

std::uint32_t longestRun(const plan::Trigger& trigger) {
  std::uint32_t out = trigger.windows;
  for (const plan::Trigger& part : trigger.parts)
    out = std::max(out, longestRun(part));
  return out;
}

} // namespace tikc::policy
