#include "lint/Actions.h"
#include "lint/Lint.h"
#include "lint/Reactions.h"

#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

/// Clauses on what is drawn from another kernel go on without the traffic of this one.
std::set<std::string_view> measuredWithoutTraffic(const Contract& contract) {
  std::set<std::string_view> out;
  for (const Clause& clause : contract.clauses)
    if (clause.drawn)
      out.insert(clause.id.text);
  return out;
}

/// Whether a rule starts for want of data alone, of clauses that no data come to without traffic.
bool startsForWantOfData(const Contract& contract, const Expr& when) {
  std::set<std::string_view> missing = causesOf(when, contract, Fate::Undecided);
  for (std::string_view clause : measuredWithoutTraffic(contract))
    missing.erase(clause);
  return !missing.empty() && canHoldWithoutData(when, {});
}

/// Whatever else is at fault in its rule.
void checkTarget(const LintInput& input, const Call& action) {
  if (action.id != CallId::Route || input.contract.chain.empty())
    return;
  const Expr& target = action.expr.arguments[0];
  if (target.text == input.contract.chain.back().text)
    input.sink.report<diag::RouteToItself>(target.span, ticked(target.text));
}

void checkRoute(const LintInput& input, const Rule& rule, const Call& action) {
  if (action.id != CallId::Route)
    return;
  bool isLasting = lastingRoute(rule) == &action && probeOf(action) == 0;
  if (isLasting && rule.when && !rule.until && startsForWantOfData(input.contract, *rule.when))
    input.sink.report<diag::RouteForNoData>(action.expr.span, ticked(rule.id.text))
        .relatedTo(rule.when->span, "this starts the rule when data are missing")
        .note(
            "with `probe=1%` and an `until` such as `satisfied(any)`, the rule ends once data come "
            "again");
  if (isLasting && rule.until &&
      !canHoldWithoutData(*rule.until, measuredWithoutTraffic(input.contract)))
    input.sink.report<diag::RouteWithoutProbe>(action.expr.span, ticked(rule.id.text))
        .relatedTo(rule.until->span,
                   "this needs data from the kernel, which no longer gets traffic")
        .unsafeFix("keep a probe of 1%",
                   {{{action.expr.span.file, action.expr.span.end - 1, action.expr.span.end},
                     ", probe=1%)"}});
}

/// A rule that is over as it begins acts in one window, whatever comes next.
void checkEnd(const LintInput& input, const Rule& rule) {
  if (rule.when && rule.until && print(*rule.when) == print(*rule.until))
    input.sink.report<diag::UntilIsWhen>(rule.until->span, ticked(rule.id.text))
        .relatedTo(rule.when->span, "the same condition");
}

/// A contract without a name has a fault of its own, and no place to say this at.
void checkAnyReaction(const LintInput& input) {
  const Contract& contract = input.contract;
  bool isJudged = std::any_of(contract.clauses.begin(), contract.clauses.end(),
                              [](const Clause& clause) { return !clause.directive; });
  if (isJudged && !isOfflineAlone(contract) && contract.name.span.valid())
    input.sink.report<diag::NoEscalation>(contract.name.span)
        .note("add rules, such as "
              "`escalation: { rest: { when: violated(any), do: alert(\"oncall\") } }`");
}

/// Slices by clause.
using Reactions = std::map<std::string_view, std::set<std::string_view>>;

/// The slices to which requests come, as far as weights say.
std::set<std::string_view> busySlices(const Contract& contract) {
  std::set<std::string_view> out;
  Rational rest(1);
  for (const Slice& slice : contract.slices) {
    if (!slice.weight || slice.weight->scaled() > 0)
      out.insert(slice.name.text);
    if (slice.weight)
      rest -= slice.weight->scaled();
  }
  if (rest > 0)
    out.insert("other");
  return out;
}

/// Where a clause asks something of requests by slice; nothing where it asks it of all together.
std::set<std::string_view> slicesOf(const Clause& clause, const std::set<std::string_view>& busy) {
  if (isCoherence(clause))
    return busy;
  std::set<std::string_view> out;
  for (const Bound& bound : clause.bounds) {
    if (bound.scope.kind == Scope::Kind::EachSlice)
      out.insert(busy.begin(), busy.end());
    for (const Name& name : bound.scope.slices)
      if (busy.contains(name.text))
        out.insert(name.text);
  }
  return out;
}

