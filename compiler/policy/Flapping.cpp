#include "policy/Remembered.h"
#include "policy/Study.h"

#include <algorithm>

/// Traffic that goes to and fro.
namespace tikc::policy {

using plan::Action;

namespace {

/// A hold stops promotion, and leaves traffic as it is.
bool movesTraffic(const Action& action) {
  return action.kind >= action_kind::correct && action.kind != action_kind::hold;
}

bool isMoved(const Traffic& traffic) { return traffic.action && movesTraffic(*traffic.action); }

template <typename Test> bool anyAction(const plan::Rule& rule, const Test& test) {
  return std::any_of(rule.steps.begin(), rule.steps.end(), [&](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), test);
  });
}

/// Whether all that a rule does to traffic is to keep others from moving it.
bool onlyHolds(const plan::Rule& rule) {
  return !anyAction(rule, movesTraffic) &&
         anyAction(rule, [](const Action& action) { return action.kind == action_kind::hold; });
}

/// How often the traffic of a slice becomes another in the last windows of a course.
std::uint32_t changesAtTheEnd(const std::vector<TickState>& replayed) {
  std::uint32_t out = 0;
  for (std::size_t i = replayed.size() - std::min<std::size_t>(replayed.size(), flapWindows);
       i < replayed.size(); ++i) {
    const Traffic before = i > 0 ? replayed[i - 1].traffic : Traffic{}, &now = replayed[i].traffic;
    out += !isSame(isMoved(before) ? before : Traffic{}, isMoved(now) ? now : Traffic{});
  }
  return out;
}

/// A stretch of so many windows leaves no time for another, and it is not asked how many more.
constexpr std::uint32_t longestStretch = flapWindows - 2;

bool isShort(const plan::Trigger& trigger) {
  return trigger.windows <= longestStretch &&
         std::all_of(trigger.parts.begin(), trigger.parts.end(), isShort);
}

/// With no run longer than a stretch. Where no long one is denied that is so whenever the trigger
/// is.
std::optional<plan::Trigger> shortened(const plan::Trigger& trigger) {
  plan::Trigger out = trigger;
  out.windows = std::min(trigger.windows, longestStretch);
  if (trigger.kind == trigger_kind::negation)
    return isShort(trigger) ? std::optional(trigger) : std::nullopt;
  for (plan::Trigger& part : out.parts) {
    auto shorter = shortened(part);
    if (!shorter)
      return std::nullopt;
    part = std::move(*shorter);
  }
  return out;
}

/// A rule that is active whenever a trigger is so.
plan::Rule ruleOf(const plan::Trigger& trigger, std::uint32_t slice) {
  plan::Rule out;
  out.when = trigger;
  out.until = plan::Trigger{trigger_kind::negation, {}, 1, {trigger}};
  out.steps.resize(1);
  out.slices = {slice};
  return out;
}

/// No less than so many windows after the first trigger the second can be so, for all that they
/// say.
std::uint32_t leastBetween(const plan::Plan& plan, std::uint32_t slice, const plan::Trigger& first,
                           const plan::Trigger& second, Allowance& allowance) {
  auto begins = shortened(first), ends = shortened(second);
  if (!begins || !ends)
    return 1;
  plan::Plan asked = plan;
  asked.rules = {ruleOf(*begins, slice), ruleOf(*ends, slice)};
  Cast cast = castOf(asked, slice, {0, 1}, false);
  Machine machine(asked, slice, {0, 1}, cast.clauses, cast.uncounted);
  Environment environment(asked, cast, {});
  Explorer explorer(machine, environment, allowance, 1);
  std::uint32_t out = longestStretch;
  auto ending = explorer.run([&](const Turn& turn, Machine::Memory own) {
    std::uint32_t& since = own[0]; // the first was so last, and this tick, where it ever was
    if (since > 0 && machine.step(turn.after, 1))
      out = std::min(out, since);
    since = machine.step(turn.after, 0) ? 1 : since > 0 ? std::min(since + 1, longestStretch) : 0;
    return out == 1 ? Onward::Stop : Onward::Follow;
  });
  return ending == Explorer::Ending::CutOff ? 1 : out;
}

/// Whether some steps of a rule move traffic, and others leave it.
bool changesBySteps(const plan::Rule& rule) {
  auto moves = [](const plan::Step& step) {
    return std::any_of(step.actions.begin(), step.actions.end(), movesTraffic);
  };
  return std::any_of(rule.steps.begin(), rule.steps.end(), moves) &&
         !std::all_of(rule.steps.begin(), rule.steps.end(), moves);
}

/// The last changes of traffic, fewer by one than make it flap: how many windows ago.
class Ages {
public:
  static constexpr std::size_t cells = flaps - 1;
  explicit Ages(Machine::Memory memory) : cells_(memory) {}

