#include "tikc/router.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace tikc {
namespace {

/// a: violated(0) for 2 windows -> alert, route; until satisfied(0) for 2 windows
/// b: violated(any) and not undecided(1) -> quarantine, then rollback; latched; slice 0 only
/// c: undecided(any) for 3 windows or satisfied(any) for 4 windows -> hold; until violated(1)
/// d: violated(1) for 2 windows -> correct; until satisfied(any)
struct Policy {
  static constexpr std::size_t slices = 2, clauses = 2;
  static constexpr bool applies[clauses][slices] = {{true, true}, {true, false}};
  static constexpr bool in_any[clauses] = {true, true};
  static constexpr trigger triggers[] = {
      {trigger_kind::violated, 0, 2, 0, 0},   {trigger_kind::satisfied, 0, 2, 0, 0},
      {trigger_kind::all, -1, 1, 3, 2},       {trigger_kind::violated, -1, 1, 0, 0},
      {trigger_kind::negation, -1, 1, 5, 1},  {trigger_kind::undecided, 1, 1, 0, 0},
      {trigger_kind::some, -1, 1, 7, 2},      {trigger_kind::undecided, -1, 3, 0, 0},
      {trigger_kind::satisfied, -1, 4, 0, 0}, {trigger_kind::violated, 1, 1, 0, 0},
      {trigger_kind::violated, 1, 2, 0, 0},   {trigger_kind::satisfied, -1, 1, 0, 0},
  };
  static constexpr action actions[] = {
      {action_kind::alert, "oncall", 0, 0}, {action_kind::route, "safe", 0.01, 0},
      {action_kind::quarantine, "", 0, 0},  {action_kind::rollback, "", 0, 0},
      {action_kind::hold, "", 0, 0},        {action_kind::correct, "tis", 2, 0},
  };
  static constexpr step steps[] = {{0, 0, 2}, {2, 2, 1}, {0, 3, 1}, {0, 4, 1}, {0, 5, 1}};
  static constexpr rule rules[] = {
      {"a", 0, 1, 0, 1}, {"b", 2, never, 1, 2}, {"c", 6, 9, 3, 1}, {"d", 10, 11, 4, 1}};
  static constexpr bool acts_on[4][slices] = {
      {true, true}, {true, false}, {true, true}, {true, true}};
};

constexpr plan_shape shape() {
  plan_shape out;
  out.slices = Policy::slices;
  out.clauses = Policy::clauses;
  out.rules = std::size(Policy::rules);
  out.triggers = std::size(Policy::triggers);
  return out;
}
static_assert(sizeof(router<Policy>) == detail::router_layout(shape()).size());

using Window = std::array<std::array<verdict, 2>, 2>; // of a clause on a slice

/// The policy again, from its meaning alone: every question is asked of the whole history.
class Meaning {
public:
  void tick(const Window& window) {
    history_.push_back(window);
    for (std::size_t slice = 0; slice < 2; ++slice) {
      rule("a", slice, ran(0, 'v', 2, slice), ran(0, 's', 2, slice));
      if (slice == 0)
        rule("b", slice, ran(-1, 'v', 1, slice) && !ran(1, 'u', 1, slice), false);
      rule("c", slice, ran(-1, 'u', 3, slice) || ran(-1, 's', 4, slice), ran(1, 'v', 1, slice));
      rule("d", slice, ran(1, 'v', 2, slice), ran(-1, 's', 1, slice));
    }
  }

  bool isActive(char id, std::size_t slice) const { return age(id, slice) >= 0; }

  std::string traffic(std::size_t slice) const {
    if (age('b', slice) >= 2)
      return "rollback";
    if (age('c', slice) >= 0)
      return "hold";
    if (age('b', slice) >= 0)
      return "quarantine";
    if (age('a', slice) >= 0)
      return "route";
    return age('d', slice) >= 0 ? "correct" : "";
  }

private:
  std::string statesAt(std::size_t tick, int clause, std::size_t slice) const {
    std::string out;
    for (int i = 0; i < 2; ++i)
      if ((clause < 0 || clause == i) && (i == 0 || slice == 0))
        out += "usv"[static_cast<int>(history_[tick][static_cast<std::size_t>(i)][slice])];
    return out;
  }

