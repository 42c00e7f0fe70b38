#pragma once

#include "tikc/detail/layout.h"
#include "tikc/detail/of_plan.h"
#include "tikc/kinds.h"
#include "tikc/verdict.h"

#include <array>
#include <iterator>

namespace tikc {

/// A node of a rule's condition. Its children are consecutive rows of the table.
struct trigger {
  trigger_kind kind;
  std::int16_t clause;   // for a state; -1 for any
  std::uint32_t windows; // in a row
  std::uint16_t first, count;
};

struct action {
  action_kind kind;
  const char* text;     // the receiver, the input, the correction or the kernel
  double first, second; // the rate, the cap and the probe, or 0
};

struct step {
  std::uint32_t windows; // 0: as long as the rule is active
  std::uint16_t first_action, actions;
};

inline constexpr std::uint16_t never = 0xffff;

struct rule {
  const char* id;
  std::uint16_t when, until; // `until` of a latch is `never`
  std::uint16_t first_step, steps;
};

enum class change : std::uint8_t { activated, stepped, released, reset };

/// A change of a rule on a slice, and its cause.
struct transition {
  std::uint16_t rule, slice;
  change what;
  std::uint16_t step;
  std::int16_t clause; // whose verdict caused it; -1 if none did
  verdict seen;
  std::uint8_t stage;
  std::uint64_t tick;
};

/// The decision for a slice until the next tick.
struct decision {
  const action* traffic = nullptr; // the strongest; null: as usual
  std::uint16_t rule = never;      // the rule of that action
};

namespace detail {

struct wire_access;

struct rule_machine {
  bool active = false;
  std::uint16_t step = 0;
  std::uint32_t windows = 0; // in this step
};

/// The sizes of a router's tables.
struct router_shape {
  std::size_t slices = 0, clauses = 0, rules = 0, triggers = 0;
};
template <class Policy> constexpr router_shape router_shape_of(const Policy& policy) {
  return {policy.slices, policy.clauses, std::size(policy.rules), std::size(policy.triggers)};
}
template <class Policy> constexpr router_shape constant_router_shape() {
  if constexpr (is_constant<Policy>)
    return router_shape_of(Policy());
  else
    return {};
}

/// A standing of each clause on each slice.
template <class Policy, bool = is_constant<Policy>> struct router_verdicts {
  using type = standing[Policy::clauses][Policy::slices];
};
template <class Policy> struct router_verdicts<Policy, false> {
  using type = typename Policy::standings;
};

} // namespace detail

/// The escalation policy. Each rule is a machine of two states on each slice, and a tick is one
/// window of the promotion stage. Deterministic: equal verdicts give equal transitions.
///
/// `Policy` states, as constants: slices, clauses; applies[clauses][slices], in_any[clauses];
/// triggers[], actions[], steps[], rules[] and acts_on[rules][slices].
template <class Policy> class router : public detail::of_plan<Policy, router<Policy>> {
  static constexpr detail::router_shape shape = detail::constant_router_shape<Policy>();

public:
  // Constants of a constant policy.
  static constexpr std::size_t slices = shape.slices;
  static constexpr std::size_t clauses = shape.clauses;
  static constexpr std::size_t rules = shape.rules;
  static constexpr std::size_t triggers = shape.triggers;

  /// The verdicts of a tick. A clause about the mixture has the same verdict on each slice that is
  /// asked for any.
  using verdicts = typename detail::router_verdicts<Policy>::type;

  router() = default;
  explicit router(const Policy& tables) : detail::of_plan<Policy, router<Policy>>(tables) {
    if constexpr (!detail::is_constant<Policy>) {
      const detail::router_shape size = detail::router_shape_of(tables);
      detail::make(machines_, size.rules, size.slices);
      detail::make(runs_, size.triggers, size.slices);
      detail::make(satisfied_, size.clauses, size.slices);
      detail::make(transitions_, size.rules * size.slices);
    }
  }

  void tick(const verdicts& now, std::uint8_t stage) {
    ++ticks_;
    changes_ = 0;
    for (std::size_t slice = 0; slice < policy().slices; ++slice) {
      if (!is_asked(now, slice))
        continue;
      for (std::size_t i = 0; i < satisfied_.size(); ++i)
        count(satisfied_[i][slice], now[i][slice]);
      for (std::size_t i = 0; i < runs_.size(); ++i)
        count(policy().triggers[i], runs_[i][slice], now, slice);
      for (std::size_t i = 0; i < machines_.size(); ++i)
        if (policy().acts_on[i][slice])
          advance(i, slice, now, stage);
    }
  }

  /// Ends a rule on a slice, whatever its `until`. Only a reset ends a latch.
  void reset(std::size_t which, std::size_t slice) {
    machine& at = machines_[which][slice];
    if (!at.active)
      return;
    at = machine{};
    changes_ = 0;
    note(which, slice, change::reset, {-1, verdict::undecided}, 0);
  }

  bool is_active(std::size_t which, std::size_t slice) const {
    return machines_[which][slice].active;
  }
  bool is_active() const {
    for (const auto& row : machines_)
      for (const machine& at : row)
        if (at.active)
          return true;
    return false;
  }

  /// The transitions of the last tick or reset, ordered by slice, then by rule.
  const transition* begin() const { return transitions_.data(); }
  const transition* end() const { return transitions_.data() + changes_; }

  decision decide(std::size_t slice) const {
    decision out;
    visit(slice, [&](std::size_t which, const action& each) {
      if (each.kind >= action_kind::correct && (!out.traffic || out.traffic->kind < each.kind))
        out = {&each, static_cast<std::uint16_t>(which)};
    });
    return out;
  }

  /// Calls visit(rule, action) for the actions of active rules on a slice, in the contract's order.
  template <class Visit> void visit(std::size_t slice, Visit&& visit) const {
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      const machine& at = machines_[i][slice];
      if (!at.active)
        continue;
      const step& now = policy().steps[policy().rules[i].first_step + at.step];
      for (std::size_t j = 0; j < now.actions; ++j)
        visit(i, policy().actions[now.first_action + j]);
    }
  }

private:
  friend struct detail::wire_access;

