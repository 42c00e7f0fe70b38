#include "changes/Policies.h"

#include "changes/Hearing.h"
#include "changes/Promises.h"
#include "checker/plan/Plan.h"
#include "fixture/Trial.h"
#include "lower/Lower.h"
#include "model/Meaning.h"
#include "policy/Environment.h"
#include "policy/Study.h"
#include "policy/Succession.h"
#include "support/Check.h"
#include "support/Efforts.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace tikc::changes {

using model::Contract;
using plan::Plan;
using policy::RuleOutcome;
using policy::RulePair;

namespace {

constexpr std::uint32_t noClause = ~0U;
/// Signals, and streams, of the plans that are compared.
constexpr std::uint32_t served = 0, drawnElsewhere = 1;

const std::string& renamedTo(const Successors& to, const std::string& name) {
  auto known = to.find(name);
  return known == to.end() ? name : known->second;
}

/// The clauses of two plans by one number each: those of the new one first, in its order.
class SharedClauses {
public:
  SharedClauses(const Plan& old, const Plan& fresh, const Successors& renamed) {
    std::map<std::string_view, std::uint32_t> byId;
    for (std::uint32_t i = 0; i < fresh.clauses.size(); ++i) {
      byId.emplace(fresh.clauses[i].id, i);
      rows_.push_back({noClause, i});
    }
    for (std::uint32_t i = 0; i < old.clauses.size(); ++i) {
      auto known = byId.find(renamedTo(renamed, old.clauses[i].id));
      ofOld_.push_back(known == byId.end() ? size() : known->second);
      if (known == byId.end())
        rows_.push_back({i, noClause});
      else
        rows_[known->second].old = i;
    }
  }

  struct Row {
    std::uint32_t old = noClause, fresh = noClause;
  };
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  const Row& at(std::uint32_t clause) const { return rows_[clause]; }
  std::uint32_t ofOld(std::uint32_t clause) const { return ofOld_[clause]; }

private:
  std::vector<Row> rows_;
  std::vector<std::uint32_t> ofOld_;
};

/// All that two editions do on the slices that share a request.
class PolicyComparison {
public:
  PolicyComparison(const Contract& old, const Contract& fresh, const Renamings& renamings,
                   const std::vector<PairedRules>& pairs, const Overlap& overlap)
      : was_(old), is_(fresh), renamings_(renamings), overlap_(overlap), pairs_(pairs),
        old_(lower::policyOf(old)), fresh_(lower::policyOf(fresh)),
        clauses_(old_, fresh_, renamings.clauses), allowance_{efforts.comparedTicks,
                                                              efforts.allComparedTicks},
        fates_(pairs.size()) {}

  std::vector<RuleFate> take() {
    const std::vector<std::uint32_t> before = kindsOf(old_), after = kindsOf(fresh_);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    std::set<std::array<std::uint32_t, 4>> heard;
    for (std::uint32_t i = 0; i < overlap_.oldCount(); ++i)
      for (std::uint32_t j = 0; j < overlap_.newCount(); ++j) {
        if (overlap_.meet(i, j) == Decided::No || old_.slices[i].isEmpty)
          continue;
        if (seen.emplace(before[i], after[j]).second)
          compare(i, j);
        if (heard
                .insert({before[i], after[j], overlap_.isNewWithin(j, i) ? 1U : 0U,
                         overlap_.isOldWithin(i, j) ? 1U : 0U})
                .second)
          hear(i, j);
      }
    return std::move(fates_);
  }

private:
  /// A number for each slice, the same for those on which all is judged and ruled alike.
  static std::vector<std::uint32_t> kindsOf(const Plan& plan) {
    std::map<std::string, std::uint32_t> known;
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < plan.slices.size(); ++i)
      out.push_back(known
                        .emplace((plan.slices[i].isEmpty ? "0" : "1") + policy::kindOf(plan, i),
                                 static_cast<std::uint32_t>(known.size()))
                        .first->second);
    return out;
  }

  static bool canKeep(const Plan& plan, std::uint32_t check) {
    return plan.windows[plan.checks[check].window].unit != window_unit::stage;
  }
  /// Of a clause that an edition may lack.
  static std::vector<bool> keepers(const Plan& plan, std::uint32_t clause) {
    std::vector<bool> out;
    if (clause != noClause)
      for (std::uint32_t check : plan.clauses[clause].checks)
        out.push_back(canKeep(plan, check));
    return out;
  }

  bool isJudged(const Plan& plan, std::uint32_t clause, std::uint32_t slice) const {
    return clause != noClause && !plan.slices[slice].isEmpty &&
           policy::applies(plan, clause, slice);
  }

  /// Whether it is known only of what the serving kernel is asked, as the old edition has it.
  bool needsTraffic(std::uint32_t clause, std::uint32_t slice, std::uint32_t next) const {
    const SharedClauses::Row& row = clauses_.at(clause);
    return isJudged(old_, row.old, slice) || !isJudged(fresh_, row.fresh, next)
               ? row.old == noClause || policy::needsTraffic(old_, row.old)
               : policy::needsTraffic(fresh_, row.fresh);
  }

