#include "policy/Succession.h"

#include "policy/Replay.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace tikc::policy {

using plan::Action;
using plan::Rule;
using plan::Trigger;

namespace {

constexpr std::uint32_t slice = 0; // the only one

/// Whether a trigger hears the same clauses in both plans.
class Hearing {
public:
  Hearing(const plan::Plan& was, const plan::Plan& is) : was_(was), is_(is) {
    for (std::uint32_t i = 0; i < was.clauses.size(); ++i)
      isSameAny_ = isSameAny_ && counts(was, i) == counts(is, i);
  }

  bool isSame(const Trigger& trigger) const {
    const bool isHeard = trigger.kind > trigger_kind::satisfied ||
                         (trigger.clause ? applies(was_, *trigger.clause, slice) ==
                                               applies(is_, *trigger.clause, slice)
                                         : isSameAny_);
    return isHeard && std::all_of(trigger.parts.begin(), trigger.parts.end(),
                                  [this](const Trigger& part) { return isSame(part); });
  }
  bool isSame(const Rule& was, const Rule& is) const {
    return was.when == is.when && was.until == is.until && was.steps == is.steps &&
           isSame(was.when) && (!was.until || isSame(*was.until));
  }

private:
  static bool counts(const plan::Plan& plan, std::uint32_t clause) {
    return plan.clauses[clause].countsAsAny && applies(plan, clause, slice);
  }

  const plan::Plan& was_;
  const plan::Plan& is_;
  bool isSameAny_ = true;
};

/// Of two that act on the traffic at once, the one that wins; where neither is stronger the first.
Traffic strongerOf(const Traffic& one, const Traffic& other) {
  if (!one.action || !other.action)
    return one.action ? one : other;
  if (one.action->kind != other.action->kind)
    return one.action->kind > other.action->kind ? one : other;
  return one.rule <= other.rule ? one : other;
}

ActiveRules activeOf(const Machine& machine, Machine::Known memory) {
  ActiveRules out;
  for (std::size_t i = 0; i < machine.rules().size(); ++i)
    if (auto step = machine.step(memory, i)) {
      out.rules.push_back(machine.rules()[i]);
      out.steps.push_back(*step);
    }
  return out;
}

/// A search of the rules that are others than they were. What the others do at the same time is
/// first taken to be whatever they can do; where less would be done then, all rules are asked on
/// that course, and those that kept it from being so are searched together with the rest.
class SuccessionSearch {
public:
  SuccessionSearch(const Succession& succession, Allowance& allowance)
      : of_(succession), allowance_(allowance),
        before_(succession.was, slice, allClauses(succession.was)),
        after_(succession.is, slice, allClauses(succession.is)),
        replayPrice_(before_.price() + after_.price()), outcomes_(succession.pairs.size()),
        isOfOld_(succession.was.rules.size()), isOfNew_(succession.is.rules.size()) {
    for (std::size_t i = 0; i < succession.pairs.size(); ++i) {
      if (succession.pairs[i].was)
        isOfOld_[*succession.pairs[i].was] = i;
      if (succession.pairs[i].is)
        isOfNew_[*succession.pairs[i].is] = i;
    }
    findChanged();
  }

  std::vector<RuleOutcome> take() {
    while (!searched_.empty()) {
      wanted_.clear();
      suspected_.clear();
      const bool isWhole = search(Stride::Tick);
      if (!isWhole)
        search(Stride::Change);
      settle(isWhole);
      if (!isWhole || wanted_.empty())
        break;
      searched_.insert(wanted_.begin(), wanted_.end());
    }
    return std::move(outcomes_);
  }

private:
  using Rules = std::vector<std::uint32_t>;
  using Member = std::optional<std::uint32_t> RulePair::*;
  /// What a rule that is not searched can do with the traffic.
  struct Aside {
    Traffic was, is;
    std::size_t pair = 0;
  };

  /// Also those that one of them alone is judged by.
  static Rules allClauses(const plan::Plan& plan) {
    Rules out(plan.clauses.size());
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }

