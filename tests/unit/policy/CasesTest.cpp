#include "policy/Studies.h"
#include "policy/Study.h"
#include "unit/policy/Courses.h"
#include "unit/policy/RandomPolicy.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using policy::Prospect;
using policy::Study;
using policy::Transition;

plan::Trigger state(trigger_kind kind, std::uint32_t clause, std::uint32_t windows) {
  return {kind, clause, windows, {}};
}

/// One slice and two clauses, of the stage's window.
plan::Plan twoClauses() {
  plan::Plan out = PolicyDice(0).plan(2, 0, 1, 1);
  for (plan::Check& check : out.checks) {
    check = plan::Check();
    check.slices = {0};
  }
  return out;
}

void addRule(plan::Plan& plan, plan::Trigger when, plan::Trigger until, action_kind does) {
  plan::Rule& rule = plan.rules.emplace_back();
  rule.id = "r" + std::to_string(plan.rules.size());
  rule.when = std::move(when);
  rule.until = std::move(until);
  rule.steps.resize(1);
  rule.steps.front().actions.push_back({does, "", 0.01, {}});
  rule.slices = {0};
}

TEST(Study, FindsTrafficThatTwoRulesMoveInTurn) {
  auto isFound = [](std::uint32_t until, action_kind second) {
    plan::Plan plan = twoClauses();
    addRule(plan, state(trigger_kind::violated, 0, 2), state(trigger_kind::satisfied, 0, until),
            action_kind::route);
    addRule(plan, state(trigger_kind::violated, 1, 2), state(trigger_kind::satisfied, 1, until),
            second);
    Study study(plan);
    EXPECT_FALSE(study.flappingOf(0));
    EXPECT_FALSE(study.flappingOf(1));
    const auto& shows = study.flappingOf(0, 1);
    if (shows)
      holdFlapping(plan, *shows);
    EXPECT_TRUE(study.doubts().empty());
    return shows ? shows->course.ticks : 0;
  };
  EXPECT_EQ(isFound(3, action_kind::quarantine), 9U);
  EXPECT_EQ(isFound(3, action_kind::alert), 0U);
  EXPECT_EQ(isFound(6, action_kind::quarantine), 0U);
}

TEST(Study, FindsAHoldThatComesAndGoesWhileARouteStays) {
  plan::Plan plan = twoClauses();
  addRule(plan, state(trigger_kind::violated, 0, 2), state(trigger_kind::satisfied, 0, 12),
          action_kind::route);
  addRule(plan, state(trigger_kind::undecided, 1, 1), state(trigger_kind::satisfied, 1, 1),
          action_kind::hold);
  Study study(plan);
  const auto& shows = study.flappingOf(0, 1);
  ASSERT_TRUE(shows);
  holdFlapping(plan, *shows);
}

TEST(Study, FindsInStridesWhatHasTooManyStates) {
  plan::Plan plan = twoClauses();
  addRule(plan, state(trigger_kind::violated, 0, 3000), state(trigger_kind::satisfied, 1, 3000),
          action_kind::route);
  Study study(plan);
  const Prospect& prospect = study.prospect(0);
  ASSERT_TRUE(prospect.acts && prospect.ends);
  EXPECT_TRUE(prospect.isKnown);
  expectShown(plan, *prospect.acts, {0, Transition::What::Activated, 0});
  expectShown(plan, *prospect.ends, {0, Transition::What::Released, 0});
  EXPECT_TRUE(study.doubts().empty());
}

TEST(Study, KnowsAPolicyThatIsTheSame) {
  policy::Studies studies;
  plan::Plan plan = PolicyDice(1).plan(2, 2, 1, 3), other = plan;
  const Study* study = &studies.of(plan);
  other.checks[0].text = "another limit";
  EXPECT_EQ(&studies.of(other), study);
  other.checks[0].onMixture = !other.checks[0].onMixture;
  EXPECT_NE(&studies.of(other), study);
  EXPECT_EQ(&studies.of(plan), study);
  other = plan;
  other.rules[1].when.windows += 1;
  EXPECT_NE(&studies.of(other), study);
}

TEST(Study, ClaimsNothingThatItCannotSearch) {
  PolicyDice dice(0);
  plan::Plan plan = dice.plan(2, 1, 1, 1);
  plan::Rule& rule = plan.rules.front();
  plan::Trigger state{trigger_kind::violated, 0, 1'000'000, {}};
  rule.when = {trigger_kind::all, {}, 1, {state, state}};
  rule.when.parts[1].kind = trigger_kind::negation;
  rule.when.parts[1].parts = {state};
  Study study(plan);
  EXPECT_FALSE(study.prospect(0).acts);
  EXPECT_FALSE(study.prospect(0).isKnown);
  ASSERT_EQ(study.doubts().size(), 1U);
  EXPECT_EQ(study.doubts().front().question, policy::Doubt::Question::Acts);
}

} // namespace
} // namespace tikc::tests