  /// What can become of a clause from tick to tick is what can in either edition.
  void addClause(Plan& out, std::uint32_t clause, bool isJudgedHere, bool countsAsAny,
                 std::uint32_t signal) const {
    const SharedClauses::Row& row = clauses_.at(clause);
    std::vector<bool> keeps = keepers(old_, row.old), now = keepers(fresh_, row.fresh);
    keeps.resize(std::max({keeps.size(), now.size(), std::size_t{1}}));
    plan::Clause& added = out.clauses.emplace_back();
    added.id = row.fresh == noClause ? old_.clauses[row.old].id : fresh_.clauses[row.fresh].id;
    added.countsAsAny = countsAsAny;
    for (std::size_t i = 0; i < keeps.size(); ++i) {
      added.checks.push_back(static_cast<std::uint32_t>(out.checks.size()));
      plan::Check& check = out.checks.emplace_back();
      check.window = keeps[i] || (i < now.size() && now[i]) ? 1 : 0;
      check.signal = signal;
      if (isJudgedHere)
        check.slices = {0};
    }
  }

  static Plan emptyPlan(const plan::Slice& slice) {
    Plan out;
    out.windows = {{}, {window_unit::ticks, 2}};
    out.streams.resize(2);
    out.streams[drawnElsewhere].drawer = "another";
    out.signals.resize(2);
    out.signals[drawnElsewhere].stream = drawnElsewhere;
    out.slices = {slice};
    return out;
  }

  void addRule(Plan& out, const plan::Rule& rule, const plan::Slice& at,
               std::uint32_t slice) const {
    const auto& slices = rule.slices;
    plan::Rule& added = out.rules.emplace_back(rule);
    added.slices.clear();
    if (!at.isEmpty && std::binary_search(slices.begin(), slices.end(), slice))
      added.slices = {0};
  }

  /// What counts as `any` in the old edition alone is a clause that is gone, there or at all.
  Plan planOfOld(std::uint32_t slice, std::uint32_t next) const {
    Plan out = emptyPlan(old_.slices[slice]);
    for (std::uint32_t i = 0; i < clauses_.size(); ++i) {
      const SharedClauses::Row& row = clauses_.at(i);
      bool counts = isJudged(fresh_, row.fresh, next) && row.old != noClause &&
                    old_.clauses[row.old].countsAsAny;
      addClause(out, i, isJudged(old_, row.old, slice), counts,
                needsTraffic(i, slice, next) ? served : drawnElsewhere);
    }
    for (const plan::Rule& rule : old_.rules) {
      addRule(out, rule, old_.slices[slice], slice);
      renumber(out.rules.back());
    }
    return out;
  }

  Plan planOfNew(std::uint32_t slice) const {
    Plan out = emptyPlan(fresh_.slices[slice]);
    for (std::uint32_t i = 0; i < clauses_.size(); ++i) {
      const std::uint32_t clause = clauses_.at(i).fresh;
      addClause(out, i, isJudged(fresh_, clause, slice),
                clause != noClause && fresh_.clauses[clause].countsAsAny, served);
    }
    for (const plan::Rule& rule : fresh_.rules)
      addRule(out, rule, fresh_.slices[slice], slice);
    return out;
  }

  void renumber(plan::Trigger& trigger) const {
    if (trigger.clause)
      trigger.clause = clauses_.ofOld(*trigger.clause);
    for (plan::Trigger& part : trigger.parts)
      renumber(part);
  }
  void renumber(plan::Rule& rule) const {
    renumber(rule.when);
    if (rule.until)
      renumber(*rule.until);
    for (plan::Step& step : rule.steps)
      for (plan::Action& action : step.actions)
        if (action.kind == action_kind::route)
          action.text = renamedTo(renamings_.kernels, action.text);
  }

