#include "policy/Remembered.h"
#include "policy/Study.h"

#include <algorithm>

/// What rules do while every clause is satisfied.
namespace tikc::policy {
namespace {

using plan::Trigger;

/// Windows that a run is followed for; of rules that count more nothing is said.
constexpr std::uint64_t mostWindows = 4096;

std::uint64_t longest(const Trigger& trigger) {
  std::uint64_t out = trigger.windows;
  for (const Trigger& part : trigger.parts)
    out = std::max(out, longest(part));
  return out;
}

/// After so many windows that are alike, no rule of the slice counts any further.
std::uint64_t settlingTime(const plan::Plan& plan, std::uint32_t slice) {
  std::uint64_t out = 0;
  for (std::uint32_t i : rulesOn(plan, slice)) {
    const plan::Rule& rule = plan.rules[i];
    std::uint64_t steps = 0;
    for (const plan::Step& step : rule.steps)
      steps += step.windows;
    out = std::max({out, longest(rule.when) + steps, rule.until ? longest(*rule.until) : 0});
  }
  return out + 1;
}

/// The clauses that a condition asks about by name.
void gatherAsked(const Trigger& trigger, std::vector<std::uint32_t>& out) {
  if (trigger.clause)
    out.push_back(*trigger.clause);
  for (const Trigger& part : trigger.parts)
    gatherAsked(part, out);
}

bool isActive(const Replayed& in, std::uint32_t rule) {
  return std::find(in.active.begin(), in.active.end(), rule) != in.active.end();
}

} // namespace

const std::optional<Shows>& Study::healthyStartOf(std::uint32_t rule) {
  return remembered(healthyStarts_, rule, [&] { return healthyStart(rule); });
}

std::optional<Shows> Study::healthyStart(std::uint32_t rule) {
  for (std::uint32_t slice : slicesOf({rule})) {
    const std::uint64_t windows = settlingTime(plan_, slice);
    if (windows > mostWindows)
      continue;
    const Replay& replay = replayOn(slice);
    const std::vector<Replayed> run = replay.run({windows, {}});
    const auto start = std::find_if(run.begin(), run.end(),
                                    [&](const Replayed& tick) { return isActive(tick, rule); });
    if (start == run.end())
      continue;
    Shows out{slice, {static_cast<std::size_t>(start - run.begin()) + 1, {}}};
    if (replay.impossibleFor(out.course))
      continue;
    std::vector<std::uint32_t> named;
    gatherAsked(plan_.rules[rule].when, named);
    for (std::uint32_t clause : named)
      if (applies(plan_, clause, slice))
        out.course.clauses[clause].resize(out.course.ticks);
    return out;
  }
  return std::nullopt;
}

const std::optional<Shows>& Study::healthyEndlessOf(std::uint32_t rule) {
  return remembered(healthyEndless_, rule, [&] { return healthyEndless(rule); });
}

std::optional<Shows> Study::healthyEndless(std::uint32_t rule) {
  const std::optional<Shows>& acts = prospect(rule).acts;
  if (!plan_.rules[rule].until || !acts || healthyStartOf(rule))
    return std::nullopt;
  const std::uint64_t settling = settlingTime(plan_, acts->slice);
  if (settling > mostWindows)
    return std::nullopt;
  // A clause whose sequence is over is satisfied.
  Course course = acts->course;
  course.ticks += settling;
  const Replay& replay = replayOn(acts->slice);
  if (replay.impossibleFor(course))
    return std::nullopt;
  const std::vector<Replayed> run = replay.run(course);
  const bool isEndless =
      std::all_of(run.begin() + static_cast<std::ptrdiff_t>(acts->course.ticks), run.end(),
                  [&](const Replayed& t) { return isActive(t, rule); });
  return isEndless ? acts : std::nullopt;
}

} // namespace tikc::policy
