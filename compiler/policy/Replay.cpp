#include "policy/Replay.h"

#include <algorithm>

namespace tikc::policy {

std::vector<std::uint32_t> rulesOn(const plan::Plan& plan, std::uint32_t slice) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < plan.rules.size(); ++i)
    if (std::count(plan.rules[i].slices.begin(), plan.rules[i].slices.end(), slice) > 0)
      out.push_back(i);
  return out;
}

std::vector<std::uint32_t> clausesOn(const plan::Plan& plan, std::uint32_t slice) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t i = 0; i < plan.clauses.size(); ++i)
    if (applies(plan, i, slice))
      out.push_back(i);
  return out;
}

Replay::Replay(const plan::Plan& plan, std::uint32_t slice)
    : Replay(plan, slice, castOf(plan, slice, rulesOn(plan, slice), true).clauses) {}

Replay::Replay(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> clauses)
    : machine_(plan, slice, rulesOn(plan, slice), std::move(clauses)) {
  for (std::uint32_t clause : machine_.clauses())
    needsTraffic_.push_back(policy::needsTraffic(plan, clause));
  for (std::uint32_t rule : machine_.rules())
    for (const plan::Step& step : plan.rules[rule].steps)
      canStarve_ |= std::any_of(step.actions.begin(), step.actions.end(), isStarving);
}

std::vector<Standing> Replay::inputAt(const Course& course, std::size_t tick) const {
  std::vector<Standing> out;
  for (std::uint32_t clause : machine_.clauses())
    out.push_back(course.at(clause, tick));
  return out;
}

TickState Replay::stateOf(Machine::Known memory, std::vector<Transition> changes) const {
  TickState out{std::move(changes), machine_.decide(memory), {}, {}};
  for (std::size_t i = 0; i < machine_.rules().size(); ++i)
    if (auto step = machine_.step(memory, i)) {
      out.active.push_back(machine_.rules()[i]);
      out.steps.push_back(*step);
    }
  return out;
}

std::vector<TickState> Replay::run(const Course& course) const {
  std::vector<TickState> out;
  std::vector<std::uint32_t> memory(machine_.cells());
  for (std::size_t tick = 0; tick < course.ticks; ++tick) {
    std::vector<Transition> changes;
    machine_.tick(memory, inputAt(course, tick), changes);
    out.push_back(stateOf(memory, std::move(changes)));
  }
  return out;
}

bool Replay::isImpossible(std::size_t place, const Standing& standing) const {
  return needsTraffic_[place] && standing.verdict != WindowVerdict::Undecided &&
         standing.verdict != WindowVerdict::Unasked;
}

std::optional<std::uint32_t> Replay::impossibleFor(const Course& course) const {
  std::vector<std::uint32_t> memory(machine_.cells());
  std::vector<Transition> changes;
  for (std::size_t tick = 0; canStarve_ && tick < course.ticks; ++tick) {
    std::vector<Standing> input = inputAt(course, tick);
    if (Traffic now = machine_.decide(memory); now.action && isStarving(*now.action))
      for (std::size_t i = 0; i < input.size(); ++i)
        if (isImpossible(i, input[i]))
          return now.rule;
    machine_.tick(memory, input, changes);
  }
  return std::nullopt;
}

Course Replay::possible(const Course& course, std::size_t more) const {
  std::vector<std::uint32_t> memory(machine_.cells());
  std::vector<Transition> changes;
  Course out{course.ticks + more, {}};
  for (std::size_t tick = 0; tick < out.ticks; ++tick) {
    std::vector<Standing> input = inputAt(course, tick);
    Traffic now = machine_.decide(memory);
    bool isStarved = now.action && isStarving(*now.action);
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (isStarved && isImpossible(i, input[i]))
        input[i] = {WindowVerdict::Undecided, false};
      out.clauses[machine_.clauses()[i]].push_back(input[i]);
    }
    machine_.tick(memory, input, changes);
  }
  std::erase_if(out.clauses, [](const auto& row) {
    return std::all_of(row.second.begin(), row.second.end(),
                       [](const Standing& each) { return each == Standing{}; });
  });
  return out;
}

} // namespace tikc::policy
