#pragma once

#include "checker/engine/LoadedTokens.h"
#include "checker/engine/Several.h"
#include "checker/plan/Plan.h"
#include "checker/tables/Tables.h"
#include "tikc/checker.h"
#include "tikc/router.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tikc::engine {

/// A plan with the members that the runtime's templates use for a plan's tables.
struct LoadedPlan {
  template <class T> using several = Several<T>;
  using standings = Several<Several<standing>>;
  using token_plan = LoadedTokens;

  explicit LoadedPlan(const plan::Plan& plan);

  const char* contract;
  const char* version;
  bool is_draft;
  const char* build;
  const char* digest;
  const char* metric_prefix;
  std::uint64_t fingerprint;
  std::size_t slices, signals, vocabulary;
  std::vector<const char*> slice_names;
  std::vector<char> is_empty;
  std::vector<stream> streams;
  std::vector<signal> signal_table;
  std::vector<keeper> keepers;
  LoadedTokens asked_of_tokens;
  std::vector<window> windows;
  std::vector<check> checks;
  std::vector<std::vector<char>> binds;
  std::vector<clause> clauses;
  std::vector<quantity> watched;
  std::vector<assumption> assumptions;
  std::vector<claim> claims;
  std::vector<std::vector<char>> rests_on;
  std::vector<claim_ground> grounds;
  std::vector<promotion_stage> stages;

  std::span<const keeper> keepers_of(std::size_t signal) const { return bySignal_[signal]; }
  /// Whether a signal of tokens is computed outside the tokens' own pass.
  bool isSingle(std::size_t signal) const { return isSingle_[signal] != 0; }

private:
  std::vector<std::vector<keeper>> bySignal_;
  std::vector<char> isSingle_;
};

/// The escalation policy of a plan, with the members that the runtime's templates use.
struct LoadedPolicy {
  template <class T> using several = Several<T>;
  using standings = LoadedPlan::standings;

  explicit LoadedPolicy(const plan::Plan& plan);

  std::uint64_t fingerprint;
  std::size_t slices, clauses;
  std::vector<std::vector<char>> applies;
  std::vector<char> in_any;
  std::vector<trigger> triggers;
  std::vector<action> actions;
  std::vector<step> steps;
  std::vector<rule> rules;
  std::vector<std::vector<char>> acts_on;
};

} // namespace tikc::engine
