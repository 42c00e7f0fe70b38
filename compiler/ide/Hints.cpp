#include "ide/Hints.h"

#include "ide/Grounds.h"
#include "lint/Needs.h"
#include "model/Metrics.h"
#include "yaml/NodePath.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {
namespace {

class Hints {
public:
  Hints(const Analysis& analysis, TextRange range) : analysis_(analysis), range_(range) {}

  std::vector<Hint> take() {
    for (const ProvenContract& proven : provenOf(analysis_))
      add(proven);
    return std::move(out_);
  }

private:
  bool isAsked(const Span& span) const {
    return span.file == analysis_.file && span.begin <= range_.end && range_.begin <= span.end;
  }

  void add(const ProvenContract& proven) {
    const model::Contract& contract = *proven.contract;
    std::optional<Grounds> grounds; // only where a clause is in sight
    for (const model::Clause& clause : contract.clauses)
      for (const model::Bound& bound : clause.bounds) {
        if (!isAsked(bound.span))
          continue;
        if (proven.proof && !grounds)
          grounds.emplace(*proven.proof);
        if (grounds)
          addDerived(contract, *grounds, bound);
        addNeed(bound);
      }
    for (std::size_t i = 0; i < contract.claims.size(); ++i)
      for (std::size_t k = 0; k < contract.claims[i].bounds.size(); ++k)
        if (const Span& span = contract.claims[i].bounds[k].span; isAsked(span))
          if (auto outcome = outcomeOf(proven, i, k))
            addHint(span, outcomeText(*outcome), reasonOf(proven, *outcome));
  }

  /// What a distance gives first: it is what claims are mostly made of.
  static const bounds::Fact* bestOf(const std::vector<const bounds::Fact*>& facts) {
    for (bounds::Quantity wanted : {bounds::Quantity::Tv, bounds::Quantity::SeqTv})
      for (const bounds::Fact* fact : facts)
        if (fact->key.quantity == wanted && !fact->origin)
          return fact;
    auto derived = std::find_if(facts.begin(), facts.end(),
                                [](const bounds::Fact* fact) { return !fact->origin; });
    return derived == facts.end() ? nullptr : *derived;
  }

  void addDerived(const model::Contract& contract, const Grounds& grounds,
                  const model::Bound& bound) {
    const Grounds::Use* use = grounds.at(bound.span);
    const bounds::Fact* best = use ? bestOf(use->alone) : nullptr;
    if (!best || isSaid(bound, *best))
      return;
    std::string claims;
    for (std::size_t claim : use->claims)
      claims += (claims.empty() ? "" : ", ") + contract.claims[claim].id.text;
    std::string reason;
    for (const bounds::Fact* fact : use->alone)
      reason += fmt::format("{}{}", reason.empty() ? "" : "; ", factText(*fact));
    addHint(bound.span, "⇒ " + pretty(factText(*best)),
            fmt::format("On its own, the clause gives {}. Claims that rest on it: {}.", reason,
                        claims));
  }

  /// The same number of what the clause itself is about tells nothing new.
  static bool isSaid(const model::Bound& bound, const bounds::Fact& fact) {
    Rational limit = (bound.upper ? *bound.upper : bound.limit).scaled();
    return fact.bound == limit && fact.key.quantity != bounds::Quantity::Tv;
  }

  static std::string pretty(std::string text) {
    for (auto [plain, sign] : {std::pair{"<=", "≤"}, std::pair{">=", "≥"}})
      if (auto at = text.find(plain); at != std::string::npos)
        text.replace(at, 2, sign);
    return text;
  }

  void addNeed(const model::Bound& bound) {
    auto need = needs_.of(bound);
    if (!need || need->count <= 1)
      return;
    std::string_view unit = model::levelName(model::levelOf(bound.measure));
    std::string count = lint::grouped(need->count.get_num());
    addHint(bound.span, fmt::format("needs {} {}s", count, unit),
            fmt::format("No verdict is possible with fewer than {} {}s on each slice: {}.", count,
                        unit, lint::reasonOf(*need, bound)));
  }

  static std::string reasonOf(const ProvenContract& proven, const ClaimOutcome& outcome) {
    const auto& decision = outcome.entry->decision;
    if (decision.verdict == bounds::Verdict::Refuted)
      return "Some kernels satisfy every clause and violate the claim.";
    if (!decision.fact)
      return "Nothing in the contract bounds the claim.";
    const auto& slices = proven.proof->problems[outcome.entry->problem].slices;
    const auto& slice = slices[decision.goal.place.slice];
    std::string where =
        slices.size() > 1
            ? fmt::format(" at worst, on {}", slice.isMixture ? "the mixture" : slice.name)
            : "";
    return fmt::format("{} follows{}.",
                       factText(proven.proof->factsOf(*outcome.entry)[*decision.fact]), where);
  }

  /// After the closing quote, where the comparison ends its scalar.
  std::uint32_t placeAfter(const Span& span) const {
    auto path = pathAt(*analysis_.checked.tree, span.end);
    if (!path || path->last().kind != yaml::Node::Kind::Scalar)
      return span.end;
    const yaml::Node& scalar = path->last();
    bool isQuoted =
        scalar.style == yaml::Style::SingleQuoted || scalar.style == yaml::Style::DoubleQuoted;
    return isQuoted && scalar.span.end == span.end + 1 ? scalar.span.end : span.end;
  }

  void addHint(const Span& span, std::string label, std::string reason) {
    out_.push_back({placeAfter(span), std::move(label), std::move(reason)});
  }

  const Analysis& analysis_;
  TextRange range_;
  lint::Needs needs_;
  std::vector<Hint> out_;
};

} // namespace

std::vector<Hint> hintsIn(const Analysis& analysis, TextRange range) {
  return Hints(analysis, range).take();
}

} // namespace tikc::ide
