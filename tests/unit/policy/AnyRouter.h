#pragma once

#include "checker/plan/Plan.h"
#include "policy/Machine.h"
#include "tikc/router.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tikc::tests {

/// Tables that the runtime's router runs on, filled with one policy after another: a rule that a
/// policy does not have acts on no slice.
struct AnyPolicy {
  static constexpr std::size_t slices = 2, clauses = 4;
  inline static bool applies[clauses][slices];
  inline static bool in_any[clauses];
  inline static trigger triggers[256];
  inline static action actions[64];
  inline static step steps[32];
  inline static rule rules[4];
  inline static bool acts_on[4][slices];

  static void fill(const plan::Plan& plan);

private:
  static std::uint16_t add(const plan::Trigger& of);
  static void put(std::size_t at, const plan::Trigger& of);
  inline static std::size_t used_;
};

inline void AnyPolicy::put(std::size_t at, const plan::Trigger& of) {
  std::size_t first = used_;
  used_ += of.parts.size();
  for (std::size_t i = 0; i < of.parts.size(); ++i)
    put(first + i, of.parts[i]);
  triggers[at] = {static_cast<trigger_kind>(of.kind),
                  static_cast<std::int16_t>(of.clause ? static_cast<int>(*of.clause) : -1),
                  of.windows, static_cast<std::uint16_t>(first),
                  static_cast<std::uint16_t>(of.parts.size())};
}

inline std::uint16_t AnyPolicy::add(const plan::Trigger& of) {
  std::size_t at = used_++;
  put(at, of);
  return static_cast<std::uint16_t>(at);
}

inline void AnyPolicy::fill(const plan::Plan& plan) {
  used_ = 0;
  for (auto& each : triggers)
    each = {trigger_kind::violated, 0, 1, 0, 0};
  std::uint16_t actionsUsed = 0, stepsUsed = 0;
  for (std::uint32_t i = 0; i < clauses; ++i) {
    bool isThere = i < plan.clauses.size();
    in_any[i] = isThere && plan.clauses[i].countsAsAny;
    for (std::uint32_t j = 0; j < slices; ++j)
      applies[i][j] = isThere && j < plan.slices.size() && policy::applies(plan, i, j);
  }
  for (std::size_t i = 0; i < std::size(rules); ++i) {
    std::fill(std::begin(acts_on[i]), std::end(acts_on[i]), false);
    rules[i] = {"", 0, never, 0, 1};
    if (i >= plan.rules.size())
      continue;
    const plan::Rule& of = plan.rules[i];
    for (std::uint32_t slice : of.slices)
      acts_on[i][slice] = true;
    rules[i] = {of.id.c_str(), add(of.when), of.until ? add(*of.until) : never, stepsUsed,
                static_cast<std::uint16_t>(of.steps.size())};
    for (const plan::Step& each : of.steps) {
      steps[stepsUsed++] = {each.windows, actionsUsed,
                            static_cast<std::uint16_t>(each.actions.size())};
      for (const plan::Action& action : each.actions)
        actions[actionsUsed++] = {static_cast<action_kind>(action.kind), action.text.c_str(),
                                  action.first.value_or(0), action.second.value_or(0)};
    }
  }
}

/// What the runtime says, in the words of the compiler.
class AnyRouter {
public:
  void tick(const std::vector<std::vector<policy::Standing>>& now) { // by clause and slice
    router<AnyPolicy>::verdicts verdicts;
    for (std::size_t i = 0; i < AnyPolicy::clauses; ++i)
      for (std::size_t j = 0; j < AnyPolicy::slices; ++j)
        verdicts[i][j] = i < now.size() && j < now[i].size()
                             ? standing(static_cast<verdict>(now[i][j].verdict), now[i][j].isKept)
                             : standing(verdict::unasked);
    router_.tick(verdicts, 0);
  }

  std::vector<policy::Transition> changes(std::uint32_t slice) const {
    std::vector<policy::Transition> out;
    for (const transition& each : router_)
      if (each.slice == slice)
        out.push_back({each.rule, static_cast<policy::Transition::What>(each.what), each.step});
    return out;
  }
  policy::Traffic traffic(const plan::Plan& plan, std::uint32_t slice) const {
    decision now = router_.decide(slice);
    if (!now.traffic)
      return {};
    std::ptrdiff_t at = now.traffic - AnyPolicy::actions;
    for (const plan::Rule& rule : plan.rules)
      for (const plan::Step& step : rule.steps)
        for (const plan::Action& action : step.actions)
          if (at-- == 0)
            return {&action, now.rule};
    return {};
  }
  bool isActive(std::uint32_t rule, std::uint32_t slice) const {
    return router_.is_active(rule, slice);
  }

private:
  router<AnyPolicy> router_;
};

} // namespace tikc::tests