  /// After a window, which brought a change or not: whether that is one too many.
  bool tick(bool hasChanged) {
    for (std::uint32_t& age : cells_)
      age = age == 0 || age == flapWindows ? 0 : age + 1;
    if (!hasChanged)
      return false;
    bool isTooMany = cells_.back() > 0;
    std::copy_backward(cells_.begin(), cells_.end() - 1, cells_.end());
    cells_.front() = 1;
    return isTooMany;
  }

private:
  Machine::Memory cells_; // the newest first; 0: longer than it matters
};

} // namespace

const std::optional<Occurrence>& Study::flappingOf(std::uint32_t rule) {
  return remembered(flapping_, Rules{rule}, [&]() -> std::optional<Occurrence> {
    bool moves = anyAction(plan_.rules[rule], movesTraffic);
    return moves && paceOf(rule).canRepeat() ? flapping({rule}) : std::nullopt;
  });
}

const std::optional<Occurrence>& Study::flappingOf(std::uint32_t one, std::uint32_t other) {
  const Rules both = {std::min(one, other), std::max(one, other)};
  return remembered(flapping_, both, [&]() -> std::optional<Occurrence> {
    const plan::Rule &a = plan_.rules[one], &b = plan_.rules[other];
    bool moves = anyAction(a, movesTraffic), movesToo = anyAction(b, movesTraffic);
    bool canMove = (moves && (movesToo || onlyHolds(b))) || (movesToo && onlyHolds(a));
    if (!canMove || slicesOf(both).empty() || flappingOf(one) || flappingOf(other))
      return std::nullopt;
    // A hold comes and goes while the other stays.
    bool canFlap = !movesToo ? paceOf(other).canRepeat()
                   : !moves  ? paceOf(one).canRepeat()
                             : paceOf(one).canAlternate(paceOf(other));
    return canFlap ? flapping(both) : std::nullopt;
  });
}

/// Where a way to it cannot be, one with nothing to judge by while the rules leave no traffic.
std::optional<Occurrence> Study::flapping(const Rules& rules) {
  for (std::uint32_t slice : slicesOf(rules))
    for (Environment::ClosedFrom closed : {Environment::ClosedFrom(), {action_kind::route}}) {
      std::optional<Occurrence> out = flapping(rules, slice, closed);
      if (!out)
        break;
      makePossible(*out, rules);
      // What others do at the same time may keep the traffic where it is.
      if (!replayOn(slice).impossibleFor(out->course) &&
          changesAtTheEnd(replayOn(slice).run(out->course)) >= flaps)
        return out;
    }
  return std::nullopt;
}

std::optional<Occurrence> Study::flapping(const Rules& rules, std::uint32_t slice,
                                          Environment::ClosedFrom closedFrom) {
  Cast cast = castOf(plan_, slice, rules, closedFrom.has_value());
  Machine machine(plan_, slice, rules, cast.clauses, cast.uncounted);
  Environment environment(plan_, cast, closedFrom);
  // What is held before its rule ends is a fault that comes and goes once.
  auto isOfHold = [&](const Turn& turn) {
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (!onlyHolds(plan_.rules[rules[i]]) &&
          !(machine.step(turn.before, i) && machine.step(turn.after, i)))
        return false;
    return true;
  };
  const bool areHeld = std::any_of(
      rules.begin(), rules.end(), [&](std::uint32_t rule) { return onlyHolds(plan_.rules[rule]); });
  std::optional<Occurrence> out;
  auto visit = [&](const Explorer& explorer, const Turn& turn, Machine::Memory own) {
    bool changes = isMoved(machine.decide(turn.before)) != isMoved(machine.decide(turn.after));
    if (!Ages(own).tick(changes && (!areHeld || isOfHold(turn))))
      return Onward::Follow;
    out = Occurrence{slice, explorer.courseOf(turn)};
    return Onward::Stop;
  };
  if (seek(machine, environment, Ages::cells, visit) == Explorer::Ending::CutOff)
    leaveOpen({Doubt::Question::Flaps, rules.front(),
               rules.size() > 1 ? std::optional(rules.back()) : std::nullopt});
  return out;
}

bool Study::takesPart(std::uint32_t rule, const Occurrence& flapping) {
  for (const TickState& tick : replayOn(flapping.slice).run(flapping.course))
    for (std::size_t i = 0; i < tick.active.size(); ++i)
      if (const auto& actions = plan_.rules[rule].steps[tick.steps[i]].actions;
          tick.active[i] == rule &&
          std::any_of(actions.begin(), actions.end(),
                      [](const Action& action) { return action.kind >= action_kind::correct; }))
        return true;
  return false;
}

const Pace& Study::paceOf(std::uint32_t rule) {
  return remembered(paces_, rule, [&] {
    const plan::Rule& row = plan_.rules[rule];
    if (changesBySteps(row))
      return Pace{1, 1};
    Pace out{longestStretch, longestStretch};
    for (std::uint32_t slice : row.until ? slicesOf({rule}) : Rules{}) {
      out.active =
          std::min(out.active, leastBetween(plan_, slice, row.when, *row.until, together_));
      out.resting =
          std::min(out.resting, leastBetween(plan_, slice, *row.until, row.when, together_));
    }
    return out;
  });
}

} // namespace tikc::policy
