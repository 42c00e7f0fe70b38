#include "policy/Machine.h"

#include <algorithm>

namespace tikc::policy {

using plan::Action;
using plan::Trigger;

namespace {

bool isState(trigger_kind kind) { return kind <= trigger_kind::satisfied; }

WindowVerdict wantedBy(trigger_kind kind) {
  return kind == trigger_kind::violated    ? WindowVerdict::Violated
         : kind == trigger_kind::undecided ? WindowVerdict::Undecided
                                           : WindowVerdict::Satisfied;
}

} // namespace

bool isSame(const Traffic& one, const Traffic& other) {
  if (!one.action || !other.action)
    return one.action == other.action;
  return *one.action == *other.action;
}

bool applies(const plan::Plan& plan, std::uint32_t clause, std::uint32_t slice) {
  const auto& checks = plan.clauses[clause].checks;
  return std::any_of(checks.begin(), checks.end(), [&](std::uint32_t each) {
    const plan::Check& check = plan.checks[each];
    return check.onMixture || std::binary_search(check.slices.begin(), check.slices.end(), slice);
  });
}

Machine::Machine(const plan::Plan& plan, std::uint32_t slice, std::vector<std::uint32_t> rules,
                 std::vector<std::uint32_t> clauses, const std::vector<std::uint32_t>& uncounted)
    : plan_(plan), slice_(slice), rules_(std::move(rules)), clauses_(std::move(clauses)),
      longest_(clauses_.size()), satisfiedIn_(clauses_.size()) {
  for (std::uint32_t rule : rules_) {
    RuleNodes& out = machines_.emplace_back();
    out.when = add(plan.rules[rule].when);
    if (plan.rules[rule].until)
      out.until = add(*plan.rules[rule].until);
  }
  giveCells(uncounted);
}

std::size_t Machine::add(const Trigger& trigger) {
  std::size_t at = nodes_.size();
  nodes_.emplace_back();
  fill(at, trigger);
  return at;
}

void Machine::fill(std::size_t at, const Trigger& trigger) {
  std::size_t first = nodes_.size();
  nodes_.resize(first + trigger.parts.size());
  for (std::size_t i = 0; i < trigger.parts.size(); ++i)
    fill(first + i, trigger.parts[i]);
  Node& node = nodes_[at];
  node.kind = trigger.kind;
  node.windows = trigger.windows;
  node.first = first;
  node.count = trigger.parts.size();
  for (std::size_t i = 0; i < clauses_.size() && isState(node.kind); ++i)
    if ((trigger.clause ? *trigger.clause == clauses_[i]
                        : plan_.clauses[clauses_[i]].countsAsAny) &&
        applies(plan_, clauses_[i], slice_))
      node.asked.push_back(i);
}

void Machine::giveCells(const std::vector<std::uint32_t>& uncounted) {
  for (Node& node : nodes_) {
    if (!isState(node.kind))
      continue;
    if (node.kind != trigger_kind::satisfied)
      node.run = cells_++;
    else
      for (std::size_t clause : node.asked)
        longest_[clause] = std::max(longest_[clause], node.windows);
  }
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    if (std::count(uncounted.begin(), uncounted.end(), clauses_[i]) > 0)
      longest_[i] = 0;
    if (longest_[i] > 0)
      satisfiedIn_[i] = cells_++;
  }
  for (RuleNodes& rule : machines_) {
    rule.cell = cells_;
    cells_ += 2;
  }
}

/// Windows in a row that satisfied a clause. One that keeps its verdict is in none that is new.
void Machine::countSatisfied(Memory memory, std::span<const Standing> now) const {
  for (std::size_t i = 0; i < clauses_.size(); ++i) {
    if (longest_[i] == 0)
      continue;
    std::uint32_t& run = memory[satisfiedIn_[i]];
    if (now[i].verdict != WindowVerdict::Satisfied)
      run = 0;
    else if (!now[i].isKept)
      run = std::min(run + 1, longest_[i]);
  }
}