  /// Rules that are others, or that come before such as they came after.
  void findChanged() {
    const Hearing hearing(of_.was, of_.is);
    std::vector<std::size_t> order(of_.pairs.size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::size_t i) { return !of_.pairs[i].was || !of_.pairs[i].is; });
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return *of_.pairs[a].is < *of_.pairs[b].is; });
    std::vector<bool> isLeft(of_.pairs.size());
    std::optional<std::uint32_t> last;
    for (std::size_t i : order) {
      const RulePair& pair = of_.pairs[i];
      if ((last && *pair.was < *last) ||
          !hearing.isSame(of_.was.rules[*pair.was], of_.is.rules[*pair.is]))
        continue;
      isLeft[i] = true;
      last = pair.was;
    }
    for (std::size_t i = 0; i < of_.pairs.size(); ++i)
      if (!isLeft[i]) {
        outcomes_[i].isChanged = true;
        searched_.insert(i);
      }
  }

  Rules searchedOf(Member side) const {
    Rules out;
    for (std::size_t pair : searched_)
      if (of_.pairs[pair].*side)
        out.push_back(*(of_.pairs[pair].*side));
    std::sort(out.begin(), out.end());
    return out;
  }

  /// The first, that nothing is done, and then one of each kind.
  std::vector<Aside> asides() const {
    std::vector<Aside> out(1);
    for (std::size_t i = 0; i < of_.pairs.size(); ++i) {
      if (searched_.contains(i))
        continue;
      for (const plan::Step& step : of_.is.rules[*of_.pairs[i].is].steps)
        for (const Action& action : step.actions)
          if (action.kind >= action_kind::correct)
            out.push_back({{&action, *of_.pairs[i].was}, {&action, *of_.pairs[i].is}, i});
    }
    return out;
  }

  /// From which action of the searched rules on the old policy leaves no traffic, whatever the
  /// others do: nothing goes before a rollback.
  action_kind starvingFrom() const {
    for (std::size_t i = 0; i < of_.pairs.size(); ++i)
      if (of_.pairs[i].was && !searched_.contains(i) &&
          canKeepTraffic(of_.was.rules[*of_.pairs[i].was]))
        return action_kind::rollback;
    return action_kind::route;
  }
  /// Where another rule's route would take it away.
  static bool canKeepTraffic(const Rule& rule) {
    return std::any_of(rule.steps.begin(), rule.steps.end(), [](const plan::Step& step) {
      return std::any_of(step.actions.begin(), step.actions.end(), [](const Action& action) {
        return action.kind >= action_kind::route && !isStarving(action);
      });
    });
  }

  /// Whether all has been seen.
  bool search(Stride stride) {
    const Rules old = searchedOf(&RulePair::was), fresh = searchedOf(&RulePair::is);
    const Cast cast = castOfBoth({of_.was, slice, old}, {of_.is, slice, fresh});
    const Machine before(of_.was, slice, old, cast.clauses, cast.uncounted);
    const Machine after(of_.is, slice, fresh, cast.clauses, cast.uncounted);
    const Environment environment(of_.was, cast, starvingFrom());
    const std::vector<Aside> asides = this->asides();
    seen_.clear();
    asked_.clear();
    Explorer explorer({&before, &after}, environment, allowance_, 0, stride);
    return explorer.run([&](const Turn& turn, Machine::Memory) {
      // What is done follows from the steps that rules are in.
      if (!turn.changes.empty())
        look(explorer, turn, activeOf(before, turn.after),
             activeOf(after, turn.after.subspan(before.cells())), asides);
      return Onward::Follow;
    }) == Explorer::Ending::Exhausted;
  }

  void look(const Explorer& explorer, const Turn& turn, const ActiveRules& before,
            const ActiveRules& after, const std::vector<Aside>& asides) {
    if (!seen_.insert({before.rules, before.steps, after.rules, after.steps}).second)
      return;
    const Parting alone = partingOf(of_.was, before, of_.is, after);
    consider(explorer, turn, alone, asides.front(), 0);
    const Traffic was = trafficOf(of_.was, before), is = trafficOf(of_.is, after);
    for (std::size_t i = 1; i < asides.size(); ++i) {
      Parting beside{strongerOf(was, asides[i].was), strongerOf(is, asides[i].is)};
      beside.order = orderOf(beside.was.action, beside.is.action);
      if (!(beside.order == 0))
        consider(explorer, turn, beside, asides[i], i);
    }
  }

  static std::optional<Departure> RuleOutcome::*outcomeOf(const Parting& parting) {
    return parting.order < 0   ? &RuleOutcome::loss
           : parting.order > 0 ? &RuleOutcome::gain
                               : &RuleOutcome::doubtful;
  }

  /// Whose change it is that something else is done.
  std::size_t pairOf(const Parting& parting) const {
    auto isChanged = [&](const Traffic& traffic, const std::vector<std::size_t>& pairs) {
      return traffic.action && outcomes_[pairs[traffic.rule]].isChanged;
    };
    if (isChanged(parting.is, isOfNew_) || !parting.was.action)
      return isOfNew_[parting.is.rule];
    return isChanged(parting.was, isOfOld_) || !parting.is.action ? isOfOld_[parting.was.rule]
                                                                  : isOfNew_[parting.is.rule];
  }

  void consider(const Explorer& explorer, const Turn& turn, const Parting& parting,
                const Aside& aside, std::size_t number) {
    if (parting.order == 0)
      return;
    const std::size_t pair = pairOf(parting);
    const auto outcome = outcomeOf(parting);
    const bool isGain = outcome == &RuleOutcome::gain;
    if (!asked_.insert({pair, number * 3 + (isGain                          ? 2
                                            : outcome == &RuleOutcome::loss ? 1
                                                                            : 0)})
             .second)
      return;
    const Course found = explorer.courseOf(turn);
    allowance_.spend(found.ticks * replayPrice_);
    Departure seen{before_.possible(found, 0), {}}; // what is not searched takes traffic away, too
    const TickState was = before_.run(seen.course).back(), is = after_.run(seen.course).back();
    seen.parting = partingOf(of_.was, {was.active, was.steps}, of_.is, {is.active, is.steps});
    const bool isSo = seen.parting.order != 0 && outcomeOf(seen.parting) == outcome;
    const std::size_t owner = isSo ? pairOf(seen.parting) : pair;
    if (isSo) {
      auto& place = outcomes_[owner].*outcome;
      if (!place || seen.course.ticks < place->course.ticks)
        place = std::move(seen);
    }
    if ((isGain && !outcomes_[pair].isChanged) || (isSo && owner == pair))
      return;
    suspect(pair, aside, number, was.active, is.active);
    if (!isSo)
      addStarver(found);
  }

  /// What others made otherwise, which are searched as well.
  void suspect(std::size_t pair, const Aside& aside, std::size_t number, const Rules& was,
               const Rules& is) {
    suspected_.insert(pair);
    if (number > 0)
      add(aside.pair);
    for (std::uint32_t rule : was)
      add(isOfOld_[rule]);
    for (std::uint32_t rule : is)
      add(isOfNew_[rule]);
  }
  /// Who kept a course from being so, if it is none of those that are active at its end.
  void addStarver(const Course& course) {
    if (auto starver = before_.impossibleFor(course))
      add(isOfOld_[*starver]);
    for (std::size_t i = 0; wanted_.empty() && i < of_.pairs.size(); ++i)
      add(i);
  }
  void add(std::size_t pair) {
    if (!searched_.contains(pair))
      wanted_.insert(pair);
  }

  /// A search that saw all has an answer for whom nothing is open.
  void settle(bool isWhole) {
    for (std::size_t pair : searched_)
      if (isWhole && !suspected_.contains(pair))
        settled_.insert(pair);
      else if (!isWhole)
        outcomes_[pair].isKnown = settled_.contains(pair) || !outcomes_[pair].isChanged;
  }

  const Succession& of_;
  Allowance& allowance_;
  Replay before_, after_;
  std::size_t replayPrice_; // of a tick
  std::vector<RuleOutcome> outcomes_;
  std::vector<std::size_t> isOfOld_, isOfNew_; // pairs by the rules of each
  std::set<std::size_t> searched_, settled_;   // pairs
  // Of one search.
  std::set<std::size_t> wanted_, suspected_;
  std::set<std::array<Rules, 4>> seen_;                 // what was active together
  std::set<std::pair<std::size_t, std::size_t>> asked_; // pairs, and what was asked of them
};

} // namespace

std::vector<RuleOutcome> outcomesOf(const Succession& succession, Allowance& allowance) {
  return SuccessionSearch(succession, allowance).take();
}

} // namespace tikc::policy
