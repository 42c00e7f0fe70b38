#include "bounds/prove/Rewriting.h"
#include "bounds/prove/Solver.h"
#include "bounds/prove/Wording.h"
#include "ide/Grounds.h"
#include "ide/actions/Actions.h"
#include "support/UsageError.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::ide {
namespace {

using bounds::ClauseBound;
using bounds::Fact;
using bounds::Proof;
using utf8::ticked;

/// The number that a comparison has to stay below, or above.
const model::Amount& limitOf(const model::Bound& bound, bool isLower) {
  return bound.upper && !isLower ? *bound.upper : bound.limit;
}

/// The comparisons with a tolerance that a claim's bounds rest on.
std::vector<ClauseBound> tolerancesOf(const Proof& proof, std::size_t claim) {
  std::vector<ClauseBound> out;
  for (const Proof::Entry& entry : proof.entries) {
    if (entry.decision.goal.claim != claim || !entry.decision.fact)
      continue;
    const auto& facts = proof.factsOf(entry);
    for (bounds::FactId id : bounds::inputsOf(facts, *entry.decision.fact))
      if (const Fact& fact = facts[id];
          bounds::isTolerance(fact) &&
          std::find(out.begin(), out.end(), *fact.origin->stated) == out.end())
        out.push_back(*fact.origin->stated);
  }
  return out;
}

class Numbers {
public:
  Numbers(const ActionRequest& request, std::vector<CodeAction>& out)
      : request_(request), out_(out) {}

  void add(const ProvenContract& proven) {
    const model::Contract& contract = *proven.contract;
    for (std::size_t i = 0; i < contract.claims.size(); ++i) {
      const model::Claim& claim = contract.claims[i];
      bool isAsked = request_.touches(claim.span);
      for (const ClauseBound& stated : tolerancesAsked(proven, i, isAsked))
        addTolerance(proven, i, stated);
      for (std::size_t k = 0; isAsked && k < claim.bounds.size(); ++k)
        for (bool isLower : {false, true})
          addProvenBound(proven, i, k, isLower);
    }
  }

private:
  /// On a claim that does not follow all that it rests on, on a clause its own.
  std::vector<ClauseBound> tolerancesAsked(const ProvenContract& proven, std::size_t claim,
                                           bool isAsked) const {
    auto outcome = outcomeOf(proven, claim);
    bool isOpen = outcome && outcome->verdict != bounds::Verdict::Proved;
    std::vector<ClauseBound> out = tolerancesOf(*proven.proof, claim);
    std::erase_if(out, [&](const ClauseBound& stated) {
      const Span& span = stated.boundOf(*proven.contract).span;
      return span.file != request_.analysis.file ||
             !((isAsked && isOpen && !isFixed(span)) || request_.touches(span));
    });
    return out;
  }

  /// Whether a finding's own fix sets the number already.
  bool isFixed(const Span& clause) const {
    const auto& findings = request_.analysis.checked.diagnostics;
    return std::any_of(findings.begin(), findings.end(), [&](const diag::Diagnostic& diagnostic) {
      return request_.touches(diagnostic.span) &&
             std::any_of(diagnostic.fixes.begin(), diagnostic.fixes.end(),
                         [&](const diag::Fix& fix) {
                           return fix.edits.size() == 1 && clause.contains(fix.edits.front().span);
                         });
    });
  }

  void addTolerance(const ProvenContract& proven, std::size_t claim, const ClauseBound& stated) {
    LargestTolerance tolerance{proven.contract->name.value, proven.contract->claims[claim].id.text,
                               stated.boundOf(*proven.contract).span.begin};
    std::string title = fmt::format("set {} to the largest tolerance with which {} follows",
                                    ticked(stated.clauseOf(*proven.contract).id.text),
                                    ticked(proven.contract->claims[claim].id.text));
    out_.push_back({std::move(title), ActionKind::Rewrite, std::move(tolerance)});
  }

  /// The loosest bound on any slice is one on all.
  void addProvenBound(const ProvenContract& proven, std::size_t claim, std::size_t bound,
                      bool isLower) {
    const Proof::Entry* loosest = nullptr;
    for (const Proof::Entry& entry : proven.proof->entries) {
      const bounds::Goal& goal = entry.decision.goal;
      if (goal.claim != claim || goal.bound != bound || goal.lower != isLower)
        continue;
      if (!entry.decision.fact)
        return;
      if (!loosest || bounds::isTighter(factOf(proven, *loosest), factOf(proven, entry)))
        loosest = &entry;
    }
    if (!loosest || loosest->decision.slack(proven.proof->factsOf(*loosest)) == Rational(0))
      return;
    const bounds::Goal& goal = loosest->decision.goal;
    const Fact& fact = factOf(proven, *loosest);
    const model::Bound& row = proven.contract->claims[claim].bounds[bound];
    if ((goal.strict && !fact.strict) || row.comparator == model::Comparator::Equal)
      return;
    std::string text = bounds::wordingOf(*proven.contract, goal, &fact).bound;
    Edit edit{limitOf(row, isLower).span, text};
    if (edit.span.file != request_.analysis.file)
      return;
    bool isProved = loosest->decision.verdict == bounds::Verdict::Proved;
    out_.push_back({fmt::format("{} {} to the proved bound, {}", isProved ? "tighten" : "weaken",
                                ticked(proven.contract->claims[claim].id.text), text),
                    ActionKind::Rewrite, std::vector<Edit>{std::move(edit)}});
  }

  static const Fact& factOf(const ProvenContract& proven, const Proof::Entry& entry) {
    return proven.proof->factsOf(entry)[*entry.decision.fact];
  }

  const ActionRequest& request_;
  std::vector<CodeAction>& out_;
};

} // namespace

void addNumbers(const ActionRequest& request, std::vector<CodeAction>& out) {
  for (const ProvenContract& proven : provenOf(request.analysis))
    if (proven.proof)
      Numbers(request, out).add(proven);
}

llvm::Expected<std::vector<Edit>> editsOf(const Analysis& analysis,
                                          const LargestTolerance& action) {
  for (const ProvenContract& proven : provenOf(analysis))
    for (std::size_t i = 0; proven.proof && i < proven.contract->claims.size(); ++i) {
      if (proven.contract->name.value != action.contract ||
          proven.contract->claims[i].id.text != action.claim)
        continue;
      bounds::Solver solver(*proven.contract, *proven.proof, i);
      for (const Fact& fact : solver.isBounded() ? solver.inputs() : std::vector<Fact>{}) {
        const Span& span = fact.origin->span;
        if (span.file != analysis.file || span.begin != action.begin || !fact.origin->stated)
          continue;
        bounds::Extent extent = solver.extentOf(fact);
        if (extent.isFree || !extent.largest || *extent.largest == 0)
          return usageError(
              fmt::format("{}: {}", ticked(action.claim),
                          extent.isFree ? "it follows from any tolerance of this clause"
                                        : "it does not follow from any tolerance of this clause"));
        auto [at, quantity] = bounds::rewriting(fact.origin->stated->boundOf(*proven.contract),
                                                fact, *extent.largest);
        return std::vector<Edit>{Edit{at, model::print(quantity)}};
      }
    }
  return usageError("the claim no longer rests on it");
}

} // namespace tikc::ide
