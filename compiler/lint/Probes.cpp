#include "lint/Actions.h"
#include "lint/Lint.h"
#include "lint/Needs.h"
#include "lint/Volumes.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

/// Whether the share of traffic that a route leaves is enough for its rule to end.
namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

/// Clauses that have to be satisfied; `any` with those that nobody names.
void gatherSatisfied(const Expr& condition, std::set<std::string_view>& out) {
  const bool isState = condition.kind == Expr::Kind::Call && !condition.arguments.empty();
  if (isState && condition.text == "satisfied")
    out.insert(condition.arguments[0].text);
  // Of several that would do one may be quick, and what is not so needs no data.
  const bool isPassed = condition.kind == Expr::Kind::And || condition.kind == Expr::Kind::For;
  for (std::size_t i = 0; isPassed && i < condition.arguments.size(); ++i)
    gatherSatisfied(condition.arguments[i], out);
}

bool lastsSomeTime(const Amount& window) { return window.dimension() == Dimension::Time; }

/// What one window brings of all requests, at the stage that has the most of them; nothing where
/// windows do not last, which are full some time.
std::optional<Rational> servedIn(const Contract& contract, const Bound& bound,
                                 const std::optional<Amount>& load) {
  const auto& over = bound.over;
  const bool isOfStage = !over || over->dimension() == Dimension::Windows;
  if (!load || (!isOfStage && !lastsSomeTime(*over)))
    return std::nullopt;
  if (!isOfStage && contract.stages.empty())
    return Rational(load->scaled() * over->scaled());
  std::optional<Rational> most;
  for (const Stage& stage : contract.stages) {
    const std::optional<Amount>& window = isOfStage ? stage.window : over;
    if (stage.kind == StageKind::Offline)
      continue;
    if (!window || !stage.traffic || !lastsSomeTime(*window))
      return std::nullopt;
    Rational served = load->scaled() * window->scaled() * stage.traffic->scaled();
    if (isOfStage && over)
      served *= over->scaled();
    most = most ? std::max(*most, served) : served;
  }
  return most;
}

class ProbeCheck {
public:
  ProbeCheck(const LintInput& input, const Rule& rule, const Call& route)
      : input_(input), rule_(rule), probe_(*probeArgument(route)) {}

  void run() {
    std::set<std::string_view> asked;
    gatherSatisfied(*rule_.until, asked);
    for (const Clause& clause : input_.contract.clauses) {
      const bool isAsked =
          asked.contains(clause.id.text) || (asked.contains("any") && !clause.directive);
      for (const Bound& bound : clause.bounds)
        if (isAsked && !clause.drawn && check(clause, bound))
          return;
    }
  }

private:
  bool check(const Clause& clause, const Bound& bound) {
    const Contract& contract = input_.contract;
    const model::Level level = model::levelOf(bound.measure);
    auto need = needs_.of(bound);
    auto feed = feedSourceOf(contract, model::info(bound.measure.metric).input);
    auto served = servedIn(contract, bound, loadOf(contract.load, level));
    if (!need || !feed || !served)
      return false;
    const auto parts = partsOf(contract, bound.scope, level);
    const Rational whole = *served * feed->share * leastOf(parts).share;
    const Rational gets = whole * probe_.quantity.scaled();
    // What all traffic is too little for is told of the clause.
    if (gets <= 0 || gets >= need->count || whole < need->count)
      return false;
    auto& diagnostic = input_.sink.report<diag::ProbeTooSmall>(
        probe_.span, ticked(rule_.id.text), ticked(clause.id.text),
        fmt::format("{} {}s per window", grouped(roundedDown(gets)), model::levelName(level)),
        grouped(need->count.get_num()));
    diagnostic.relatedTo(bound.span, "this clause must be satisfied").note(reasonOf(*need, bound));
    offer(diagnostic, need->count / whole);
    return true;
  }

  /// In whole percents, which nobody has to read twice.
  void offer(diag::Diagnostic& diagnostic, const Rational& share) const {
    const mpz_class percents = -roundedDown(-share * 100);
    if (percents <= 100)
      diagnostic.unsafeFix(fmt::format("keep a probe of {}%", percents.get_str()),
                           {{probe_.span, fmt::format("{}%", percents.get_str())}});
  }

  const LintInput& input_;
  const Rule& rule_;
  const Expr& probe_;
  Needs needs_;
};

void checkSize(const LintInput& input, const Rule& rule, const Call& action) {
  const Expr* probe = action.id == CallId::Route ? probeArgument(action) : nullptr;
  if (probe && !input.sink.hasErrorWithin(rule.span) && probe->quantity.scaled() > Rational(1, 2))
    input.sink.report<diag::ProbeTooLarge>(probe->span, ticked(rule.id.text),
                                           ticked(input.sources.text(probe->quantity.span)));
}

} // namespace

void lintProbes(const LintInput& input) {
  for (const Rule& rule : input.contract.rules)
    forEachAction(rule, [&](const Call& action) { checkSize(input, rule, action); });
  if (!input.observabilityKnown || isOfflineAlone(input.contract))
    return;
  for (const Rule& rule : input.contract.rules) {
    const Call* route = lastingRoute(rule);
    if (route && rule.until && probeArgument(*route) && !input.sink.hasErrorWithin(rule.span))
      ProbeCheck(input, rule, *route).run();
  }
}

} // namespace tikc::lint
