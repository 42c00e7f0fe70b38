#include "changes/Hearing.h"

#include "logic/Magnitudes.h"
#include "logic/Order.h"
#include "model/Meaning.h"
#include "policy/Doing.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::changes {

using model::Bound;
using model::Clause;
using plan::Action;
using plan::Trigger;
using policy::Traffic;

namespace {

using Way = Shift::Way;
constexpr Way either{true, true};

bool isAny(const Way& way) { return way.isMore || way.isLess; }

Shift unlike(std::string_view how) { return {either, either, either, how}; }

void join(Way& to, const Way& more) {
  to.isMore = to.isMore || more.isMore;
  to.isLess = to.isLess || more.isLess;
}
void join(Shift& to, const Shift& more) {
  join(to.violated, more.violated);
  join(to.undecided, more.undecided);
  join(to.satisfied, more.satisfied);
  if (to.unlike.empty())
    to.unlike = more.unlike;
  to.isInParts = to.isInParts || more.isInParts;
}

constexpr Way more{true, false}, less{false, true};

/// Of the same data, as far as they decide both.
Shift shiftOfPromise(const Bound& old, const Bound& fresh) {
  const bool forth = logic::implies(fresh, old, logic::Stands::InClause);
  const bool back = logic::implies(old, fresh, logic::Stands::InClause);
  if (forth && back)
    return {};
  if (!forth && !back)
    return unlike("is about another metric");
  return forth ? Shift{more, {}, less, {}} : Shift{less, {}, more, {}};
}

/// The surer a verdict has to be the more often there is none. The figure itself is as sure as a
/// confidence of one half makes it.
Shift shiftOfConfidence(const Bound& old, const Bound& fresh) {
  if (logic::isSameAmount(old.confidence, fresh.confidence))
    return {};
  const Rational half(1, 2);
  auto valueOf = [&](const Bound& bound) {
    return bound.confidence ? bound.confidence->scaled() : half;
  };
  if (valueOf(old) < half || valueOf(fresh) < half)
    return unlike("is decided differently");
  return valueOf(old) < valueOf(fresh) ? Shift{less, more, less, {}} : Shift{more, less, more, {}};
}

/// Where each of the parts keeps a bound on means, the whole does: one that is violated is so in a
/// part. A bound on each value is violated in a part by what violates the whole of it.
Shift shiftOfRequests(const Bound& old, const Bound& fresh, const SameData& same) {
  using logic::Stands;
  const bool wasOfAll = old.scope.kind == model::Scope::Kind::All,
             isOfAll = fresh.scope.kind == model::Scope::Kind::All;
  const bool isWithin = isOfAll ? wasOfAll && same.isOfSameShares : wasOfAll || same.isWithin;
  const bool isAround = wasOfAll ? isOfAll && same.isOfSameShares : isOfAll || same.isAround;
  if (isWithin && isAround)
    return {};
  if (isAround && logic::bindsParts(old, Stands::InClause))
    return {more, {}, less, {}};
  if ((isWithin && logic::bindsWhole(old, Stands::InClause)) ||
      logic::bindsParts(old, Stands::InClause))
    return {more, {}, less, {}, true};
  return unlike("is judged on other requests");
}

Shift shiftOf(const Bound& old, const Bound& fresh, const SameData& same) {
  if (!logic::isSameAmount(old.over, fresh.over))
    return unlike("is judged over other windows");
  Shift out = shiftOfRequests(old, fresh, same);
  join(out, shiftOfPromise(old, fresh));
  join(out, shiftOfConfidence(old, fresh));
  return out;
}

/// One rule of a policy whose clauses are decided otherwise.
class Listener {
public:
  Listener(const RuleInput& heard, std::uint32_t rule)
      : heard_(heard), plan_(heard.plan), number_(rule), rule_(plan_.rules[rule]) {}

