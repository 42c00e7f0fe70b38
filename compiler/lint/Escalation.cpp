#include "lint/Actions.h"
#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "support/Utf8.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void gatherClauses(const Expr& trigger, std::string_view state, std::set<std::string_view>& out) {
  bool names =
      trigger.kind == Expr::Kind::Call && trigger.text == state && !trigger.arguments.empty();
  if (names)
    out.insert(trigger.arguments[0].text);
  for (const Expr& part : trigger.arguments)
    gatherClauses(part, state, out);
}

const Expr* argument(const Expr& call, std::string_view keyword) {
  for (const Expr& candidate : call.arguments)
    if (candidate.keyword.text == keyword)
      return &candidate;
  return nullptr;
}

/// Whether a condition comes true of itself where nothing is measured any more.
bool holdsWithoutData(const Expr& trigger) {
  const auto& parts = trigger.arguments;
  switch (trigger.kind) {
  case Expr::Kind::And:
    return std::all_of(parts.begin(), parts.end(), holdsWithoutData);
  case Expr::Kind::Or:
    return std::any_of(parts.begin(), parts.end(), holdsWithoutData);
  case Expr::Kind::Not:
    return !holdsWithoutData(parts[0]);
  case Expr::Kind::For:
    return holdsWithoutData(parts[0]);
  default:
    return trigger.kind == Expr::Kind::Call && trigger.text == "undecided";
  }
}

void checkRoute(const LintInput& input, const Rule& rule, const Call& action) {
  if (action.id != CallId::Route)
    return;
  const Expr& target = action.expr.arguments[0];
  const std::string& server =
      input.contract.chain.empty() ? std::string() : input.contract.chain.back().text;
  if (target.text == server)
    input.sink.report<diag::RouteToItself>(target.span, ticked(target.text));
  if (rule.until && !holdsWithoutData(*rule.until) && !argument(action.expr, "probe"))
    input.sink.report<diag::RouteWithoutProbe>(action.expr.span, ticked(rule.id.text))
        .relatedTo(rule.until->span, "this needs data from the kernel that no longer gets any")
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
    input.sink.report<diag::NoEscalation>(contract.name.span);
}

} // namespace

void lintEscalation(const LintInput& input) {
  std::set<std::string_view> violated, undecided;
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
          .relatedTo(place->second->id.span, "the same rule");
    if (rule.when) {
      gatherClauses(*rule.when, "violated", violated);
      gatherClauses(*rule.when, "undecided", undecided);
    }
    forEachAction(rule, [&](const Call& action) { checkRoute(input, rule, action); });
  }
  if (!input.escalationKnown)
    return;
  if (input.contract.rules.empty())
    return checkAnyReaction(input);
  if (!violated.contains("any"))
    for (const Clause& clause : input.contract.clauses)
      if (!clause.directive && !violated.contains(clause.id.text))
        input.sink.report<diag::ClauseWithoutRule>(clause.id.span, ticked(clause.id.text));
  if (undecided.empty())
    input.sink.report<diag::NoRuleForNoData>(input.contract.rules.front().id.span);
}

} // namespace tikc::lint
