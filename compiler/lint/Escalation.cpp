#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "support/Utf8.h"

#include <set>
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

void checkRoute(const Input& input, const Rule& rule, const Call& action) {
  if (action.id != CallId::Route)
    return;
  const Expr& target = action.expr.arguments[0];
  const std::string& server =
      input.contract.chain.empty() ? std::string() : input.contract.chain.back().text;
  if (target.text == server)
    input.sink.report<diag::RouteToItself>(target.span, ticked(target.text));
  if (rule.until && !argument(action.expr, "probe"))
    input.sink.report<diag::RouteWithoutProbe>(action.expr.span, ticked(rule.id.text))
        .relatedTo(rule.until->span, "this needs data from the kernel that no longer gets any")
        .unsafeFix("keep a probe of 1%",
                   {{{action.expr.span.file, action.expr.span.end - 1, action.expr.span.end},
                     ", probe=1%)"}});
}

void forEachAction(const Rule& rule, auto visit) {
  for (const Call& action : rule.actions)
    visit(action);
  for (const Step& step : rule.steps)
    for (const Call& action : step.actions)
      visit(action);
}

} // namespace

void lintEscalation(const Input& input) {
  std::set<std::string_view> violated, undecided;
  for (const Rule& rule : input.contract.rules) {
    if (rule.when) {
      gatherClauses(*rule.when, "violated", violated);
      gatherClauses(*rule.when, "undecided", undecided);
    }
    forEachAction(rule, [&](const Call& action) { checkRoute(input, rule, action); });
  }
  if (!input.escalationKnown)
    return;
  if (!violated.contains("any"))
    for (const Clause& clause : input.contract.clauses)
      if (!clause.directive && !violated.contains(clause.id.text))
        input.sink.report<diag::ClauseWithoutRule>(clause.id.span, ticked(clause.id.text));
  if (!input.contract.rules.empty() && undecided.empty())
    input.sink.report<diag::NoRuleForNoData>(input.contract.rules.front().id.span);
}

} // namespace tikc::lint