  std::string whyLess() const {
    if (std::string late = whyNot(rule_.when, true); !late.empty())
      return late + ": it may react later";
    if (std::string early = rule_.until ? whyNot(*rule_.until, false) : ""; !early.empty())
      return early + ": it may end sooner";
    std::string sooner = whyNot(rule_.when, false);
    if (sooner.empty() && rule_.until)
      sooner = whyNot(*rule_.until, true);
    if (sooner.empty())
      return {};
    std::string harm = whyMoreHarms();
    return harm.empty() ? harm : sooner + ": " + harm;
  }

private:
  /// "`b` is violated less often than it was", where that makes a trigger less often true, or more
  /// often; empty where nothing does.
  std::string whyNot(const Trigger& trigger, bool isLess) const {
    if (trigger.parts.empty())
      return whyNotState(trigger, isLess);
    for (const Trigger& part : trigger.parts)
      if (std::string reason = whyNot(part, isLess != (trigger.kind == trigger_kind::negation));
          !reason.empty())
        return reason;
    return {};
  }

  std::string whyNotState(const Trigger& state, bool isLess) const {
    for (std::uint32_t i = 0; i < plan_.clauses.size(); ++i) {
      const Shift& shift = heard_.shifts[i];
      if (shift.isNone() || (state.clause ? *state.clause != i : !plan_.clauses[i].countsAsAny))
        continue;
      const bool isViolated = state.kind == trigger_kind::violated;
      const Way& way = isViolated                              ? shift.violated
                       : state.kind == trigger_kind::satisfied ? shift.satisfied
                                                               : shift.undecided;
      std::string_view word = isViolated                              ? "violated"
                              : state.kind == trigger_kind::satisfied ? "satisfied"
                                                                      : "undecided";
      if (isLess ? way.isLess : way.isMore)
        return told(i, word, isLess);
      if (isLess && isViolated && state.windows > 1 && shift.isInParts)
        return fmt::format("{} is judged on parts of its old requests, and none of them may be "
                           "violated as often in a row",
                           utf8::ticked(plan_.clauses[i].id));
      // A satisfied window ends a row of violated ones, and an undecided one does not.
      const Way& breaker = shift.satisfied;
      if (isViolated && state.windows > 1 && (isLess ? breaker.isMore : breaker.isLess))
        return told(i, "satisfied", !isLess);
    }
    return {};
  }
  std::string told(std::uint32_t clause, std::string_view word, bool isLess) const {
    const std::string name = utf8::ticked(plan_.clauses[clause].id);
    const Shift& shift = heard_.shifts[clause];
    return shift.unlike.empty()
               ? fmt::format("{} is {} {} often than before", name, word, isLess ? "less" : "more")
               : fmt::format("{} {} than before", name, shift.unlike);
  }

  /// Why less may be done although the rule is active whenever it was.
  std::string whyMoreHarms() const {
    if (rule_.until && !excludes(rule_.when, *rule_.until))
      return "it starts sooner, and may end where it used to start";
    for (std::size_t i = 1; i < rule_.steps.size(); ++i)
      if (!doesNoLess(rule_.steps[i - 1], rule_.steps[i]))
        return "it sooner reaches a step that may do less";
    for (const plan::Step& step : rule_.steps)
      for (const Action& action : step.actions)
        if (std::string what = displacedBy(action); !what.empty())
          return what;
    return {};
  }