  /// Whether the state holds now and has for so many windows in a row.
  bool ran(int clause, char state, int windows, std::size_t slice) const {
    int run = 0;
    for (std::size_t tick = history_.size(); tick-- > 0;) {
      std::string seen = statesAt(tick, clause, slice);
      bool has = seen.find(state) != std::string::npos;
      bool holds = state == 's' ? has && seen.find_first_not_of('s') == std::string::npos : has;
      if (!holds &&
          (tick + 1 == history_.size() || state != 'v' || seen.find('u') == std::string::npos))
        break;
      run += holds;
    }
    return run >= windows;
  }

  void rule(const char* id, std::size_t slice, bool when, bool until) {
    int& age = ages_[static_cast<std::size_t>(id[0] - 'a')][slice];
    if (age < 0)
      age = when ? 0 : -1;
    else
      age = until ? -1 : age + 1;
  }
  int age(char id, std::size_t slice) const {
    return ages_[static_cast<std::size_t>(id - 'a')][slice];
  }

  std::vector<Window> history_;
  int ages_[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
};

const char* trafficOf(const router<Policy>& machine, std::size_t slice) {
  constexpr const char* names[] = {"alert",      "sample", "correct", "route",
                                   "quarantine", "hold",   "rollback"};
  decision now = machine.decide(slice);
  return now.traffic ? names[static_cast<std::size_t>(now.traffic->kind)] : "";
}

void expectSame(const router<Policy>& machine, const Meaning& meaning) {
  for (std::size_t slice = 0; slice < 2; ++slice) {
    for (std::size_t i = 0; i < 4; ++i) {
      bool acts = Policy::acts_on[i][slice];
      ASSERT_EQ(acts && machine.is_active(i, slice),
                acts && meaning.isActive(static_cast<char>('a' + i), slice));
    }
    ASSERT_EQ(trafficOf(machine, slice), meaning.traffic(slice));
  }
}

void step(router<Policy>& machine, Meaning& meaning, const Window& window) {
  router<Policy>::verdicts now;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      now[i][j] = window[i][j];
  machine.tick(now, 3);
  meaning.tick(window);
  expectSame(machine, meaning);
}

/// Every sequence of windows of a length: three verdicts of three clauses on slices.
void walk(const router<Policy>& machine, const Meaning& meaning, int left) {
  if (left == 0 || testing::Test::HasFatalFailure())
    return;
  for (int i = 0; i < 27; ++i) {
    router<Policy> next = machine;
    Meaning nextMeaning = meaning;
    auto at = [&](int power) { return static_cast<verdict>(i / power % 3); };
    step(next, nextMeaning, {{{at(1), at(9)}, {at(3), verdict::undecided}}});
    walk(next, nextMeaning, left - 1);
  }
}

TEST(Router, DoesWhatThePolicyMeansOnEveryShortSequence) { walk({}, {}, 4); }

TEST(Router, DoesWhatThePolicyMeansOnLongRandomSequences) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::discrete_distribution<int> draw({1.0 + seed % 3, 1.0 + seed % 5, 1.0 + seed % 2});
    router<Policy> machine;
    Meaning meaning;
    for (int tick = 0; tick < 300; ++tick) {
      auto any = [&] { return static_cast<verdict>(draw(random)); };
      step(machine, meaning, {{{any(), any()}, {any(), any()}}});
      if (HasFatalFailure())
        return;
    }
  }
}

