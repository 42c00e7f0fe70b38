#include "policy/Conditions.h"
#include "policy/Remembered.h"
#include "policy/Study.h"

#include <algorithm>

/// What rules do while every clause is satisfied. A rule is active by its own conditions alone, so
/// each is run by itself; all are asked only whether the slice keeps its traffic.
namespace tikc::policy {
namespace {

/// Windows that a run is followed for; of rules that count more nothing is said.
constexpr std::uint64_t mostWindows = 4096;

/// After so many windows that are alike the rule counts no further.
std::uint64_t settlingTime(const plan::Rule& rule) {
  std::uint64_t steps = 0;
  for (const plan::Step& step : rule.steps)
    steps += step.windows;
  return std::max(longestRun(rule.when) + steps,
                  std::uint64_t{rule.until ? longestRun(*rule.until) : 0}) +
         1;
}

/// A rule on a slice, by itself.
class Alone {
public:
  Alone(const plan::Plan& plan, std::uint32_t rule, std::uint32_t slice)
      : cast_(castOf(plan, slice, {rule}, false)),
        machine_(plan, slice, {rule}, cast_.clauses, cast_.uncounted) {}

  /// Whether it is active, tick by tick.
  std::vector<bool> run(const Course& course) const {
    std::vector<bool> out;
    std::vector<std::uint32_t> memory(machine_.cells());
    std::vector<Standing> now(machine_.clauses().size());
    std::vector<Transition> changes;
    for (std::size_t tick = 0; tick < course.ticks; ++tick) {
      for (std::size_t i = 0; i < now.size(); ++i)
        now[i] = course.at(machine_.clauses()[i], tick);
      machine_.tick(memory, now, changes);
      out.push_back(machine_.step(memory, 0).has_value());
    }
    return out;
  }

private:
  Cast cast_;
  Machine machine_;
};

} // namespace

const std::optional<Occurrence>& Study::healthyStartOf(std::uint32_t rule) {
  return remembered(healthyStarts_, rule, [&] { return healthyStart(rule); });
}

std::optional<Occurrence> Study::healthyStart(std::uint32_t rule) {
  const plan::Rule& row = plan_.rules[rule];
  const std::uint64_t windows = settlingTime(row);
  // What asks for violated or undecided clauses alone has none.
  const bool canStart =
      asksFor(row.when, trigger_kind::satisfied) || asksFor(row.when, trigger_kind::negation);
  if (!canStart || windows > mostWindows)
    return std::nullopt;
  for (std::uint32_t slice : slicesOf({rule})) {
    const std::vector<bool> isActive = Alone(plan_, rule, slice).run({windows, {}});
    const auto start = std::find(isActive.begin(), isActive.end(), true);
    if (start == isActive.end())
      continue;
    Occurrence out{slice, {static_cast<std::size_t>(start - isActive.begin()) + 1, {}}};
    if (replayOn(slice).impossibleFor(out.course))
      continue;
    std::vector<std::uint32_t> named;
    addNamed(row.when, named);
    for (std::uint32_t clause : named)
      if (applies(plan_, clause, slice))
        out.course.clauses[clause].resize(out.course.ticks);
    return out;
  }
  return std::nullopt;
}

const std::optional<Occurrence>& Study::healthyEndlessOf(std::uint32_t rule) {
  return remembered(healthyEndless_, rule, [&] { return healthyEndless(rule); });
}

std::optional<Occurrence> Study::healthyEndless(std::uint32_t rule) {
  const std::optional<Occurrence>& acts = prospect(rule).acts;
  std::uint64_t settling = settlingTime(plan_.rules[rule]);
  if (!plan_.rules[rule].until || !acts || healthyStartOf(rule) || settling > mostWindows)
    return std::nullopt;
  // Another rule may act on so long a health, and take the traffic.
  constexpr std::uint64_t mostOfOthers = 64;
  for (const plan::Rule& other : plan_.rules)
    settling =
        std::max(settling, std::min(mostOfOthers, std::uint64_t{longestRun(other.when)} + 1));
  // What starts it first may start another one that takes the traffic.
  std::vector<Occurrence> starts = startsByOne(rule);
  starts.insert(starts.begin(), *acts);
  for (const Occurrence& start : starts) {
    // A clause whose sequence is over is satisfied.
    Course course = start.course;
    course.ticks += settling;
    const std::vector<bool> isActive = Alone(plan_, rule, start.slice).run(course);
    const auto healthy = isActive.begin() + static_cast<std::ptrdiff_t>(start.course.ticks) - 1;
    if (std::find(healthy, isActive.end(), false) == isActive.end() &&
        !replayOn(start.slice).impossibleFor(course))
      return start;
  }
  return std::nullopt;
}

/// One clause that is violated or undecided for as long as the rule's condition counts.
std::vector<Occurrence> Study::startsByOne(std::uint32_t rule) {
  const plan::Trigger& when = plan_.rules[rule].when;
  const std::size_t ticks = std::max(longestRun(when), std::uint32_t{1});
  std::vector<Occurrence> out;
  for (std::uint32_t slice : slicesOf({rule}))
    for (std::uint32_t clause : castOf(plan_, slice, {rule}, false).clauses)
      for (WindowVerdict shown : {WindowVerdict::Violated, WindowVerdict::Undecided})
        out.push_back({slice, {ticks, {{clause, std::vector<Standing>(ticks, {shown})}}}});
  return out;
}

} // namespace tikc::policy
