#include "policy/Study.h"
#include "unit/policy/AnyRouter.h"
#include "unit/policy/RandomPolicy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tikc::tests {
namespace {

using policy::Transition;
using policy::Prospect;
using policy::Shown;
using policy::Shows;
using policy::Standing;
using policy::Study;

/// Every sequence of verdicts of all clauses of one slice, up to a depth, on the runtime's router:
/// how soon each change of each rule can come.
class BruteForce {
public:
  BruteForce(const plan::Plan& plan, int depth) : plan_(plan), depth_(depth) {
    AnyPolicy::fill(plan);
    walk(AnyRouter(), std::vector<Standing>(plan.clauses.size(), {Shown::Undecided}), 1);
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
    choose({Shown::Undecided});
    if (isStarved && policy::needsTraffic(plan_, clause, 0))
      return;
    choose({Shown::Satisfied});
    choose({Shown::Violated});
    if (plan_.checks[clause].window == 1 && last[at].is != Shown::Undecided)
      choose({last[at].is, true});
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

/// What a course shows is so of the router that runs.
void expectShown(const plan::Plan& plan, const Shows& shows, const Transition& change) {
  AnyPolicy::fill(plan);
  AnyRouter router;
  for (std::size_t tick = 0; tick < shows.course.ticks; ++tick) {
    std::vector<std::vector<Standing>> rows;
    for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
      rows.push_back(std::vector<Standing>(plan.slices.size(), shows.course.at(i, tick)));
    router.tick(rows);
  }
  std::vector<Transition> last = router.changes(shows.slice);
  EXPECT_EQ(std::count(last.begin(), last.end(), change), 1);
}

struct Seen {
  int reached = 0, never = 0, beyond = 0, starved = 0, unknown = 0;
};

void agree(const plan::Plan& plan, const BruteForce& brute, const Transition& change,
           const std::optional<Shows>& shows, int depth, Seen& seen) {
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
  const std::uint32_t clauses = 1 + dice.roll(3);
  const plan::Plan plan = dice.plan(clauses, 1 + dice.roll(3), 1, 3);
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

TEST(Study, AgreesWithEverySequence) {
  Seen seen;
  for (std::uint32_t seed = 0; seed < 600 && !testing::Test::HasFatalFailure(); ++seed)
    hold(seed, seen);
  EXPECT_GT(seen.reached, 1000);
  EXPECT_GT(seen.never, 200);
  EXPECT_GT(seen.starved, 50);
  EXPECT_LT(seen.unknown, 10);
}

} // namespace
} // namespace tikc::tests