  using machine = detail::rule_machine;
  template <class T, std::size_t Rows, std::size_t Count>
  using table = detail::several<Policy, detail::several<Policy, T, Count>, Rows>;
  static constexpr std::uint32_t most_run = ~std::uint32_t{0};

  decltype(auto) policy() const { return this->plan(); }

  struct cause {
    std::int16_t clause;
    verdict seen;
  };

  /// Returns whether a clause is asked on a slice in this window. If none is, rules skip the
  /// window: no run grows or ends.
  static bool is_asked(const verdicts& now, std::size_t slice) {
    for (const auto& row : now)
      if (row[slice].is != verdict::unasked)
        return true;
    return false;
  }

  /// Returns whether a trigger reads a clause.
  bool is_asked(const trigger& at, std::size_t clause, std::size_t slice) const {
    return policy().applies[clause][slice] &&
           (at.clause >= 0 ? static_cast<std::size_t>(at.clause) == clause
                           : policy().in_any[clause]);
  }

  template <class Test> bool sees(const trigger& at, std::size_t slice, Test&& test) const {
    for (std::size_t i = 0; i < satisfied_.size(); ++i)
      if (is_asked(at, i, slice) && test(i))
        return true;
    return false;
  }
  bool sees(const trigger& at, const verdicts& now, std::size_t slice, verdict wanted) const {
    return sees(at, slice, [&](std::size_t i) { return now[i][slice].is == wanted; });
  }

  /// Returns whether a state holds now. `any` is violated or undecided if one clause is, and
  /// satisfied if all clauses are.
  bool holds(const trigger& at, const verdicts& now, std::size_t slice) const {
    const verdict wanted = wanted_by(at.kind);
    return sees(at, now, slice, wanted) &&
           (wanted != verdict::satisfied ||
            !sees(at, slice, [&](std::size_t i) { return now[i][slice].is != wanted; }));
  }

  /// Returns whether a state has held for enough windows in a row. For a satisfied `any`, each
  /// clause needs its own run.
  bool has_held(std::size_t node, std::size_t slice) const {
    const trigger& at = policy().triggers[node];
    if (at.kind != trigger_kind::satisfied)
      return runs_[node][slice] >= at.windows;
    return !sees(at, slice, [&](std::size_t i) { return satisfied_[i][slice] < at.windows; });
  }

  static constexpr verdict wanted_by(trigger_kind kind) {
    return kind == trigger_kind::violated    ? verdict::violated
           : kind == trigger_kind::undecided ? verdict::undecided
                                             : verdict::satisfied;
  }

  /// Counts consecutive windows that satisfied a clause. A kept verdict is not a new window.
  static void count(std::uint32_t& run, const standing& now) {
    if (now.is != verdict::satisfied)
      run = 0;
    else if (!now.is_kept && run < most_run)
      ++run;
  }

