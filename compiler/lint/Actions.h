#pragma once

#include "model/Contract.h"

namespace tikc::lint {

/// What a rule does, now or in a later step.
template <typename Visit> void forEachAction(const model::Rule& rule, const Visit& visit) {
  for (const model::Call& action : rule.actions)
    visit(action);
  for (const model::Step& step : rule.steps)
    for (const model::Call& action : step.actions)
      visit(action);
}

} // namespace tikc::lint
