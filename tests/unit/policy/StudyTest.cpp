#include "policy/Study.h"
#include "tools/Rounds.h"
#include "unit/policy/Courses.h"
#include "unit/policy/RandomPolicy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

namespace tikc::tests {
namespace {

using policy::Occurrence;
using policy::Prospect;
using policy::Standing;
using policy::Study;
using policy::Transition;
using policy::WindowVerdict;

/// Every sequence of verdicts of all clauses of one slice, up to a depth, on the runtime's router:
/// how soon each change of each rule can come.
class BruteForce {
public:
  BruteForce(const plan::Plan& plan, int depth) : plan_(plan), depth_(depth) {
    AnyPolicy::fill(plan);
    walk(AnyRouter(), std::vector<Standing>(plan.clauses.size(), {WindowVerdict::Undecided}), 1);
  }

  /// In the tick with this number at the earliest; 0: in none.
  int soonest(std::uint32_t rule, Transition::What what, std::uint32_t step) const {
    auto found = soonest_.find({rule, what, step});
    return found == soonest_.end() ? 0 : found->second;
  }

private:
  using Key = std::tuple<std::uint32_t, Transition::What, std::uint32_t>;

  bool isStarved(const AnyRouter& router) const {
    const plan::Action* action = router.traffic(plan_, 0).action;
    return action && policy::isStarving(*action);
  }

  void walk(const AnyRouter& router, const std::vector<Standing>& last, int tick) {
    std::vector<Standing> now;
    choose(router, last, now, isStarved(router), tick);
  }

  void choose(const AnyRouter& router, const std::vector<Standing>& last,
              std::vector<Standing>& now, bool isStarved, int tick) {
    std::size_t at = now.size();
    if (at == last.size())
      return go(router, now, tick);
    auto clause = static_cast<std::uint32_t>(at);
    auto choose = [&](Standing standing) {
      now.push_back(standing);
      this->choose(router, last, now, isStarved, tick);
      now.pop_back();
    };
    choose({WindowVerdict::Undecided});
    if (isStarved && policy::needsTraffic(plan_, clause))
      return;
    choose({WindowVerdict::Satisfied});
    choose({WindowVerdict::Violated});
    if (plan_.checks[clause].window == 1 && last[at].verdict != WindowVerdict::Undecided)
      choose({last[at].verdict, true});
  }

  void go(const AnyRouter& router, const std::vector<Standing>& now, int tick) {
    AnyRouter next = router;
    std::vector<std::vector<Standing>> rows;
    for (const Standing& each : now)
      rows.push_back({each});
    next.tick(rows);
    for (const Transition& each : next.changes(0)) {
      auto [place, isFresh] = soonest_.try_emplace({each.rule, each.what, each.step}, tick);
      place->second = std::min(place->second, tick);
    }
    if (tick < depth_)
      walk(next, now, tick + 1);
  }

  const plan::Plan& plan_;
  int depth_;
  std::map<Key, int> soonest_;
};

struct Seen {
  unsigned reached = 0, never = 0, beyond = 0, starved = 0, unknown = 0;
};

void agree(const plan::Plan& plan, const BruteForce& brute, const Transition& change,
           const std::optional<Occurrence>& shows, int depth, Seen& seen) {
  int soonest = brute.soonest(change.rule, change.what, change.step);
  if (!shows) {
    ASSERT_EQ(soonest, 0);
    ++seen.never;
    return;
  }
  int found = static_cast<int>(shows->course.ticks);
  ASSERT_EQ(soonest, found <= depth ? found : 0);
  (found <= depth ? seen.reached : seen.beyond) += 1;
  expectShown(plan, *shows, change);
}

void hold(std::uint32_t seed, Seen& seen) {
  PolicyDice dice(seed);
  const std::uint32_t clauses = 1 + dice.roll(3), rules = 1 + dice.roll(3);
  const plan::Plan plan = dice.plan(clauses, rules, 1, 3);
  const int depth = clauses == 1 ? 7 : clauses == 2 ? 4 : 3;
  const BruteForce brute(plan, depth);
  Study study(plan);
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", rule " + std::to_string(i) + "\n" +
                 plan::print(plan));
    const Prospect& prospect = study.prospect(i);
    seen.unknown += !prospect.isKnown;
    if (!prospect.isKnown)
      continue;
    seen.starved += prospect.starvedBy.has_value();
    agree(plan, brute, {i, Transition::What::Activated, 0}, prospect.acts, depth, seen);
    if (plan.rules[i].until)
      agree(plan, brute, {i, Transition::What::Released, 0}, prospect.ends, depth, seen);
    for (std::uint32_t step = 1; step < prospect.steps.size(); ++step)
      agree(plan, brute, {i, Transition::What::Stepped, step}, prospect.steps[step], depth, seen);
  }
}

