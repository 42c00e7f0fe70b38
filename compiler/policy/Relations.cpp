#include "policy/Conditions.h"
#include "policy/Remembered.h"
#include "policy/Study.h"

#include <algorithm>

/// What rules do to one another.
namespace tikc::policy {

using plan::Action;

namespace {

/// What a step does to traffic: its strongest action, of equals the first.
const Action* moverOf(const plan::Step& step) {
  const Action* out = nullptr;
  for (const Action& action : step.actions)
    if (action.kind >= action_kind::correct && (!out || action.kind > out->kind))
      out = &action;
  return out;
}

const Action* moverOf(const Machine& machine, Machine::Known memory, std::size_t place) {
  auto step = machine.step(memory, place);
  return step ? moverOf(machine.plan().rules[machine.rules()[place]].steps[*step]) : nullptr;
}

/// Whether the first, which wins where they are equal if `isEarlier`, leaves nothing of the second.
bool overrules(const Action& one, const Action& other, bool isEarlier) {
  return one.kind > other.kind || (one.kind == other.kind && isEarlier && one != other);
}

bool coversActions(const plan::Step& one, const plan::Step& other) {
  return std::all_of(other.actions.begin(), other.actions.end(), [&](const Action& action) {
    return std::any_of(one.actions.begin(), one.actions.end(),
                       [&](const Action& each) { return each == action; });
  });
}

bool alerts(const plan::Step& step) {
  return std::any_of(step.actions.begin(), step.actions.end(),
                     [](const Action& action) { return action.kind == action_kind::alert; });
}

bool isDecided(const Standing& now) {
  return now.verdict == WindowVerdict::Satisfied || now.verdict == WindowVerdict::Violated;
}

} // namespace

Explorer::Ending Study::seek(const Machine& machine, const Environment& environment,
                             std::size_t ownCells, Visit visit) {
  auto run = [&](Allowance& allowance, Stride stride) {
    Explorer explorer(machine, environment, allowance, ownCells, stride);
    return explorer.run(
        [&](const Turn& turn, Machine::Memory own) { return visit(explorer, turn, own); });
  };
  Explorer::Ending ending = run(together_, Stride::Tick);
  return ending == Explorer::Ending::CutOff ? run(inStrides_, Stride::Change) : ending;
}

bool Study::isAlways(std::uint32_t one, std::uint32_t other, Doubt::Question question,
                     llvm::function_ref<bool(const Machine&, Machine::Known)> isSo) {
  const Rules both = {std::min(one, other), std::max(one, other)};
  const auto& slices = plan_.rules[other].slices;
  for (std::uint32_t slice : slicesOf({one})) {
    if (std::count(slices.begin(), slices.end(), slice) == 0)
      return false;
    Cast cast = castOf(plan_, slice, both, false);
    Machine machine(plan_, slice, both, cast.clauses, cast.uncounted);
    Environment environment(plan_, cast, {});
    const std::size_t place = one < other ? 0 : 1;
    auto visit = [&](const Explorer&, const Turn& turn, Machine::Memory) {
      return machine.step(turn.after, place) && !isSo(machine, turn.after) ? Onward::Stop
                                                                           : Onward::Follow;
    };
    auto ending = seek(machine, environment, 0, visit);
    if (ending == Explorer::Ending::CutOff)
      leaveOpen({question, one, other});
    if (ending != Explorer::Ending::Exhausted)
      return false;
  }
  return true;
}

std::optional<std::uint32_t> Study::overrulerOf(std::uint32_t rule) {
  return remembered(overrulers_, rule, [&] { return overruler(rule); });
}

const std::optional<Occurrence>& Study::firstMoveOf(std::uint32_t rule) {
  static const std::optional<Occurrence> none;
  const auto& steps = plan_.rules[rule].steps;
  auto moving = std::find_if(steps.begin(), steps.end(),
                             [](const plan::Step& step) { return moverOf(step); });
  return moving == steps.end()
             ? none
             : prospect(rule).steps[static_cast<std::size_t>(moving - steps.begin())];
}

std::optional<std::uint32_t> Study::overruler(std::uint32_t rule) {
  const std::optional<Occurrence>& shows = firstMoveOf(rule);
  if (!shows)
    return std::nullopt;
  const auto& steps = plan_.rules[rule].steps;
  const Action& wanted = *moverOf(*std::find_if(
      steps.begin(), steps.end(), [](const plan::Step& step) { return moverOf(step); }));
  // Who overrules it always does so there, too; the one that decides is asked first.
  const TickState there = replayOn(shows->slice).run(shows->course).back();
  Rules others = there.active;
  std::stable_partition(others.begin(), others.end(),
                        [&](std::uint32_t each) { return each == there.traffic.rule; });
  for (std::uint32_t other : others) {
    if (other == rule)
      continue;
    const bool isEarlier = other < rule;
    const std::size_t own = isEarlier ? 1 : 0;
    auto isOverruled = [&](const Machine& machine, Machine::Known memory) {
      const Action *wish = moverOf(machine, memory, own), *done = moverOf(machine, memory, 1 - own);
      return !wish || (done && overrules(*done, *wish, isEarlier));
    };
    const auto& theirs = plan_.rules[other].steps;
    bool canOverrule = std::any_of(theirs.begin(), theirs.end(), [&](const plan::Step& step) {
      const Action* done = moverOf(step);
      return done && overrules(*done, wanted, isEarlier);
    });
    if (canOverrule && isAlways(rule, other, Doubt::Question::Overruled, isOverruled))
      return other;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> Study::coverOf(std::uint32_t rule) {
  return remembered(covers_, rule, [&] { return cover(rule); });
}

std::optional<std::uint32_t> Study::cover(std::uint32_t rule) {
  const plan::Rule& covered = plan_.rules[rule];
  const auto& acts = prospect(rule).acts;
  if (!acts || covered.steps.size() != 1 || covered.steps.front().actions.empty())
    return std::nullopt;
  const std::vector<TickState> replayed = replayOn(acts->slice).run(acts->course);
  for (std::uint32_t other : replayed.back().active) {
    const plan::Rule& cover = plan_.rules[other];
    if (other == rule || cover.steps.size() != 1 ||
        !coversActions(cover.steps.front(), covered.steps.front()))
      continue;
    const std::size_t place = other < rule ? 0 : 1;
    auto isActive = [](std::size_t at) {
      return [at](const Machine& machine, Machine::Known memory) {
        return machine.step(memory, at).has_value();
      };
    };
    // Who is alerted at another time is told of another thing; of two that are the same the later
    // one adds nothing.
    bool isTold = alerts(covered.steps.front());
    bool isFirst = other > rule && coversActions(covered.steps.front(), cover.steps.front());
    bool isTwin =
        (isTold || isFirst) && isAlways(other, rule, Doubt::Question::Covered, isActive(1 - place));
    if (isTwin ? isFirst : isTold)
      continue;
    if (isAlways(rule, other, Doubt::Question::Covered, isActive(place)))
      return other;
  }
  return std::nullopt;
}

const std::optional<Occurrence>& Study::clashOf(std::uint32_t one, std::uint32_t other) {
  return remembered(clashes_, Pair(one, other), [&] { return clash(one, other); });
}

/// Whether it is two rules that traffic is between: the first decides, or a stronger one for as
/// long as it is active, which is not always.
bool Study::isBetween(const Rules& both, const Traffic& now) {
  if (now.rule == both.front() || !now.action)
    return now.action != nullptr;
  return std::all_of(both.begin(), both.end(), [&](std::uint32_t each) {
    auto overruler = overrulerOf(each);
    return !overruler || std::find(both.begin(), both.end(), *overruler) != both.end();
  });
}

std::optional<Occurrence> Study::clash(std::uint32_t one, std::uint32_t other) {
  const Action *wanted = moverOf(plan_.rules[one].steps.front()),
               *wish = moverOf(plan_.rules[other].steps.front());
  if (!wanted || !wish || wanted->kind != wish->kind || *wanted == *wish)
    return std::nullopt;
  std::vector<std::uint32_t> named, namedToo;
  addNamed(plan_.rules[one].when, named);
  addNamed(plan_.rules[other].when, namedToo);
  std::erase_if(named, [&](std::uint32_t clause) {
    return std::count(namedToo.begin(), namedToo.end(), clause) == 0;
  });
  const Rules both = {std::min(one, other), std::max(one, other)};
  for (std::uint32_t slice : named.empty() ? Rules{} : slicesOf(both)) {
    Cast cast = castOf(plan_, slice, both, false);
    Machine machine(plan_, slice, both, cast.clauses, cast.uncounted);
    Environment environment(plan_, cast, {});
    std::optional<Occurrence> out;
    auto visit = [&](const Explorer& explorer, const Turn& turn, Machine::Memory own) {
      for (std::uint32_t i = 0; i < turn.input.size(); ++i) {
        if (turn.input[i] == Standing{})
          continue;
        bool isOther = own[0] > 0 && own[0] != i + 1;
        if (isOther || std::count(named.begin(), named.end(), cast.clauses[i]) == 0)
          return Onward::Leave;
        own[0] = i + 1;
      }
      auto starts = [](const Transition& change) {
        return change.what == Transition::What::Activated;
      };
      if (std::count_if(turn.changes.begin(), turn.changes.end(), starts) < 2)
        return Onward::Follow;
      out = Occurrence{slice, explorer.courseOf(turn)};
      return Onward::Stop;
    };
    if (seek(machine, environment, 1, visit) == Explorer::Ending::CutOff)
      leaveOpen({Doubt::Question::Clashes, one, other});
    if (!out)
      continue;
    makePossible(*out, both);
    if (!replayOn(slice).impossibleFor(out->course) &&
        isBetween(both, replayOn(slice).run(out->course).back().traffic))
      return out;
  }
  return std::nullopt;
}

const std::optional<Consequence>& Study::consequenceOf(std::uint32_t rule) {
  return remembered(consequences_, rule, [&] { return consequence(rule); });
}

std::optional<Consequence> Study::consequence(std::uint32_t rule) {
  constexpr std::size_t longestWait = 1000;
  const plan::Rule& from = plan_.rules[rule];
  for (std::size_t i = 0; i < from.steps.size(); ++i) {
    const Action* action = moverOf(from.steps[i]);
    const auto& shows = prospect(rule).steps[i];
    if (!action || action->kind != action_kind::route || !isStarving(*action) || !shows)
      continue;
    const Replay& replay = replayOn(shows->slice);
    std::size_t wait = 1;
    for (std::uint32_t each : rulesOn(plan_, shows->slice))
      wait = std::max<std::size_t>(wait, longestRun(plan_.rules[each].when) + 1);
    Course course = replay.possible(shows->course, std::min(wait, longestWait));
    const std::vector<TickState> replayed = replay.run(course);
    const std::size_t routed = shows->course.ticks;
    if (replayed[routed - 1].traffic.rule != rule || !replayed[routed - 1].traffic.action)
      continue;
    for (std::size_t tick = routed; tick < replayed.size(); ++tick) {
      const Traffic& now = replayed[tick].traffic;
      if (now.rule == rule && now.action)
        continue;
      bool isStronger =
          now.action && (now.action->kind == action_kind::rollback || !isStarving(*now.action));
      bool starts =
          isStronger && std::count(replayed[tick].changes.begin(), replayed[tick].changes.end(),
                                   Transition{now.rule, Transition::What::Activated, 0}) > 0;
      if (!starts)
        break;
      course.ticks = tick + 1;
      for (auto& [clause, sequence] : course.clauses)
        sequence.resize(course.ticks);
      return Consequence{rule, now.rule, {shows->slice, std::move(course)}};
    }
  }
  return std::nullopt;
}

const std::optional<Occurrence>& Study::outlastingOf(std::uint32_t waiting, std::uint32_t other) {
  return remembered(outlasting_, Pair(waiting, other), [&] { return outlasting(waiting, other); });
}

std::optional<Occurrence> Study::outlasting(std::uint32_t waiting, std::uint32_t other) {
  const plan::Rule &waits = plan_.rules[waiting], &reacts = plan_.rules[other];
  const bool isLeftByData = !waits.until || !asksFor(*waits.until, trigger_kind::satisfied);
  if (isLeftByData || !asksFor(waits.when, trigger_kind::undecided) ||
      asksFor(waits.when, trigger_kind::violated) || !asksFor(reacts.when, trigger_kind::violated))
    return std::nullopt;
  const Rules both = {std::min(waiting, other), std::max(waiting, other)};
  const std::size_t place = waiting < other ? 0 : 1;
  for (std::uint32_t slice : slicesOf(both)) {
    Cast cast = castOf(plan_, slice, both, false);
    Machine machine(plan_, slice, both, cast.clauses, cast.uncounted);
    Environment environment(plan_, cast, {});
    std::optional<Occurrence> out;
    auto visit = [&](const Explorer& explorer, const Turn& turn, Machine::Memory) {
      const Action *done = moverOf(machine, turn.after, place),
                   *wish = moverOf(machine, turn.after, 1 - place);
      if (!std::all_of(turn.input.begin(), turn.input.end(), isDecided) || !done || !wish ||
          !overrules(*done, *wish, waiting < other))
        return Onward::Follow;
      out = Occurrence{slice, explorer.courseOf(turn)};
      return Onward::Stop;
    };
    if (seek(machine, environment, 0, visit) == Explorer::Ending::CutOff)
      leaveOpen({Doubt::Question::Outlasts, waiting, other});
    if (!out)
      continue;
    makePossible(*out, both);
    const Course& course = out->course;
    const bool isOver =
        std::all_of(cast.clauses.begin(), cast.clauses.end(), [&](std::uint32_t clause) {
          return isDecided(course.at(clause, course.ticks - 1));
        });
    if (isOver && !replayOn(slice).impossibleFor(course) &&
        replayOn(slice).run(course).back().traffic.rule == waiting)
      return out;
  }
  return std::nullopt;
}

} // namespace tikc::policy