  /// Whether two triggers are never true at once.
  bool excludes(const Trigger& one, const Trigger& other) const {
    auto isOfAny = [](const Trigger& by, auto question) {
      return std::any_of(by.parts.begin(), by.parts.end(), question);
    };
    auto isOfEach = [](const Trigger& by, auto question) {
      return std::all_of(by.parts.begin(), by.parts.end(), question);
    };
    auto withOther = [&](const Trigger& part) { return excludes(part, other); };
    auto withOne = [&](const Trigger& part) { return excludes(one, part); };
    if (one.kind == trigger_kind::some)
      return isOfEach(one, withOther);
    if (other.kind == trigger_kind::some)
      return isOfEach(other, withOne);
    if (one.kind == trigger_kind::all)
      return isOfAny(one, withOther);
    if (other.kind == trigger_kind::all)
      return isOfAny(other, withOne);
    if (one.kind == trigger_kind::negation || other.kind == trigger_kind::negation)
      return one.kind == trigger_kind::negation ? isPartOf(one.parts.front(), other)
                                                : isPartOf(other.parts.front(), one);
    return areTwoThings(one, other) || areTwoThings(other, one);
  }
  /// Whether a state is so whenever it is for as many windows.
  static bool isPartOf(const Trigger& state, const Trigger& longer) {
    return state.parts.empty() && longer.parts.empty() && state.kind == longer.kind &&
           state.clause == longer.clause && state.windows <= longer.windows;
  }
  /// All are satisfied where `any` is; it is violated, or undecided, where one is.
  bool areTwoThings(const Trigger& one, const Trigger& other) const {
    if (one.kind == other.kind)
      return false;
    const bool isAll = !one.clause && one.kind == trigger_kind::satisfied;
    return isAll ? !other.clause || plan_.clauses[*other.clause].countsAsAny
                 : one.clause && one.clause == other.clause;
  }

  bool doesNoLess(const plan::Step& before, const plan::Step& after) const {
    plan::Plan steps;
    steps.rules.resize(1);
    steps.rules.front().steps = {before, after};
    return policy::partingOf(steps, {{0}, {0}}, steps, {{0}, {1}}).order >= 0;
  }

  std::string displacedBy(const Action& action) const {
    if (action.kind < action_kind::correct)
      return {};
    for (std::uint32_t i = 0; i < plan_.rules.size(); ++i) {
      const plan::Rule& other = plan_.rules[i];
      if (i == number_ ||
          !std::binary_search(other.slices.begin(), other.slices.end(), heard_.slice))
        continue;
      for (const plan::Step& step : other.steps)
        for (const Action& each : step.actions)
          if (displaces(action, each, i))
            return fmt::format("{} then takes precedence over {} of {}",
                               heard_.wordsOf({&action, number_}), heard_.wordsOf({&each, i}),
                               utf8::ticked(other.id));
    }
    return {};
  }
  /// An action that did more, or may have.
  bool displaces(const Action& action, const Action& other, std::uint32_t otherRule) const {
    const bool goesBefore =
        action.kind > other.kind || (action.kind == other.kind && number_ < otherRule);
    return other.kind >= action_kind::correct && goesBefore &&
           !(policy::orderOf(&other, &action) >= 0);
  }

  const RuleInput& heard_;
  const plan::Plan& plan_;
  std::uint32_t number_;
  const plan::Rule& rule_;
};

/// A range by its ends, and a size by its sides: the lower limits first, as verdicts know no order.
std::vector<Bound> endsOf(const Clause& clause) {
  std::vector<Bound> out;
  for (const Bound& bound : clause.bounds)
    for (Bound& end : logic::endsOf(bound, logic::Stands::InClause))
      out.push_back(std::move(end));
  std::stable_partition(out.begin(), out.end(),
                        [](const Bound& end) { return model::limitsBelow(end); });
  return out;
}

} // namespace

bool Shift::isNone() const { return !isAny(violated) && !isAny(undecided) && !isAny(satisfied); }

Shift shiftOf(const Clause& old, const Clause& fresh, const SameData& same) {
  if (!same.isOfSameKernels)
    return unlike("compares other kernels, or other kernels' draws,");
  if (old.directive || fresh.directive)
    return model::print(model::canonical(old.written)) ==
                   model::print(model::canonical(fresh.written))
               ? Shift()
               : unlike("says something else");
  const bool isInOtherForm = old.bounds.size() != fresh.bounds.size();
  const std::vector<Bound> before = isInOtherForm ? endsOf(old) : old.bounds,
                           after = isInOtherForm ? endsOf(fresh) : fresh.bounds;
  if (before.size() != after.size())
    return unlike("is about other metrics");
  Shift out;
  for (std::size_t i = 0; i < after.size(); ++i)
    join(out, shiftOf(before[i], after[i], same));
  return out;
}

std::string whyHeardOtherwise(const RuleInput& heard, std::uint32_t rule) {
  return Listener(heard, rule).whyLess();
}

} // namespace tikc::changes
