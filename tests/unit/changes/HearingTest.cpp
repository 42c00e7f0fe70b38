#include "changes/Hearing.h"
#include "policy/Doing.h"
#include "policy/Replay.h"
#include "tools/Rounds.h"
#include "unit/Checked.h"
#include "unit/policy/RandomPolicy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

/// Where nothing says why a policy may do less by what its clauses say now, it does no less on
/// whatever is measured.
namespace tikc::tests {
namespace {

using changes::RuleInput;
using changes::Shift;
using policy::Course;
using policy::Standing;
using policy::WindowVerdict;

/// A clause is one limit on one figure, with a confidence.
struct Limit {
  unsigned limit = 0, percent = 0; // limit in hundredths

  std::string text() const {
    return fmt::format("mean(k3) <= {}.{:02} with confidence {}%", limit / 100, limit % 100,
                       percent);
  }
  /// Of a figure that is known but for its error at a confidence of one half.
  WindowVerdict of(double figure, double error) const {
    const double wide = error * (percent - 40) / 10;
    return figure - wide > limit    ? WindowVerdict::Violated
           : figure + wide <= limit ? WindowVerdict::Satisfied
                                    : WindowVerdict::Undecided;
  }
};

/// As contracts have them.
Shift shiftBetween(const Limit& was, const Limit& is) {
  static std::map<std::array<unsigned, 4>, Shift> known;
  auto [place, isNew] = known.try_emplace({was.limit, was.percent, is.limit, is.percent});
  if (isNew) {
    auto contract = [](const Limit& of) {
      return head() + "load: { tokens: 1e6 tokens/s }\nnumerical: { c: \"" + of.text() + "\" }\n";
    };
    Checked before(contract(was)), after(contract(is));
    if (before.contracts().size() == 1 && after.contracts().size() == 1)
      place->second = changes::shiftOf(before.contracts()[0].clauses.at(0),
                                       after.contracts()[0].clauses.at(0), {});
    else
      ADD_FAILURE() << contract(was) << testing::PrintToString(before.findings());
  }
  return place->second;
}

class Measured {
public:
  Measured(PolicyDice& dice, std::size_t clauses) : dice_(dice) {
    const bool isOfAll = dice_.chance(0.3);
    const std::uint32_t what = dice_.roll(3), which = dice_.roll(static_cast<unsigned>(clauses));
    for (std::size_t i = 0; i < clauses; ++i) {
      was.push_back({20 + 10 * dice_.roll(3), 60 + 10 * dice_.roll(3)});
      is.push_back(was.back());
      if (!isOfAll && i != which)
        continue;
      if (what == 0)
        is.back().limit -= 10;
      else
        is.back().percent += what == 1 ? 10 : -10;
    }
  }

  /// What both say of the same measurements, tick by tick.
  void measure(const plan::Plan& plan, std::size_t ticks, Course& before, Course& after) {
    before.ticks = after.ticks = ticks;
    std::vector<double> figures(was.size());
    for (std::size_t tick = 0; tick < ticks; ++tick)
      for (std::uint32_t i = 0; i < was.size(); ++i) {
        const bool keeps = policy::canKeep(plan, i) && tick > 0 && dice_.chance(0.3);
        if (tick == 0 || dice_.chance(0.4))
          figures[i] = dice_.roll(60);
        const double error = dice_.chance(0.1)             ? 1e6
                             : was[i].limit != is[i].limit ? 0 // what decides one decides the other
                                                           : dice_.roll(6);
        add(before.clauses[i], keeps, was[i].of(figures[i], error));
        add(after.clauses[i], keeps, is[i].of(figures[i], error));
      }
  }

  std::vector<Limit> was, is;

private:
  static void add(std::vector<Standing>& to, bool keeps, WindowVerdict shown) {
    if (!keeps)
      to.push_back({shown, false});
    else
      to.push_back({to.back().verdict, to.back().verdict != WindowVerdict::Undecided});
  }