  /// Updates a run of violated or undecided windows. Undecided windows and kept verdicts neither
  /// extend a run of violated windows nor end it.
  void count(const trigger& at, std::uint32_t& run, const verdicts& now, std::size_t slice) const {
    if (at.kind != trigger_kind::violated && at.kind != trigger_kind::undecided)
      return;
    const verdict wanted = wanted_by(at.kind);
    if (sees(at, slice,
             [&](std::size_t i) { return now[i][slice].is == wanted && !now[i][slice].is_kept; }))
      run += run < at.windows; // stops at the limit, so it cannot wrap
    else if (!sees(at, now, slice, wanted) && !sees(at, now, slice, verdict::undecided))
      run = 0;
  }

  bool is_true(std::size_t node, const verdicts& now, std::size_t slice) const {
    const trigger& at = policy().triggers[node];
    if (at.kind <= trigger_kind::satisfied)
      return has_held(node, slice) && holds(at, now, slice);
    if (at.kind == trigger_kind::negation)
      return !is_true(at.first, now, slice);
    bool wants_all = at.kind == trigger_kind::all;
    for (std::size_t i = 0; i < at.count; ++i)
      if (is_true(at.first + i, now, slice) != wants_all)
        return !wants_all;
    return wants_all;
  }

  /// Returns the first state that made a condition true.
  cause cause_of(std::size_t node, const verdicts& now, std::size_t slice) const {
    const trigger& at = policy().triggers[node];
    if (at.kind > trigger_kind::satisfied) {
      for (std::size_t i = 0; i < at.count && at.kind != trigger_kind::negation; ++i)
        if (is_true(at.first + i, now, slice))
          return cause_of(at.first + i, now, slice);
      return {-1, verdict::undecided};
    }
    verdict seen = wanted_by(at.kind);
    if (at.clause >= 0)
      return {at.clause, seen};
    for (std::size_t i = 0; i < satisfied_.size(); ++i)
      if (is_asked(at, i, slice) && now[i][slice].is == seen)
        return {static_cast<std::int16_t>(i), seen};
    return {-1, seen};
  }

  void advance(std::size_t which, std::size_t slice, const verdicts& now, std::uint8_t stage) {
    const rule& definition = policy().rules[which];
    machine& at = machines_[which][slice];
    if (!at.active) {
      if (!is_true(definition.when, now, slice))
        return;
      at.active = true;
      note(which, slice, change::activated, cause_of(definition.when, now, slice), stage);
      return;
    }
    if (definition.until != never && is_true(definition.until, now, slice)) {
      at = machine{};
      note(which, slice, change::released, cause_of(definition.until, now, slice), stage);
      return;
    }
    const step& current = policy().steps[definition.first_step + at.step];
    bool has_next = at.step + 1 < definition.steps;
    if (current.windows == 0 || !has_next || ++at.windows < current.windows)
      return;
    ++at.step;
    at.windows = 0;
    note(which, slice, change::stepped, {-1, verdict::undecided}, stage);
  }

  void note(std::size_t which, std::size_t slice, change what, cause why, std::uint8_t stage) {
    transitions_[changes_++] = {static_cast<std::uint16_t>(which),
                                static_cast<std::uint16_t>(slice),
                                what,
                                machines_[which][slice].step,
                                why.clause,
                                why.seen,
                                stage,
                                ticks_};
  }

  // The tables may be empty: a policy may have no rules.
  table<machine, shape.rules, shape.slices> machines_{};
  table<std::uint32_t, shape.triggers, shape.slices> runs_{}; // of violated and undecided windows
  table<std::uint32_t, shape.clauses, shape.slices> satisfied_{};
  detail::several<Policy, transition, shape.rules * shape.slices> transitions_{};
  std::size_t changes_ = 0;
  std::uint64_t ticks_ = 0;
};

namespace detail {
/// The layout of a router's members, in order.
constexpr layout router_layout(const plan_shape& sizes) {
  const std::size_t machines = sizes.rules * sizes.slices;
  return layout()
      .add<rule_machine>(machines)
      .add<std::uint32_t>(sizes.triggers * sizes.slices)
      .add<std::uint32_t>(sizes.clauses * sizes.slices)
      .add<transition>(machines)
      .add<std::size_t>()
      .add<std::uint64_t>();
}
} // namespace detail

} // namespace tikc