/// What questions about several rules answer, and what a long random run has to bear out.
struct Answers {
  std::map<std::uint32_t, std::uint32_t> overruled, covered;
  unsigned flapping = 0, inTurn = 0, clashes = 0, consequences = 0, outlasting = 0;
  unsigned healthyStarts = 0, healthyEndless = 0;
};

void holdConsequence(const plan::Plan& plan, const policy::Consequence& of) {
  AnyRouter router;
  policy::Traffic before;
  bool wasStarved = false, isForced = true;
  replay(router, plan, of.shows, [&](std::size_t at) {
    for (std::uint32_t i = 0; i < plan.clauses.size() && wasStarved; ++i)
      isForced &= !policy::needsTraffic(plan, i) || !policy::applies(plan, i, 0) ||
                  of.shows.course.at(i, at).verdict == WindowVerdict::Undecided ||
                  !of.shows.course.clauses.contains(i);
    before = at + 1 < of.shows.course.ticks ? router.traffic(plan, 0) : before;
    wasStarved = before.action && policy::isStarving(*before.action);
  });
  EXPECT_TRUE(isForced);
  EXPECT_EQ(before.rule, of.from);
  EXPECT_EQ(router.traffic(plan, 0).rule, of.to);
}

void holdOutlasting(const plan::Plan& plan, const policy::Occurrence& shows, std::uint32_t waiting,
                    std::uint32_t other) {
  AnyRouter router;
  replay(router, plan, shows, [](std::size_t) {});
  EXPECT_EQ(router.traffic(plan, 0).rule, waiting);
  EXPECT_TRUE(router.isActive(waiting, 0) && router.isActive(other, 0));
  for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
    EXPECT_NE(shows.course.at(i, shows.course.ticks - 1).verdict, WindowVerdict::Undecided);
}

/// A hold, or what leaves clauses nothing to be judged by.
bool isIntricate(const plan::Rule& rule) {
  return std::any_of(rule.steps.begin(), rule.steps.end(), [](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), [](const plan::Action& action) {
      return action.kind == action_kind::hold || policy::isStarving(action);
    });
  });
}

/// Whether the rule is active in each of many windows that satisfy all clauses, after the course.
bool isActiveWhileHealthy(const plan::Plan& plan, const policy::Occurrence& after,
                          std::uint32_t rule) {
  AnyRouter router;
  replay(router, plan, after, [](std::size_t) {});
  for (int window = 0; window < 64; ++window) {
    tick(router, plan, std::vector<Standing>(plan.clauses.size()));
    if (!router.isActive(rule, 0))
      return false;
  }
  return true;
}

bool startsWhileHealthy(const plan::Plan& plan, std::uint32_t rule) {
  AnyPolicy::fill(plan);
  AnyRouter router;
  for (int window = 0; window < 64; ++window) {
    tick(router, plan, std::vector<Standing>(plan.clauses.size()));
    if (router.isActive(rule, 0))
      return true;
  }
  return false;
}

void askOfHealth(const plan::Plan& plan, Study& study, std::uint32_t rule, Answers& out) {
  // Nothing is satisfied of a slice that has lost its traffic.
  const bool canStarve = std::any_of(plan.rules.begin(), plan.rules.end(), isIntricate);
  const auto& starts = study.healthyStartOf(rule);
  if (starts) {
    expectShown(plan, *starts, {rule, Transition::What::Activated, 0});
    ++out.healthyStarts;
  }
  if (!canStarve) {
    EXPECT_EQ(starts.has_value(), startsWhileHealthy(plan, rule));
  }
  const auto& acts = study.prospect(rule).acts;
  const auto& endless = study.healthyEndlessOf(rule);
  if (endless) {
    EXPECT_TRUE(isActiveWhileHealthy(plan, *endless, rule));
    ++out.healthyEndless;
  } else if (!canStarve && acts && plan.rules[rule].until && !starts) {
    EXPECT_FALSE(isActiveWhileHealthy(plan, *acts, rule));
  }
}

Answers ask(const plan::Plan& plan, Study& study) {
  Answers out;
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i)
    askOfHealth(plan, study, i, out);
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i) {
    if (auto by = study.overrulerOf(i))
      out.overruled[i] = *by;
    if (auto by = study.coverOf(i))
      out.covered[i] = *by;
    if (auto shows = study.flappingOf(i)) {
      holdFlapping(plan, *shows);
      ++out.flapping;
    }
    for (std::uint32_t j = i + 1; j < plan.rules.size(); ++j)
      if (auto shows = study.flappingOf(i, j)) {
        holdFlapping(plan, *shows);
        ++out.inTurn;
      }
    if (auto of = study.consequenceOf(i)) {
      holdConsequence(plan, *of);
      ++out.consequences;
    }
    for (std::uint32_t j = i + 1; j < plan.rules.size(); ++j)
      if (auto shows = study.clashOf(i, j)) {
        expectShown(plan, *shows, {i, Transition::What::Activated, 0});
        expectShown(plan, *shows, {j, Transition::What::Activated, 0});
        ++out.clashes;
      }
    for (std::uint32_t j = 0; j < plan.rules.size(); ++j)
      if (const auto& shows = study.outlastingOf(i, j)) {
        holdOutlasting(plan, *shows, i, j);
        ++out.outlasting;
      }
  }
  return out;
}

