#pragma once

#include "checker/plan/Plan.h"
#include "tikc/plan.h"
#include "tikc/router.h"
#include "tikc/watch.h"

#include <cstdint>
#include <vector>

/// A plan in the runtime's rows, for generated code and for loaded checkers.
namespace tikc::tables {

comparator comparatorOf(model::Comparator value);

/// What the tokens' pass keeps: the sums that it wants, and its thresholds on x.
struct TokenTables {
  std::uint32_t wants = 0;
  std::vector<float> above, below, beyond;
};

/// The texts belong to the plan, which must outlive this.
struct PlanTables {
  std::vector<stream> streams;
  std::vector<signal> signals;
  std::vector<keeper> keepers;
  TokenTables tokens;
  std::vector<window> windows;
  std::vector<check> checks;
  std::vector<std::vector<char>> binds; // by check, by slice
  std::vector<clause> clauses;
  std::vector<quantity> watched; // of the first assumptions
  std::vector<assumption> assumptions;
  std::vector<claim> claims;
  std::vector<std::vector<char>> restsOn; // by claim, by assumption
  std::vector<claim_ground> grounds;      // by claim
  std::vector<promotion_stage> stages;
};
PlanTables tablesOf(const plan::Plan& plan);

/// The policy's tables. The children of a trigger are consecutive.
struct PolicyTables {
  std::vector<std::vector<char>> applies; // by clause, by slice
  std::vector<char> inAny;                // by clause
  std::vector<trigger> triggers;
  std::vector<action> actions;
  std::vector<step> steps;
  std::vector<rule> rules;
  std::vector<std::vector<char>> actsOn; // by rule, by slice
};
PolicyTables policyOf(const plan::Plan& plan);

} // namespace tikc::tables