/// An undecided window neither adds to a run of violated ones nor ends it, and no more does one
/// that only keeps what it was.
void Machine::countRun(const Node& node, Memory memory, std::span<const Standing> now) const {
  const WindowVerdict wanted = wantedBy(node.kind);
  bool isNew = false, isSeen = false;
  for (std::size_t clause : node.asked) {
    isNew = isNew || (now[clause].verdict == wanted && !now[clause].isKept);
    isSeen =
        isSeen || now[clause].verdict == wanted || now[clause].verdict == WindowVerdict::Undecided;
  }
  std::uint32_t& run = memory[node.run];
  if (isNew)
    run = std::min(run + 1, node.windows);
  else if (!isSeen)
    run = 0;
}

/// As often in a row as a state has to hold: of any, each of the clauses by itself.
bool Machine::hasHeld(const Node& node, Known memory) const {
  if (node.kind != trigger_kind::satisfied)
    return memory[node.run] >= node.windows;
  return std::all_of(node.asked.begin(), node.asked.end(), [&](std::size_t clause) {
    return longest_[clause] == 0 || memory[satisfiedIn_[clause]] >= node.windows;
  });
}

/// Of any: violated or undecided as soon as one clause is, satisfied when all are.
bool Machine::isTrue(std::size_t at, Known memory, std::span<const Standing> now) const {
  const Node& node = nodes_[at];
  if (isState(node.kind)) {
    auto isWanted = [&](std::size_t clause) { return now[clause].verdict == wantedBy(node.kind); };
    bool holds =
        node.kind == trigger_kind::satisfied
            ? !node.asked.empty() && std::all_of(node.asked.begin(), node.asked.end(), isWanted)
            : std::any_of(node.asked.begin(), node.asked.end(), isWanted);
    return holds && hasHeld(node, memory);
  }
  if (node.kind == trigger_kind::negation)
    return !isTrue(node.first, memory, now);
  bool wantsAll = node.kind == trigger_kind::all;
  for (std::size_t i = 0; i < node.count; ++i)
    if (isTrue(node.first + i, memory, now) != wantsAll)
      return !wantsAll;
  return wantsAll;
}

void Machine::tick(Memory memory, std::span<const Standing> now,
                   std::vector<Transition>& changes) const {
  // A window in which a slice is asked for nothing is none to its rules.
  if (std::all_of(now.begin(), now.end(),
                  [](const Standing& each) { return each.verdict == WindowVerdict::Unasked; }) &&
      !now.empty())
    return;
  countSatisfied(memory, now);
  for (const Node& node : nodes_)
    if (node.kind == trigger_kind::violated || node.kind == trigger_kind::undecided)
      countRun(node, memory, now);
  for (std::size_t i = 0; i < rules_.size(); ++i)
    advance(i, memory, now, changes);
}

void Machine::advance(std::size_t place, Memory memory, std::span<const Standing> now,
                      std::vector<Transition>& changes) const {
  const RuleNodes& nodes = machines_[place];
  const plan::Rule& rule = plan_.rules[rules_[place]];
  std::uint32_t &active = memory[nodes.cell], &windows = memory[nodes.cell + 1];
  if (active == 0) {
    if (!isTrue(nodes.when, memory, now))
      return;
    active = 1;
    changes.push_back({rules_[place], Transition::What::Activated, 0});
    return;
  }
  if (nodes.until && isTrue(*nodes.until, memory, now)) {
    active = windows = 0;
    changes.push_back({rules_[place], Transition::What::Released, 0});
    return;
  }
  const plan::Step& current = rule.steps[active - 1];
  if (current.windows == 0 || active == rule.steps.size() || ++windows < current.windows)
    return;
  windows = 0;
  changes.push_back({rules_[place], Transition::What::Stepped, active++});
}

std::optional<std::uint32_t> Machine::step(Known memory, std::size_t place) const {
  std::uint32_t active = memory[machines_[place].cell];
  return active > 0 ? std::optional(active - 1) : std::nullopt;
}

Traffic Machine::decide(Known memory) const {
  Traffic out;
  for (std::size_t i = 0; i < rules_.size(); ++i)
    if (auto at = step(memory, i))
      for (const Action& action : plan_.rules[rules_[i]].steps[*at].actions)
        if (action.kind >= action_kind::correct && (!out.action || action.kind > out.action->kind))
          out = {&action, rules_[i]};
  return out;
}

} // namespace tikc::policy