bool alerts(const plan::Rule& rule) {
  return std::any_of(rule.steps.begin(), rule.steps.end(), [](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), [](const plan::Action& action) {
      return action.kind == action_kind::alert;
    });
  });
}

/// Whether all that makes traffic flap must have been found.
bool isCalm(const plan::Plan& plan, Study& study, const Answers& answers) {
  return plan.rules.size() == 2 && answers.flapping == 0 && answers.inTurn == 0 &&
         study.doubts().empty() && std::none_of(plan.rules.begin(), plan.rules.end(), isIntricate);
}

/// How often traffic was moved, or no longer, in the last windows.
class Flips {
public:
  std::size_t after(bool isMoved) {
    ++tick_;
    if (std::exchange(wasMoved_, isMoved) != isMoved)
      at_.push_back(tick_);
    std::erase_if(at_, [&](int tick) { return tick + int(policy::flapWindows) <= tick_; });
    return at_.size();
  }

private:
  bool wasMoved_ = false;
  int tick_ = 0;
  std::vector<int> at_;
};

void walk(PolicyDice& dice, const plan::Plan& plan, const Answers& answers, bool isCalm) {
  Flips flips;
  AnyPolicy::fill(plan);
  AnyRouter router;
  std::vector<Standing> now(plan.clauses.size(), {WindowVerdict::Undecided});
  for (int at = 0; at < 300; ++at) {
    for (std::size_t clause = 0; clause < now.size(); ++clause) {
      now[clause] = dice.standing(now[clause]);
      now[clause].isKept = now[clause].isKept && plan.checks[clause].window == 1;
    }
    tick(router, plan, now);
    policy::Traffic traffic = router.traffic(plan, 0);
    ASSERT_TRUE(flips.after(movedBy(router, plan).action != nullptr) < policy::flaps || !isCalm);
    for (const auto& [rule, by] : answers.overruled)
      ASSERT_FALSE(traffic.action && traffic.rule == rule && router.isActive(rule, 0));
    for (const auto& [rule, by] : answers.covered) {
      ASSERT_TRUE(!router.isActive(rule, 0) || router.isActive(by, 0));
      ASSERT_TRUE(!alerts(plan.rules[rule]) || router.isActive(rule, 0) || !router.isActive(by, 0));
    }
  }
}

TEST(Study, SaysOfRulesTogetherWhatRoutersDo) {
  Answers all;
  std::size_t overruled = 0, covered = 0, calm = 0;
  for (std::uint32_t seed = 0; seed < rounds(2000) && !testing::Test::HasFatalFailure(); ++seed) {
    PolicyDice dice(seed);
    const std::uint32_t clauses = 1 + dice.roll(3), rules = 2 + dice.roll(2);
    const plan::Plan plan = dice.plan(clauses, rules, 1, 3);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + plan::print(plan));
    Study study(plan);
    Answers answers = ask(plan, study);
    bool mustBeCalm = isCalm(plan, study, answers);
    calm += mustBeCalm;
    walk(dice, plan, answers, mustBeCalm);
    overruled += answers.overruled.size();
    covered += answers.covered.size();
    all.flapping += answers.flapping;
    all.inTurn += answers.inTurn;
    all.clashes += answers.clashes;
    all.consequences += answers.consequences;
    all.outlasting += answers.outlasting;
    all.healthyStarts += answers.healthyStarts;
    all.healthyEndless += answers.healthyEndless;
  }
  if (isSanitized)
    return; // of so few not all is to be seen
  EXPECT_GT(overruled, 50U);
  EXPECT_GT(covered, 10U);
  EXPECT_GT(all.flapping, 50U);
  EXPECT_GT(all.inTurn, 20U);
  EXPECT_GT(calm, 50U);
  EXPECT_GT(all.clashes, 3U);
  EXPECT_GT(all.consequences, 5U);
  EXPECT_GT(all.outlasting, 5U);
  EXPECT_GT(all.healthyStarts, 50U);
  EXPECT_GT(all.healthyEndless, 50U);
}

TEST(Study, AgreesWithEverySequence) {
  Seen seen;
  for (std::uint32_t seed = 0; seed < rounds(200) && !testing::Test::HasFatalFailure(); ++seed)
    hold(seed, seen);
  if (isSanitized)
    return; // of so few not all is to be seen
  EXPECT_GT(seen.reached, 300U);
  EXPECT_GT(seen.never, 60U);
  EXPECT_GT(seen.starved, 15U);
  EXPECT_LT(seen.unknown, 4U);
}

} // namespace
} // namespace tikc::tests
