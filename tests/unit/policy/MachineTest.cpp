#include "policy/Machine.h"
#include "unit/policy/AnyRouter.h"
#include "unit/policy/RandomPolicy.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tikc::tests {
namespace {

using policy::Machine;
using policy::Standing;
using policy::Transition;
using policy::WindowVerdict;

/// All clauses and the rules of a slice.
Machine machineOf(const plan::Plan& plan, std::uint32_t slice) {
  std::vector<std::uint32_t> rules, clauses(plan.clauses.size());
  std::iota(clauses.begin(), clauses.end(), 0U);
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i)
    if (std::count(plan.rules[i].slices.begin(), plan.rules[i].slices.end(), slice) > 0)
      rules.push_back(i);
  return Machine(plan, slice, rules, clauses);
}

struct Counts {
  std::size_t changes = 0, decisions = 0, skipped = 0;
};

/// The verdicts of a tick: now and then a slice is asked for nothing.
void draw(PolicyDice& dice, std::vector<std::vector<Standing>>& now) {
  for (std::size_t slice = 0; slice < now.front().size(); ++slice) {
    bool isUnasked = dice.chance(0.1);
    for (auto& row : now)
      row[slice] = isUnasked ? Standing{WindowVerdict::Unasked} : dice.standing(row[slice]);
  }
}

void hold(std::uint32_t seed, Counts& counts) {
  PolicyDice dice(seed);
  const std::uint32_t clauses = 1 + dice.roll(4), rules = 1 + dice.roll(4),
                      slices = 1 + dice.roll(2);
  const plan::Plan plan = dice.plan(clauses, rules, slices, 4);
  AnyPolicy::fill(plan);
  AnyRouter router;
  std::vector<Machine> machines;
  std::vector<std::vector<std::uint32_t>> memories;
  for (std::uint32_t slice = 0; slice < plan.slices.size(); ++slice) {
    machines.push_back(machineOf(plan, slice));
    memories.emplace_back(machines.back().cells());
  }
  std::vector<std::vector<Standing>> now(
      plan.clauses.size(), std::vector<Standing>(plan.slices.size(), {WindowVerdict::Undecided}));
  for (int tick = 0; tick < 40; ++tick) {
    draw(dice, now);
    router.tick(now);
    for (std::uint32_t slice = 0; slice < plan.slices.size(); ++slice) {
      std::vector<Standing> column;
      for (const auto& row : now)
        column.push_back(row[slice]);
      std::vector<Transition> changes;
      machines[slice].tick(memories[slice], column, changes);
      ASSERT_EQ(changes, router.changes(slice)) << "seed " << seed << ", tick " << tick;
      policy::Traffic mine = machines[slice].decide(memories[slice]),
                      theirs = router.traffic(plan, slice);
      ASSERT_EQ(mine.action, theirs.action) << "seed " << seed << ", tick " << tick;
      ASSERT_TRUE(!mine.action || mine.rule == theirs.rule) << "seed " << seed;
      counts.changes += changes.size();
      counts.decisions += mine.action != nullptr;
      counts.skipped += !column.empty() && column.front().verdict == WindowVerdict::Unasked;
    }
  }
}

TEST(Machine, DoesWhatRoutersDo) {
  Counts counts;
  for (std::uint32_t seed = 0; seed < 3000 && !HasFatalFailure(); ++seed)
    hold(seed, counts);
  EXPECT_GT(counts.changes, 10'000U);
  EXPECT_GT(counts.decisions, 10'000U);
  EXPECT_GT(counts.skipped, 10'000U);
}

TEST(Machine, TellsSequencesInAFewWords) {
  const Standing satisfied, violated{WindowVerdict::Violated}, kept{WindowVerdict::Violated, true};
  EXPECT_EQ(policy::print({violated, violated, satisfied, {WindowVerdict::Undecided}}),
            "violated*2 satisfied undecided");
  EXPECT_EQ(policy::print({violated, kept, kept, satisfied}), "violated kept*2 satisfied");
  EXPECT_EQ(policy::print({}), "");
}

} // namespace
} // namespace tikc::tests
