#include "lint/Actions.h"
#include "lint/Lint.h"
#include "model/Laws.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

constexpr std::string_view directive = "coherent(logprobs, 99%)";

/// The kernel that draws, where what it logs is of another law.
const Kernel* drawsByAnother(const Contract& contract) {
  if (contract.chain.size() < 2)
    return nullptr;
  const Laws laws(contract);
  const std::size_t server = laws.server();
  auto kernel =
      std::find_if(contract.kernels.begin(), contract.kernels.end(), [&](const Kernel& each) {
        return each.name.text == contract.chain.back().text;
      });
  bool isOther =
      kernel != contract.kernels.end() && laws.kernels()[server].logsRaw && laws.logsDiffer(server);
  return isOther ? &*kernel : nullptr;
}

void checkClause(const LintInput& input, const Clause& clause) {
  const Expr& call = clause.directive->expr;
  for (const Expr& argument : call.arguments)
    if (argument.kind == Expr::Kind::Quantity && argument.quantity.scaled() < Rational(1, 2))
      input.sink.report<diag::ConfidenceTooLow>(argument.span,
                                                ticked(input.sources.text(argument.span)));
  if (const Kernel* drawer = drawsByAnother(input.contract))
    input.sink.report<diag::LogsOfAnotherLaw>(call.span, ticked(drawer->name.text))
        .relatedTo(drawer->logprobs->span, "softmax(z), before the temperature and the cuts")
        .note("make the engine log the law that it samples from, and declare it")
        .unsafeFix("write `logprobs: processed`", {{drawer->logprobs->span, "processed"}});
}

/// A clause of the ends whose figure is of tokens that the server drew, on which a fact rests.
const Clause* sampledClauseOf(const Contract& contract, const bounds::Derivation& facts,
                              bounds::FactId from) {
  std::vector<bounds::FactId> open{from};
  std::set<bounds::FactId> met;
  while (!open.empty()) {
    bounds::FactId id = open.back();
    open.pop_back();
    if (!met.insert(id).second)
      continue;
    const bounds::Fact& fact = facts[id];
    bool isSample = bounds::info(fact.key.quantity).kind == bounds::QuantityInfo::Kind::Sample;
    if (isSample && fact.origin && fact.origin->stated) {
      const Clause& clause = fact.origin->stated->clauseOf(contract);
      if (!clause.link && !clause.drawn)
        return &clause;
    }
    open.insert(open.end(), fact.premises.begin(), fact.premises.end());
    open.insert(open.end(), fact.under.begin(), fact.under.end());
  }
  return nullptr;
}

struct Resting {
  const Claim* claim;
  const Clause* on;
};

std::optional<Resting> restingOnSamples(const LintInput& input) {
  for (const bounds::Proof::Entry& entry : input.proof->entries) {
    const bounds::Decision& decision = entry.decision;
    if (decision.verdict != bounds::Verdict::Proved || !decision.fact)
      continue;
    const bounds::Derivation& facts = input.proof->factsOf(entry);
    if (const Clause* on = sampledClauseOf(input.contract, facts, *decision.fact))
      return Resting{&input.contract.claims[decision.goal.claim], on};
  }
  return std::nullopt;
}

/// A name that the contract does not have yet.
std::string_view freshName(const Contract& contract) {
  auto isTaken = [](std::string_view name) {
    return [name](const auto& each) { return each.id.text == name; };
  };
  for (std::string_view name : {"coherent", "coherence", "logs_coherent"})
    if (std::none_of(contract.clauses.begin(), contract.clauses.end(), isTaken(name)) &&
        std::none_of(contract.claims.begin(), contract.claims.end(), isTaken(name)) &&
        std::none_of(contract.rules.begin(), contract.rules.end(), isTaken(name)))
      return name;
  return {};
}

/// Below the directive that samples log-probs, or beside it where they share a line.
std::optional<diag::Edit> insertion(const LintInput& input) {
  const Contract& contract = input.contract;
  auto feed =
      std::find_if(contract.clauses.begin(), contract.clauses.end(), [](const Clause& each) {
        return each.directive && each.directive->id == CallId::Sample &&
               !each.directive->expr.arguments.empty() &&
               each.directive->expr.arguments[0].text == model::inputName(model::Input::Logprobs);
      });
  std::string_view name = freshName(contract);
  if (feed == contract.clauses.end() || name.empty() ||
      feed->span.file != contract.name.span.file) // one that it extends is not its own to change
    return std::nullopt;
  const Source& source = input.sources.get(feed->span.file);
  std::uint32_t line = source.lines.lineIndex(feed->span.begin);
  std::string_view text = source.lines.lineText(source.text, line);
  std::string_view before = text.substr(0, feed->span.begin - source.lines.lineStart(line));
  if (before.find_first_not_of(' ') != std::string_view::npos)
    return diag::Edit{feed->span.finish(), fmt::format(", {}: '{}'", name, directive)};
  Span below = feed->span.start();
  below.begin = below.end = source.lines.lineStart(line);
  return diag::Edit{below, fmt::format("{}{}: {}\n", before, name, directive)};
}

/// A stage passes on what was logged, and what a claim makes of it assumes whose law that is of.
void proposeClause(const LintInput& input) {
  const Contract& contract = input.contract;
  if (!input.proof || contract.stages.empty() || contract.draft || drawsByAnother(contract))
    return;
  auto resting = restingOnSamples(input);
  if (!resting)
    return;
  auto& diagnostic = input.sink.report<diag::CoherenceUnwatched>(resting->claim->id.span,
                                                                 ticked(resting->claim->id.text));
  diagnostic.relatedTo(resting->on->id.span, "measured on tokens that the server drew");
  if (auto edit = insertion(input))
    diagnostic.unsafeFix(fmt::format("add `{}`", directive), {std::move(*edit)});
}

} // namespace

void lintCoherence(const LintInput& input) {
  bool isAny = false;
  for (const Clause& clause : input.contract.clauses)
    if (isCoherence(clause)) {
      isAny = true;
      checkClause(input, clause);
    }
  if (!isAny && input.observabilityKnown)
    proposeClause(input);
}

} // namespace tikc::lint
