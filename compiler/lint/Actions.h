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

/// What decides about traffic while a rule goes on for ever, if that is a route: of equals the
/// first.
const model::Call* lastingRoute(const model::Rule& rule);
/// The number that says which share of the traffic a route leaves; nothing where none does.
const model::Expr* probeArgument(const model::Call& route);
Rational probeOf(const model::Call& route);

/// What is only measured offline has nobody to route, and a gate to say that it failed.
inline bool isOfflineAlone(const model::Contract& contract) {
  return !contract.stages.empty() &&
         std::all_of(contract.stages.begin(), contract.stages.end(), [](const model::Stage& stage) {
           return stage.kind == model::StageKind::Offline;
         });
}

/// Whether a clause holds log-probs to the law that drew. `any` is not about it.
bool isCoherence(const model::Clause& clause);

/// Of a rule, but for its name and its words for people: the same of two that do the same.
std::string whatItSays(const model::Rule& rule);

} // namespace tikc::lint
