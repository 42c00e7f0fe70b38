#pragma once

#include "checker/plan/Plan.h"
#include "policy/Standing.h"

#include <cstdint>
#include <random>
#include <vector>

namespace tikc::tests {

/// Draws what a plan says of an escalation policy.
class PolicyDice {
public:
  explicit PolicyDice(std::uint32_t seed) : random_(seed) {}

  std::uint32_t roll(std::uint32_t sides) { return static_cast<std::uint32_t>(random_() % sides); }
  bool chance(double share) { return roll(1000) < share * 1000; }

  /// One slice, or two where not every clause and rule is on both; some clauses can keep verdicts.
  plan::Plan plan(std::uint32_t clauses, std::uint32_t rules, std::uint32_t slices,
                  std::uint32_t windows) {
    plan::Plan out;
    out.windows = {{}, {window_unit::tokens, 1000}};
    out.streams.resize(1);
    out.signals.resize(1);
    for (std::uint32_t i = 0; i < slices; ++i)
      out.slices.push_back({"s" + std::to_string(i), {}, false});
    for (std::uint32_t i = 0; i < clauses; ++i)
      addClause(out, i);
    for (std::uint32_t i = 0; i < rules; ++i)
      out.rules.push_back(rule(out, i, windows));
    return out;
  }

  /// Any verdict, of a clause that can keep its last one that, too.
  policy::Standing standing(policy::Standing last) {
    using policy::WindowVerdict;
    if ((last.verdict == WindowVerdict::Satisfied || last.verdict == WindowVerdict::Violated) &&
        chance(0.3))
      return {last.verdict, true};
    return {static_cast<WindowVerdict>(roll(3)), false};
  }

private:
  void addClause(plan::Plan& plan, std::uint32_t index) {
    plan::Check check;
    check.window = chance(0.3) ? 1 : 0;
    check.onMixture = chance(0.1);
    for (std::uint32_t i = 0; i < plan.slices.size(); ++i)
      if (plan.slices.size() == 1 || chance(0.8))
        check.slices.push_back(i);
    plan.checks.push_back(check);
    plan.clauses.push_back({"c" + std::to_string(index), {}, chance(0.85), {index}});
  }

  plan::Trigger trigger(const plan::Plan& plan, std::uint32_t windows, int depth = 0) {
    plan::Trigger out;
    std::uint32_t kind = depth < 2 ? roll(8) : 0;
    if (kind < 5) {
      out.kind = static_cast<trigger_kind>(roll(3));
      out.windows = 1 + roll(windows);
      if (chance(0.6))
        out.clause = roll(static_cast<std::uint32_t>(plan.clauses.size()));
      return out;
    }
    out.kind = static_cast<trigger_kind>(kind - 2);
    for (int i = kind == 5 ? 1 : 0; i < 2; ++i)
      out.parts.push_back(trigger(plan, windows, depth + 1));
    return out;
  }

  plan::Action action() {
    plan::Action out;
    out.kind = static_cast<action_kind>(roll(7));
    if (out.kind == action_kind::route) {
      out.text = chance(0.5) ? "safe" : "slow";
      if (chance(0.5))
        out.first = 0.01;
    }
    return out;
  }

  plan::Rule rule(const plan::Plan& plan, std::uint32_t index, std::uint32_t windows) {
    plan::Rule out;
    out.id = "r" + std::to_string(index);
    bool isRival = index > 0 && chance(0.3);
    out.when = isRival ? plan.rules.back().when : trigger(plan, windows);
    if (chance(0.7))
      out.until = trigger(plan, windows);
    std::uint32_t steps = chance(0.3) ? 2 : 1;
    for (std::uint32_t i = 0; i < steps; ++i) {
      plan::Step& step = out.steps.emplace_back();
      step.windows = steps > 1 ? 1 + roll(windows) : 0;
      for (std::uint32_t j = 0; j <= roll(2); ++j)
        step.actions.push_back(action());
    }
    for (std::uint32_t i = 0; i < plan.slices.size(); ++i)
      if (plan.slices.size() == 1 || chance(0.8))
        out.slices.push_back(i);
    return out;
  }

  std::mt19937 random_;
};

} // namespace tikc::tests
