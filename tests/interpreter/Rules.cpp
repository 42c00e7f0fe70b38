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

/// Whether a clause that counts as any has a verdict.
bool Rules::isAny(Verdict wanted, std::size_t slice, std::size_t tick) const {
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    if (plan_.clauses[i].countsAsAny && interpreter_.applies(i, slice) &&
        past_[slice][tick][i] == wanted)
      return true;
  return false;
}

bool Rules::holdsAt(const Trigger& state, std::size_t slice, std::size_t tick) const {
  Verdict wanted = wantedBy(state.kind);
  if (state.clause)
    return interpreter_.applies(*state.clause, slice) &&
           past_[slice][tick][*state.clause] == wanted;
  bool isThere = isAny(wanted, slice, tick);
  return wanted != Verdict::Satisfied ? isThere
                                      : isThere && !isAny(Verdict::Violated, slice, tick) &&
                                            !isAny(Verdict::Undecided, slice, tick);
}

bool Rules::isUndecided(const Trigger& state, std::size_t slice, std::size_t tick) const {
  return state.clause ? past_[slice][tick][*state.clause] == Verdict::Undecided
                      : isAny(Verdict::Undecided, slice, tick);
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
  // It holds now and did in the last windows; undecided ones neither add to violations nor end
  // them.
  if (!holdsAt(trigger, slice, past_[slice].size() - 1))
    return false;
  std::uint32_t windows = 0;
  for (std::size_t tick = past_[slice].size(); tick-- > 0 && windows < trigger.windows;) {
    if (holdsAt(trigger, slice, tick))
      ++windows;
    else if (trigger.kind != Trigger::Kind::Violated || !isUndecided(trigger, slice, tick))
      break;
  }
  return windows >= trigger.windows;
}

void Rules::advance() {
  for (std::size_t slice = 0; slice < plan_.slices.size(); ++slice)
    if (interpreter_.isAsked(slice))
      advance(slice);
}

void Rules::advance(std::size_t slice) {
  auto& now = past_[slice].emplace_back();
  for (std::size_t i = 0; i < plan_.clauses.size(); ++i)
    now.push_back(interpreter_.verdict(i, slice));
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
