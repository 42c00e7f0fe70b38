#pragma once

#include "policy/Study.h"
#include "unit/policy/AnyRouter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

/// What courses of verdicts show, on the router that runs.
namespace tikc::tests {

/// What a course shows is so of the router that runs.
inline void expectShown(const plan::Plan& plan, const policy::Occurrence& shows,
                        const policy::Transition& change) {
  AnyPolicy::fill(plan);
  AnyRouter router;
  for (std::size_t tick = 0; tick < shows.course.ticks; ++tick) {
    std::vector<std::vector<policy::Standing>> rows;
    for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
      rows.push_back(std::vector<policy::Standing>(plan.slices.size(), shows.course.at(i, tick)));
    router.tick(rows);
  }
  std::vector<policy::Transition> last = router.changes(shows.slice);
  EXPECT_EQ(std::count(last.begin(), last.end(), change), 1);
}

/// A tick of one slice, on the router that runs.
inline void tick(AnyRouter& router, const plan::Plan& plan,
                 const std::vector<policy::Standing>& now) {
  std::vector<std::vector<policy::Standing>> rows;
  for (const policy::Standing& each : now)
    rows.push_back(std::vector<policy::Standing>(plan.slices.size(), each));
  router.tick(rows);
}

inline void replay(AnyRouter& router, const plan::Plan& plan, const policy::Occurrence& shows,
                   const std::function<void(std::size_t)>& look) {
  AnyPolicy::fill(plan);
  for (std::size_t at = 0; at < shows.course.ticks; ++at) {
    std::vector<policy::Standing> now;
    for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
      now.push_back(shows.course.at(i, at));
    tick(router, plan, now);
    look(at);
  }
}

/// What is done with the traffic, which a hold leaves as it is.
inline policy::Traffic movedBy(const AnyRouter& router, const plan::Plan& plan) {
  const plan::Action* now = router.traffic(plan, 0).action;
  bool isMoved = now && now->kind >= action_kind::correct && now->kind != action_kind::hold;
  return {isMoved ? now : nullptr, 0};
}

inline void holdFlapping(const plan::Plan& plan, const policy::Occurrence& shows) {
  AnyRouter router;
  policy::Traffic before;
  std::vector<std::size_t> changed;
  replay(router, plan, shows, [&](std::size_t at) {
    policy::Traffic now = movedBy(router, plan);
    if (!policy::isSame(std::exchange(before, now), now))
      changed.push_back(at);
  });
  ASSERT_GE(changed.size(), policy::flaps);
  EXPECT_LT(changed.back() - changed[changed.size() - policy::flaps], policy::flapWindows);
}

} // namespace tikc::tests
