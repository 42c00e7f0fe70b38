#include "bounds/prove/Wording.h"
#include "lint/Lint.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

/// Clauses and claims that say nothing which others do not.
namespace tikc::lint {

using namespace model;
using bounds::Proof;
using utf8::ticked;

namespace {

/// What a clause is there for may be how it is looked at.
bool isLookedAt(const Bound& bound) { return bound.confidence || bound.over; }

diag::Diagnostic& reportImplied(const LintInput& input, const bounds::Implied& implied) {
  const Bound& bound = implied.stated.boundOf(input.contract);
  std::string follows = bounds::decimal(implied.follows, 4, bounds::Rounding::Up);
  auto& found = input.sink.report<diag::ClauseImplied>(
      bound.span, ticked(implied.stated.clauseOf(input.contract).id.text), follows);
  for (const bounds::ClauseBound& from : implied.from)
    found.relatedTo(from.boundOf(input.contract).span, "it follows from this");
  return found;
}

void checkImplied(const LintInput& input, const std::vector<bounds::Implied>& all) {
  constexpr std::size_t mostTold = 20;
  std::vector<const bounds::Implied*> untold;
  for (const bounds::Implied& implied : all)
    if (!isLookedAt(implied.stated.boundOf(input.contract)))
      untold.push_back(&implied);
  for (std::size_t i = 0; i < std::min(untold.size(), mostTold); ++i) {
    auto& found = reportImplied(input, *untold[i]);
    if (i + 1 == mostTold && untold.size() > mostTold)
      found.note(fmt::format("{} more clauses follow from others", untold.size() - mostTold));
  }
}

/// A text for what a comparison asks, and of whom: two that share it ask the same.
std::string whatItAsks(const Clause& clause, const Bound& bound, const SourceManager& sources) {
  std::string out =
      fmt::format("{} {}", sources.text(bound.measure.span), symbol(bound.comparator));
  auto add = [&](const std::optional<Amount>& amount) {
    out += amount ? " " + print(*amount) : " -";
  };
  add(bound.limit);
  add(bound.upper);
  add(bound.over);
  add(bound.confidence);
  out += fmt::format(" {}", static_cast<int>(bound.scope.kind));
  for (const Name& slice : bound.scope.slices)
    out += " " + slice.text;
  if (clause.link)
    out += " of " + clause.link->from.text + " " + clause.link->to.text;
  return clause.drawn ? out + " drawn " + clause.drawn->text : out;
}

void checkTwice(const LintInput& input) {
  std::map<std::string, const Clause*> seen;
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      if (input.sink.hasErrorWithin(clause.span))
        continue;
      auto [place, isNew] = seen.emplace(whatItAsks(clause, bound, input.sources), &clause);
      if (!isNew && place->second != &clause)
        input.sink
            .report<diag::ClauseTwice>(bound.span, ticked(clause.id.text),
                                       ticked(place->second->id.text))
            .relatedTo(place->second->id.span, "the same requirement");
    }
}

/// Claims that hold on every slice whatever is measured.
void checkClaims(const LintInput& input, const Proof& proof) {
  std::map<std::size_t, bool> rests; // by claim
  for (std::size_t i = 0; i < proof.entries.size(); ++i) {
    bool& known = rests[proof.entries[i].decision.goal.claim];
    known = known || !std::binary_search(proof.unconditional.begin(), proof.unconditional.end(), i);
  }
  for (const auto& [claim, does] : rests)
    if (!does)
      input.sink.report<diag::ClaimOfNoClause>(input.contract.claims[claim].id.span,
                                               ticked(input.contract.claims[claim].id.text));
}

} // namespace

void lintRedundancy(const LintInput& input) {
  checkTwice(input);
  if (!input.proof)
    return;
  checkImplied(input, input.proof->implied);
  checkClaims(input, *input.proof);
}

} // namespace tikc::lint
