#pragma once

#include "model/Contract.h"

#include <algorithm>

namespace tikc::lint {

/// Calls `visit` with each action of a rule, including those of later steps.
template <typename Visit> void forEachAction(const model::Rule& rule, const Visit& visit) {
  for (const model::Call& action : rule.actions)
    visit(action);
  for (const model::Step& step : rule.steps)
    for (const model::Call& action : step.actions)
      visit(action);
}

/// Returns the route that directs traffic while a rule stays active in its last step; the first of
/// several. Null if another action takes precedence.
const model::Call* lastingRoute(const model::Rule& rule);
/// Returns the argument for the share of traffic that still probes; null without one.
const model::Expr* probeArgument(const model::Call& route);
Rational probeOf(const model::Call& route);

/// Whether all stages are offline: then there is no traffic to route, and a gate reports failures.
inline bool isOfflineAlone(const model::Contract& contract) {
  return !contract.stages.empty() &&
         std::all_of(contract.stages.begin(), contract.stages.end(), [](const model::Stage& stage) {
           return stage.kind == model::StageKind::Offline;
         });
}

/// Whether a clause compares log-probs with the law that sampled. `any` does not include such
/// clauses.
bool isCoherence(const model::Clause& clause);

/// Returns a rule without its name and prose; equal for two rules that do the same.
std::string whatItSays(const model::Rule& rule);

} // namespace tikc::lint