void addReactions(const Contract& contract, const Rule& rule,
                  const std::set<std::string_view>& busy, Reactions& out) {
  for (std::string_view clause : causesOf(*rule.when, contract, Fate::Violated)) {
    std::set<std::string_view>& slices = out[clause];
    if (rule.slices.empty())
      slices.insert(busy.begin(), busy.end());
    for (const Name& name : rule.slices)
      slices.insert(name.text);
  }
}

std::string listed(const std::set<std::string_view>& slices) {
  std::string out;
  for (std::string_view slice : slices)
    out += (out.empty() ? " on " : " and ") + ticked(slice);
  return out;
}

/// The last rule that hears `any` on all slices hears of a clause that is none of them, too.
void offerToHear(const LintInput& input, const Clause& clause, diag::Diagnostic& diagnostic) {
  diagnostic.note(
      "`any` does not include it: the clause is about the record, not about the kernels");
  const auto& rules = input.contract.rules;
  auto rest = std::find_if(rules.rbegin(), rules.rend(), [&](const Rule& rule) {
    return rule.when && rule.slices.empty() && rule.span.file == clause.span.file &&
           causesOf(*rule.when, input.contract, Fate::Violated).contains("any");
  });
  if (rest == rules.rend())
    return;
  const std::string state = fmt::format("violated({})", clause.id.text);
  diagnostic.unsafeFix(fmt::format("make {} react to {}", ticked(rest->id.text), ticked(state)),
                       {{rest->when->span.finish(), " or " + state}});
}

/// Directives are about the record: of those that sample a report tells.
void checkReactions(const LintInput& input, const Reactions& reactions,
                    const std::set<std::string_view>& busy) {
  for (const Clause& clause : input.contract.clauses) {
    if (clause.directive && !isCoherence(clause))
      continue;
    auto heard = reactions.find(clause.id.text);
    const auto met = heard == reactions.end() ? std::set<std::string_view>() : heard->second;
    std::set<std::string_view> left = slicesOf(clause, busy);
    std::erase_if(left, [&](std::string_view slice) { return met.contains(slice); });
    if (!met.empty() && left.empty())
      continue;
    auto& diagnostic = input.sink.report<diag::ClauseWithoutRule>(
        clause.id.span, ticked(clause.id.text), met.empty() ? "" : listed(left));
    if (isCoherence(clause) && met.empty())
      offerToHear(input, clause, diagnostic);
  }
}

} // namespace

void lintEscalation(const LintInput& input) {
  bool isNoDataMet = false;
  const std::set<std::string_view> busy = busySlices(input.contract);
  Reactions reactions;
  std::map<std::string, const Rule*> seen;
  for (const Rule& rule : input.contract.rules) {
    checkEnd(input, rule);
    // What could not be read may be what sets it apart.
    bool isKnown = !input.sink.hasErrorWithin(rule.span);
    auto [place, fresh] =
        isKnown ? seen.emplace(whatItSays(rule), &rule) : std::pair(seen.end(), true);
    if (!fresh)
      input.sink
          .report<diag::RuleTwice>(rule.id.span, ticked(rule.id.text),
                                   ticked(place->second->id.text))
          .relatedTo(place->second->id.span, "the other rule");
    if (rule.when) {
      addReactions(input.contract, rule, busy, reactions);
      isNoDataMet = isNoDataMet || !causesOf(*rule.when, input.contract, Fate::Undecided).empty();
    }
    forEachAction(rule, [&](const Call& action) { checkTarget(input, action); });
    if (isKnown)
      forEachAction(rule, [&](const Call& action) { checkRoute(input, rule, action); });
  }
  if (!input.escalationKnown)
    return;
  if (input.contract.rules.empty())
    return checkAnyReaction(input);
  checkReactions(input, reactions, busy);
  if (!isNoDataMet)
    input.sink.report<diag::NoRuleForNoData>(input.contract.rules.front().id.span);
}

} // namespace tikc::lint
