#pragma once

#include "model/Contract.h"

#include <algorithm>

namespace tikc::lint {

/// What a rule does, now or in a later step.
template <typename Visit> void forEachAction(const model::Rule& rule, const Visit& visit) {
  for (const model::Call& action : rule.actions)
    visit(action);
  for (const model::Step& step : rule.steps)
    for (const model::Call& action : step.actions)
      visit(action);
}

/// What is only measured offline has nobody to route, and a gate to say that it failed.
inline bool isOfflineAlone(const model::Contract& contract) {
  return !contract.stages.empty() &&
         std::all_of(contract.stages.begin(), contract.stages.end(), [](const model::Stage& stage) {
           return stage.kind == model::StageKind::Offline;
         });
}

/// Of a rule, but for its name and its words for people: the same of two that do the same.
std::string whatItSays(const model::Rule& rule);

} // namespace tikc::lint