  void compare(std::uint32_t slice, std::uint32_t next) {
    const Plan old = planOfOld(slice, next), is = planOfNew(next);
    policy::Succession succession{old, is, {}};
    std::vector<std::size_t> places;
    auto acting = [](const Plan& plan, std::optional<std::size_t> rule) {
      return rule && !plan.rules[*rule].slices.empty()
                 ? std::optional(static_cast<std::uint32_t>(*rule))
                 : std::nullopt;
    };
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      RulePair pair{acting(old, pairs_[i].old), acting(is, pairs_[i].fresh)};
      if (!pair.was && !pair.is)
        continue;
      succession.pairs.push_back(pair);
      places.push_back(i);
    }
    const std::vector<RuleOutcome> outcomes = policy::outcomesOf(succession, allowance_);
    const PlanPair plans{old, is, {old, was_}, {is, is_}, !is_.slices.empty()};
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      add(fates_[places[i]], outcomes[i], plans);
  }

  /// What the clauses of the new edition say otherwise on a slice than their predecessors.
  std::vector<Shift> shiftsOf(std::uint32_t slice, std::uint32_t next) const {
    std::vector<Shift> out(fresh_.clauses.size());
    for (std::uint32_t i = 0; i < clauses_.size(); ++i) {
      const SharedClauses::Row& row = clauses_.at(i);
      if (!isJudged(old_, row.old, slice) || !isJudged(fresh_, row.fresh, next) ||
          renamings_.heardOf.contains(fresh_.clauses[row.fresh].id))
        continue;
      const model::Clause &old = clauseOf(was_, old_.clauses[row.old].id),
                          &is = clauseOf(is_, fresh_.clauses[row.fresh].id);
      out[row.fresh] =
          shiftOf(old, is,
                  {Implication::standpoint(was_, old) == Implication::standpoint(is_, is),
                   overlap_.hasSameShares(), overlap_.isNewWithin(next, slice),
                   overlap_.isOldWithin(slice, next)});
    }
    return out;
  }
  static const model::Clause& clauseOf(const Contract& contract, const std::string& id) {
    auto match = std::find_if(contract.clauses.begin(), contract.clauses.end(),
                              [&](const model::Clause& each) { return each.id.text == id; });
    TIKC_CHECK(match != contract.clauses.end(), "a clause of a plan is one of its contract");
    return *match;
  }

  void hear(std::uint32_t slice, std::uint32_t next) {
    const std::vector<Shift> shifts = shiftsOf(slice, next);
    if (was_.rules.empty() ||
        std::all_of(shifts.begin(), shifts.end(), [](const Shift& each) { return each.isNone(); }))
      return;
    const fixture::PolicyWords words(fresh_, is_);
    const RuleInput heard{fresh_, next, shifts,
                          [&](const policy::Traffic& traffic) { return words.of(traffic); }};
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (!pairs_[i].fresh || !fates_[i].otherVerdicts.empty())
        continue;
      const auto rule = static_cast<std::uint32_t>(*pairs_[i].fresh);
      const auto& slices = fresh_.rules[rule].slices;
      if (std::binary_search(slices.begin(), slices.end(), next))
        fates_[i].otherVerdicts = whyHeardOtherwise(heard, rule);
    }
  }

  /// Two plans of a slice each, and their words.
  struct PlanPair {
    const Plan& old;
    const Plan& fresh;
    fixture::PolicyWords before, after;
    bool hasSlices = false;

    static std::string deed(const Plan& plan, const fixture::PolicyWords& words,
                            const policy::Traffic& traffic) {
      return traffic.action ? fmt::format("{} of {}", words.of(traffic),
                                          utf8::ticked(plan.rules[traffic.rule].id))
                            : "nothing";
    }
    std::string text(const policy::Departure& departure) const {
      const std::string& slice = fresh.slices.front().name;
      return fmt::format(
          "{}after {}: {}, and now {}", hasSlices ? fmt::format("on {} ", utf8::ticked(slice)) : "",
          print(fresh, policy::Occurrence{0, departure.course}),
          deed(old, before, departure.parting.was), deed(fresh, after, departure.parting.is));
    }
  };

  static void add(RuleFate& fate, const RuleOutcome& outcome, const PlanPair& plans) {
    fate.isKnown = fate.isKnown && outcome.isKnown;
    auto take = [&](RuleFate::Difference& into, const std::optional<policy::Departure>& from) {
      if (from && (into.text.empty() || from->course.ticks < into.ticks))
        into = {plans.text(*from), from->course.ticks};
    };
    take(fate.loss, outcome.loss);
    take(fate.doubtful, outcome.doubtful);
    take(fate.gain, outcome.gain);
  }

  const Contract& was_;
  const Contract& is_;
  const Renamings& renamings_;
  const Overlap& overlap_;
  const std::vector<PairedRules>& pairs_;
  Plan old_, fresh_;
  SharedClauses clauses_;
  policy::Allowance allowance_;
  std::vector<RuleFate> fates_;
};

bool isTooLarge(const Contract& contract) {
  return (contract.clauses.size() + 1) * (contract.slices.size() + 1) * contract.rules.size() >
             efforts.policySize ||
         std::any_of(contract.rules.begin(), contract.rules.end(),
                     [](const model::Rule& rule) { return !rule.when; });
}

/// Whether rules that say the same hear the same.
bool hasSameClauses(const Contract& old, const Contract& fresh) {
  return std::equal(old.clauses.begin(), old.clauses.end(), fresh.clauses.begin(),
                    fresh.clauses.end(), [&](const model::Clause& a, const model::Clause& b) {
                      return a.id.text == b.id.text &&
                             model::print(model::canonical(a.written)) ==
                                 model::print(model::canonical(b.written)) &&
                             Implication::standpoint(old, a) == Implication::standpoint(fresh, b);
                    });
}

} // namespace

std::vector<RuleFate> fatesOf(const Contract& old, const Contract& fresh, const Overlap& overlap,
                              const Renamings& renamings, const std::vector<PairedRules>& pairs) {
  if (!isTooLarge(old) && !isTooLarge(fresh))
    return PolicyComparison(old, fresh, renamings, pairs, overlap).take();
  std::vector<RuleFate> out(pairs.size());
  const bool isHeardAlike = overlap.hasSameSlices() && hasSameClauses(old, fresh);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    out[i].isKnown = isHeardAlike && pairs[i].saySame;
  return out;
}

} // namespace tikc::changes
