#include "interpreter/Rules.h"

#include <algorithm>

namespace tikc::interpreter {

using plan::Trigger;

namespace {

Verdict wantedBy(Trigger::Kind kind) {
  return kind == Trigger::Kind::Violated    ? Verdict::Violated
         : kind == Trigger::Kind::Undecided ? Verdict::Undecided
                                            : Verdict::Satisfied;
}

} // namespace

template <typename Test>
bool Rules::isAny(const Trigger& state, std::size_t slice, std::size_t tick,
                  const Test& test) const {
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    if ((state.clause ? *state.clause == i : plan_.clauses[i].countsAsAny) &&
        interpreter_.applies(i, slice) && test(past_[slice][tick][i]))
      return true;
  return false;
}

/// Whether the last so many windows of a clause satisfied it: those evaluations that brought one.
bool Rules::satisfied(std::size_t clause, std::size_t slice, std::uint32_t windows) const {
  for (std::size_t tick = past_[slice].size(); tick-- > 0 && windows > 0;) {
    const Heard& then = past_[slice][tick][clause];
    if (then.verdict != Verdict::Satisfied)
      return false;
    windows -= then.isNew ? 1 : 0;
  }
  return windows == 0;
}

/// Whether a state holds now and did in as many windows as it has to.
bool Rules::lasts(const Trigger& state, std::size_t slice) const {
  Verdict wanted = wantedBy(state.kind);
  auto isWanted = [&](const Heard& of) { return of.verdict == wanted; };
  std::size_t tick = past_[slice].size() - 1;
  if (!isAny(state, slice, tick, isWanted))
    return false;
  if (wanted == Verdict::Satisfied) {
    for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
      if ((state.clause ? *state.clause == i : plan_.clauses[i].countsAsAny) &&
          interpreter_.applies(i, slice) && !satisfied(i, slice, state.windows))
        return false;
    return true;
  }
  // What is undecided, or known before, neither adds to violations nor ends them.
  std::uint32_t windows = 0;
  for (++tick; tick-- > 0 && windows < state.windows;) {
    if (isAny(state, slice, tick, [&](const Heard& of) { return isWanted(of) && of.isNew; }))
      ++windows;
    else if (!isAny(state, slice, tick, [&](const Heard& of) {
               return isWanted(of) || of.verdict == Verdict::Undecided;
             }))
      break;
  }
  return windows >= state.windows;
}

bool Rules::holds(const Trigger& trigger, std::size_t slice) const {
  auto partHolds = [&](const Trigger& part) { return holds(part, slice); };
  switch (trigger.kind) {
  case Trigger::Kind::Not:
    return !holds(trigger.parts.front(), slice);
  case Trigger::Kind::And:
    return std::all_of(trigger.parts.begin(), trigger.parts.end(), partHolds);
  case Trigger::Kind::Or:
    return std::any_of(trigger.parts.begin(), trigger.parts.end(), partHolds);
  default:
    break;
  }
  return lasts(trigger, slice);
}

void Rules::advance() {
  for (std::size_t slice = 0; slice < plan_.slices.size(); ++slice)
    if (interpreter_.isAsked(slice))
      advance(slice);
}

void Rules::advance(std::size_t slice) {
  auto& now = past_[slice].emplace_back();
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    now.push_back({interpreter_.verdict(i, slice), interpreter_.isNew(i, slice)});
  for (std::size_t i = 0; i < plan_.rules.size(); ++i) {
    const plan::Rule& rule = plan_.rules[i];
    if (std::find(rule.slices.begin(), rule.slices.end(), slice) == rule.slices.end())
      continue;
    auto& since = active_[i][slice].since;
    if (!since && holds(rule.when, slice))
      since = past_[slice].size();
    else if (since && rule.until && holds(*rule.until, slice))
      since.reset();
  }
}

std::optional<std::size_t> Rules::step(std::size_t rule, std::size_t slice) const {
  auto since = active_[rule][slice].since;
  if (!since)
    return std::nullopt;
  const auto& steps = plan_.rules[rule].steps;
  std::size_t lasted = past_[slice].size() - *since, out = 0;
  while (out + 1 < steps.size() && steps[out].windows > 0 && lasted >= steps[out].windows)
    lasted -= steps[out++].windows;
  return out;
}

std::optional<std::size_t> Rules::decides(std::size_t slice) const {
  using Kind = plan::Action::Kind;
  std::optional<std::size_t> out;
  std::optional<Kind> strongest;
  for (std::size_t i = 0; i < plan_.rules.size(); ++i)
    if (auto at = step(i, slice))
      for (const plan::Action& action : plan_.rules[i].steps[*at].actions)
        if (action.kind >= Kind::Correct && (!strongest || action.kind > *strongest)) {
          strongest = action.kind;
          out = i;
        }
  return out;
}

} // namespace tikc::interpreter
