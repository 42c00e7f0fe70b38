#include "policy/Doing.h"

#include <algorithm>

namespace tikc::policy {

using plan::Action;

namespace {

/// The share of the traffic that the serving kernel keeps.
double servedUnder(const Action& action) {
  return action.kind == action_kind::rollback ? 0
         : action.kind == action_kind::route  ? action.first.value_or(0)
                                              : 1;
}

/// Told to the same people, or as much of the same observed.
bool doesAsMuch(const Action& one, const Action& other) {
  return one.kind == other.kind && one.text == other.text &&
         one.first.value_or(0) >= other.first.value_or(0);
}

template <typename Visit>
void forEachAction(const plan::Plan& plan, const ActiveRules& active, const Visit& visit) {
  for (std::size_t i = 0; i < active.rules.size(); ++i)
    for (const Action& action : plan.rules[active.rules[i]].steps[active.steps[i]].actions)
      visit(action, active.rules[i]);
}

/// What is told or observed in one of them, and not as much in the other.
Traffic lackedBy(const plan::Plan& other, const ActiveRules& there, const plan::Plan& plan,
                 const ActiveRules& here) {
  Traffic out;
  forEachAction(plan, here, [&](const Action& action, std::uint32_t rule) {
    bool isThere = action.kind >= action_kind::correct;
    forEachAction(other, there, [&](const Action& each, std::uint32_t) {
      isThere = isThere || doesAsMuch(each, action);
    });
    if (!isThere && !out.action)
      out = {&action, rule};
  });
  return out;
}

/// As much of the same as is told or observed.
Traffic counterpartOf(const Action& action, const plan::Plan& plan, const ActiveRules& active) {
  Traffic out;
  forEachAction(plan, active, [&](const Action& each, std::uint32_t rule) {
    const bool isLike = each.kind == action.kind && each.text == action.text;
    if (isLike && (!out.action || doesAsMuch(each, *out.action)))
      out = {&each, rule};
  });
  return out;
}

} // namespace

std::partial_ordering orderOf(const Action* was, const Action* is) {
  using Order = std::partial_ordering;
  if (was && is ? *was == *is : was == is)
    return Order::equivalent;
  if (!was || !is)
    return is ? Order::greater : Order::less;
  if (servedUnder(*is) > servedUnder(*was) || is->kind < was->kind)
    return Order::less;
  // Samples that are corrected come from the serving kernel all the same.
  const bool isCorrected = was->kind == action_kind::correct && is->kind != was->kind &&
                           is->kind <= action_kind::quarantine;
  const bool isSameRoute =
      was->kind == action_kind::route && is->kind == action_kind::route && is->text == was->text;
  return is->kind == action_kind::rollback || isCorrected || isSameRoute ? Order::greater
                                                                         : Order::unordered;
}

Traffic trafficOf(const plan::Plan& plan, const ActiveRules& active) {
  Traffic out;
  forEachAction(plan, active, [&](const Action& action, std::uint32_t rule) {
    if (action.kind >= action_kind::correct && (!out.action || action.kind > out.action->kind))
      out = {&action, rule};
  });
  return out;
}

Parting partingOf(const plan::Plan& was, const ActiveRules& before, const plan::Plan& is,
                  const ActiveRules& after) {
  Parting out{trafficOf(was, before), trafficOf(is, after)};
  out.order = orderOf(out.was.action, out.is.action);
  if (out.order == std::partial_ordering::less)
    return out;
  const Traffic lost = lackedBy(is, after, was, before);
  if (out.order == std::partial_ordering::equivalent) {
    const Traffic won = lackedBy(was, before, is, after);
    out.order = lost.action  ? std::partial_ordering::less
                : won.action ? std::partial_ordering::greater
                             : out.order;
    if (lost.action || won.action) {
      out.was = lost.action ? lost : counterpartOf(*won.action, was, before);
      out.is = lost.action ? counterpartOf(*lost.action, is, after) : won;
    }
  } else if (lost.action) {
    out.order = std::partial_ordering::unordered;
  }
  return out;
}

} // namespace tikc::policy
