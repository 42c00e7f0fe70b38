#include "bounds/prove/Wording.h"
#include "lint/Lint.h"
#include "logic/Order.h"
#include "support/Utf8.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

/// Clauses and claims that say nothing which others do not.
namespace tikc::lint {

using namespace model;
using bounds::Proof;
using utf8::ticked;

namespace {

/// What is kept whatever is observed follows from nothing, and is told where it is typed.
bool isVacuous(const Bound& bound) { return logic::isVacuous(bound, logic::Stands::InClause); }

/// What no value can break is reported where it is typed.
bool isVacuousClaim(const Claim& claim) {
  return std::all_of(claim.bounds.begin(), claim.bounds.end(), [](const Bound& bound) {
    return logic::isVacuous(bound, logic::Stands::InClaim);
  });
}

/// What a clause is there for may be how it is looked at.
bool isLookedAt(const Bound& bound) { return bound.confidence || bound.over; }

diag::Diagnostic& reportImplied(const LintInput& input, const bounds::ImpliedBound& implied) {
  const Bound& bound = implied.stated.boundOf(input.contract);
  std::string follows =
      fmt::format("<= {}", bounds::decimal(implied.follows, 4, bounds::Rounding::Up));
  auto& diagnostic = input.sink.report<diag::ClauseImplied>(
      bound.span, ticked(implied.stated.clauseOf(input.contract).id.text), follows);
  for (const bounds::ClauseBound& from : implied.from)
    diagnostic.relatedTo(from.boundOf(input.contract).span, "it follows from this clause");
  return diagnostic;
}

constexpr std::size_t mostTold = 20;

void checkImplied(const LintInput& input, const std::vector<bounds::ImpliedBound>& all) {
  std::vector<const bounds::ImpliedBound*> untold;
  for (const bounds::ImpliedBound& implied : all)
    if (const Bound& bound = implied.stated.boundOf(input.contract);
        !isLookedAt(bound) && !isVacuous(bound))
      untold.push_back(&implied);
  for (std::size_t i = 0; i < std::min(untold.size(), mostTold); ++i) {
    auto& diagnostic = reportImplied(input, *untold[i]);
    if (i + 1 == mostTold && untold.size() > mostTold)
      diagnostic.note(fmt::format("more clauses follow from others: {}", untold.size() - mostTold));
  }
}

/// Whom a clause is about: the same two kernels, and who drew.
std::string whomItIsAbout(const Clause& clause) {
  std::string out = clause.link ? clause.link->from.text + " " + clause.link->to.text : "";
  return out + (clause.drawn ? " drawn " + clause.drawn->text : "");
}

/// The same text for amounts that are the same, however they are written.
std::string valueOf(const Amount& amount) {
  logic::Magnitude magnitude = logic::magnitudeOf(amount);
  return fmt::format("{} {} {}", magnitude.value.get_str(), magnitude.isBits,
                     static_cast<int>(amount.dimension()));
}

/// A text for what a comparison asks, and of whom: two that share it ask the same.
std::string whatItAsks(const Clause& clause, const Bound& bound, const Bound& alike) {
  const Measure& measure = alike.measure;
  std::string out = fmt::format("{} {} {} {} {}", static_cast<int>(measure.aggregate),
                                measure.level.get_str(), static_cast<int>(measure.metric),
                                measure.absolute, static_cast<int>(alike.comparator));
  for (const Rational& parameter : measure.parameters)
    out += " " + parameter.get_str();
  if (measure.threshold)
    out += fmt::format(" {} {}", symbol(measure.threshold->comparator),
                       valueOf(measure.threshold->bound));
  out += " " + valueOf(alike.limit);
  for (const auto* amount : {&alike.upper, &alike.over, &alike.confidence})
    out += *amount ? " " + valueOf(**amount) : " -";
  out += fmt::format(" {}", static_cast<int>(bound.scope.kind));
  std::set<std::string_view> slices;
  for (const Name& slice : bound.scope.slices)
    slices.insert(slice.text);
  return fmt::format("{} {} of {}", out, fmt::join(slices, " "), whomItIsAbout(clause));
}

struct StatedBound {
  const Clause* clause;
  const Bound* bound;
  MetricId figure;  // in the one spelling
  std::string text; // what it asks
};

std::vector<StatedBound> statedBounds(const LintInput& input) {
  std::vector<StatedBound> out;
  for (const Clause& clause : input.contract.clauses)
    if (!input.sink.hasErrorWithin(clause.span))
      for (const Bound& bound : clause.bounds) {
        const Bound alike = logic::inOneSpelling(bound, logic::Stands::InClause);
        out.push_back({&clause, &bound, alike.measure.metric, whatItAsks(clause, bound, alike)});
      }
  return out;
}

void checkTwice(const LintInput& input, const std::vector<StatedBound>& all) {
  std::map<std::string_view, const Clause*> seen;
  for (const StatedBound& stated : all) {
    auto [place, isNew] = seen.emplace(stated.text, stated.clause);
    if (!isNew && place->second != stated.clause)
      input.sink
          .report<diag::ClauseTwice>(stated.bound->span, ticked(stated.clause->id.text),
                                     ticked(place->second->id.text))
          .relatedTo(place->second->id.span, "the same requirement");
  }
}

// What follows with no lemma: of the same figure.

/// Whether one is asked wherever the other is, and looked at in the same way.
bool isAskedThere(const Bound& bound, const Bound& other) {
  if (!logic::isSameAmount(bound.over, other.over) ||
      !logic::isSameAmount(bound.confidence, other.confidence))
    return false;
  if (bound.scope.kind != other.scope.kind)
    return bound.scope.kind == Scope::Kind::EachSlice && !other.scope.slices.empty();
  return std::all_of(other.scope.slices.begin(), other.scope.slices.end(), [&](const Name& slice) {
    return std::any_of(bound.scope.slices.begin(), bound.scope.slices.end(),
                       [&](const Name& each) { return each.text == slice.text; });
  });
}

/// Clauses by figure and by whom they are about; those of one comparison, which can be spared.
std::map<std::string, std::vector<const StatedBound*>>
askedByFigure(const std::vector<StatedBound>& all) {
  std::map<std::string, std::vector<const StatedBound*>> out;
  for (const StatedBound& stated : all)
    if (stated.clause->bounds.size() == 1)
      out[fmt::format("{} {}", static_cast<int>(stated.figure), whomItIsAbout(*stated.clause))]
          .push_back(&stated);
  return out;
}

/// Whether one follows from another; of two that follow from one another the later does.
bool followsFrom(const StatedBound& weak, const StatedBound& strong) {
  using logic::Stands;
  return logic::implies(*strong.bound, *weak.bound, Stands::InClause) &&
         (strong.clause < weak.clause || !isAskedThere(*weak.bound, *strong.bound) ||
          !logic::implies(*weak.bound, *strong.bound, Stands::InClause));
}

/// What is told already, here or as the same or as what a lemma leads to, is no news.
void checkFollowing(const LintInput& input, const std::vector<StatedBound>& stated,
                    const std::set<const Bound*>& told) {
  constexpr std::size_t mostPairs = 2000;
  std::size_t pairs = 0, found = 0;
  for (const auto& [figure, all] : askedByFigure(stated))
    for (const StatedBound* weak : all) {
      if (told.contains(weak->bound) || isVacuous(*weak->bound))
        continue;
      for (const StatedBound* strong : all) {
        if (weak->text == strong->text || !isAskedThere(*strong->bound, *weak->bound))
          continue;
        if (++pairs > mostPairs || found == mostTold)
          return;
        if (!followsFrom(*weak, *strong))
          continue;
        input.sink
            .report<diag::ClauseImplied>(weak->bound->span, ticked(weak->clause->id.text),
                                         ticked(input.sources.text(strong->bound->span)))
            .relatedTo(strong->bound->span, "it follows from this clause");
        ++found;
        break;
      }
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
    if (const Claim& stated = input.contract.claims[claim]; !does && !isVacuousClaim(stated))
      input.sink.report<diag::ClaimOfNoClause>(stated.id.span, ticked(stated.id.text));
}

} // namespace

void lintRedundancy(const LintInput& input) {
  const std::vector<StatedBound> stated = statedBounds(input);
  checkTwice(input, stated);
  if (!input.proof)
    return;
  checkImplied(input, input.proof->implied);
  std::set<const Bound*> told;
  for (const bounds::ImpliedBound& implied : input.proof->implied)
    told.insert(&implied.stated.boundOf(input.contract));
  checkFollowing(input, stated, told);
  checkClaims(input, *input.proof);
}

} // namespace tikc::lint
