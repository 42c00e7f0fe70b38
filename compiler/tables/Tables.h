#pragma once

#include "plan/Plan.h"
#include "tikc/plan.h"
#include "tikc/router.h"
#include "tikc/watch.h"

#include <cstdint>
#include <vector>

/// A plan in the runtime's own words: what generated code states as constants, and what a loaded
/// checker reads.
namespace tikc::tables {

comparator comparatorOf(model::Comparator of);

/// What of tokens is kept by their own pass: the sums that it wants, and its thresholds on x.
struct TokenTables {
  std::uint32_t wants = 0;
  std::vector<float> above, below, beyond;
};

/// Texts are the plan's, which has to outlive this.
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

/// Triggers one after another, the children of one together.
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