  PolicyDice& dice_;
};

std::string words(const policy::Traffic& of) {
  return fmt::format("action {}", static_cast<int>(of.action->kind));
}

std::string textOf(const plan::Trigger& trigger) {
  if (trigger.kind == trigger_kind::negation)
    return fmt::format("not ({})", textOf(trigger.parts[0]));
  if (!trigger.parts.empty())
    return fmt::format("({} {} {})", textOf(trigger.parts[0]),
                       trigger.kind == trigger_kind::all ? "and" : "or", textOf(trigger.parts[1]));
  return fmt::format("{}({}) for {}",
                     trigger.kind == trigger_kind::violated    ? "violated"
                     : trigger.kind == trigger_kind::satisfied ? "satisfied"
                                                               : "undecided",
                     trigger.clause ? fmt::format("c{}", *trigger.clause) : "any", trigger.windows);
}

std::string textOf(const plan::Plan& plan) {
  std::string out;
  for (const plan::Rule& rule : plan.rules) {
    out += fmt::format("{}: when {}", rule.id, textOf(rule.when));
    if (rule.until)
      out += fmt::format(" until {}", textOf(*rule.until));
    for (const plan::Step& step : rule.steps) {
      out += fmt::format("; for {}:", step.windows);
      for (const plan::Action& action : step.actions)
        out += fmt::format(" {}", static_cast<int>(action.kind));
    }
    out += "\n";
  }
  return out;
}

std::string textOf(const Course& course) {
  std::string out;
  for (const auto& [clause, standings] : course.clauses)
    out += fmt::format("c{}: {}; ", clause, policy::print(standings));
  return out;
}

/// As people have it: `not undecided(any)`.
plan::Trigger noLonger(plan::Trigger when, std::uint32_t windows) {
  plan::Trigger out;
  out.kind = trigger_kind::negation;
  out.parts.push_back(std::move(when));
  if (out.parts[0].parts.empty())
    out.parts[0].windows = windows;
  return out;
}

TEST(Hearing, WhatIsNotToldDoesNoLess) {
  std::size_t silent = 0, told = 0;
  constexpr unsigned rounds = isSanitized ? 4000 : 40000;
  for (unsigned seed = 0; seed < rounds && !HasFailure(); ++seed) {
    PolicyDice dice(seed);
    plan::Plan plan = dice.plan(1 + dice.roll(3), 1 + dice.roll(3), 1, 3);
    for (plan::Rule& rule : plan.rules)
      if (rule.until && dice.chance(0.3))
        rule.until = noLonger(rule.when, 1 + dice.roll(3));
    Measured measured(dice, plan.clauses.size());
    std::vector<Shift> shifts;
    for (std::size_t i = 0; i < plan.clauses.size(); ++i)
      shifts.push_back(policy::applies(plan, static_cast<std::uint32_t>(i), 0)
                           ? shiftBetween(measured.was[i], measured.is[i])
                           : Shift());
    const RuleInput heard{plan, 0, shifts, words};
    bool isTold = false;
    for (std::uint32_t i = 0; i < plan.rules.size(); ++i)
      isTold = isTold || !whyHeardOtherwise(heard, i).empty();
    if (isTold) {
      ++told;
      continue;
    }
    ++silent;
    const policy::Replay replay(plan, 0);
    for (int course = 0; course < 8; ++course) {
      Course before, after;
      measured.measure(plan, 12, before, after);
      const Course possible = replay.possible(before, 0);
      for (auto& [clause, standings] : after.clauses)
        for (std::size_t tick = 0; tick < standings.size(); ++tick)
          if (possible.at(clause, tick) != before.at(clause, tick))
            standings[tick] = {WindowVerdict::Undecided, false};
      before = possible;
      const auto was = replay.run(before), is = replay.run(after);
      for (std::size_t tick = 0; tick < was.size(); ++tick) {
        const auto parting = policy::partingOf(plan, {was[tick].active, was[tick].steps}, plan,
                                               {is[tick].active, is[tick].steps});
        ASSERT_TRUE(parting.order >= 0) << "seed " << seed << ", tick " << tick << ", was "
                                        << textOf(before) << "and now " << textOf(after) << "\n"
                                        << textOf(plan);
      }
    }
  }
  fmt::print("{} policies of which nothing is told, {} of which something is\n", silent, told);
  EXPECT_GT(silent, rounds / 20);
  EXPECT_GT(told, rounds / 20);
}

} // namespace
} // namespace tikc::tests
