#include "checker/engine/LoadedPlan.h"

#include "checker/emit/Emit.h"

#include <utility>

namespace tikc::engine {

LoadedPlan::LoadedPlan(const plan::Plan& plan)
    : contract(plan.contract.c_str()), version(plan.version.c_str()), is_draft(plan.isDraft),
      build(plan.build.c_str()), digest(plan.digest.c_str()),
      metric_prefix(plan.metricPrefix.c_str()), fingerprint(emit::fingerprint(plan)),
      slices(plan.slices.size()), signals(plan.signals.size()), vocabulary(plan.vocabulary) {
  for (const plan::Slice& each : plan.slices) {
    slice_names.push_back(each.name.c_str());
    is_empty.push_back(each.isEmpty);
  }
  tables::PlanTables from = tables::tablesOf(plan);
  streams = std::move(from.streams);
  signal_table = std::move(from.signals);
  keepers = std::move(from.keepers);
  asked_of_tokens = {from.tokens.wants, std::move(from.tokens.above), std::move(from.tokens.below),
                     std::move(from.tokens.beyond)};
  windows = std::move(from.windows);
  checks = std::move(from.checks);
  binds = std::move(from.binds);
  clauses = std::move(from.clauses);
  watched = std::move(from.watched);
  assumptions = std::move(from.assumptions);
  claims = std::move(from.claims);
  rests_on = std::move(from.restsOn);
  grounds = std::move(from.grounds);
  stages = std::move(from.stages);

  bySignal_.resize(signals);
  isSingle_.resize(signals);
  for (const keeper& each : keepers) {
    bySignal_[each.signal].push_back(each);
    if (each.from == reading::cell)
      isSingle_[each.signal] = signal_table[each.signal].from == source::tokens;
  }
}

LoadedPolicy::LoadedPolicy(const plan::Plan& plan)
    : fingerprint(emit::policyFingerprint(plan)), slices(plan.slices.size()),
      clauses(plan.clauses.size()) {
  tables::PolicyTables from = tables::policyOf(plan);
  applies = std::move(from.applies);
  in_any = std::move(from.inAny);
  triggers = std::move(from.triggers);
  actions = std::move(from.actions);
  steps = std::move(from.steps);
  rules = std::move(from.rules);
  acts_on = std::move(from.actsOn);
}

} // namespace tikc::engine