TEST(Router, AWindowThatAsksNothingOfASliceIsNoneToIt) {
  std::mt19937 random(7);
  router<Policy> machine;
  router<Policy> without[2]; // each sees the windows that ask something of its slice
  for (int tick = 0; tick < 3000; ++tick) {
    router<Policy>::verdicts now;
    for (auto& row : now)
      for (standing& each : row)
        each = static_cast<verdict>(random() % 3);
    for (std::size_t slice = 0; slice < 2; ++slice)
      if (random() % 3 == 0)
        for (auto& row : now)
          row[slice] = verdict::unasked;
    machine.tick(now, 0);
    for (std::size_t slice = 0; slice < 2; ++slice) {
      if (now[0][slice].is != verdict::unasked)
        without[slice].tick(now, 0);
      for (std::size_t i = 0; i < 4; ++i)
        ASSERT_EQ(machine.is_active(i, slice), without[slice].is_active(i, slice));
      ASSERT_STREQ(trafficOf(machine, slice), trafficOf(without[slice], slice));
    }
  }
}

TEST(Router, WhatIsKeptIsCountedOnce) {
  std::mt19937 random(11);
  router<Policy> machine, without; // the second sees what is new
  for (int tick = 0; tick < 3000; ++tick) {
    router<Policy>::verdicts now;
    for (auto& row : now)
      for (standing& each : row)
        each = random() % 3 == 0 ? verdict::violated : verdict::satisfied;
    machine.tick(now, 0);
    without.tick(now, 0);
    for (auto& row : now)
      for (standing& each : row)
        each.is_kept = true;
    for (std::size_t kept = random() % 4; kept > 0; --kept)
      machine.tick(now, 0);
    for (std::size_t slice = 0; slice < 2; ++slice)
      for (std::size_t i = 0; i < 4; ++i)
        ASSERT_EQ(machine.is_active(i, slice), without.is_active(i, slice));
    if (random() % 20 == 0) {
      machine.reset(1, 0);
      without.reset(1, 0);
    }
  }
}

TEST(Router, TellsWhyARuleChanged) {
  router<Policy> machine;
  const router<Policy>::verdicts bad = {{verdict::violated, verdict::satisfied},
                                        {verdict::satisfied, verdict::undecided}};
  machine.tick(bad, 1);
  ASSERT_EQ(machine.end() - machine.begin(), 1);
  EXPECT_EQ(machine.begin()->rule, 1) << "the latch, since something is violated";
  EXPECT_EQ(machine.begin()->clause, 0);
  machine.tick(bad, 2);
  const transition& drift = *machine.begin();
  EXPECT_EQ(drift.rule, 0);
  EXPECT_EQ(drift.what, change::activated);
  EXPECT_EQ(drift.clause, 0);
  EXPECT_EQ(drift.seen, verdict::violated);
  EXPECT_EQ(drift.stage, 2);
  EXPECT_EQ(drift.tick, 2u);
  machine.tick(bad, 2);
  EXPECT_EQ(machine.begin()->what, change::stepped);
  EXPECT_EQ(machine.begin()->rule, 1);
}

TEST(Router, LeavesALatchByResetAlone) {
  router<Policy> machine;
  const router<Policy>::verdicts bad = {{verdict::violated, verdict::violated},
                                        {verdict::satisfied, verdict::satisfied}};
  const router<Policy>::verdicts good = {{verdict::satisfied, verdict::satisfied},
                                         {verdict::satisfied, verdict::satisfied}};
  machine.tick(bad, 0);
  for (int i = 0; i < 3; ++i)
    machine.tick(good, 0);
  EXPECT_TRUE(machine.is_active(1, 0));
  machine.reset(1, 0);
  EXPECT_FALSE(machine.is_active(1, 0));
  ASSERT_EQ(machine.end() - machine.begin(), 1);
  EXPECT_EQ(machine.begin()->what, change::reset);
  machine.tick(good, 0);
  EXPECT_FALSE(machine.is_active(1, 0));
}

} // namespace
} // namespace tikc
