#include "bounds/prove/Rewriting.h"
#include "bounds/prove/Wording.h"
#include "lint/Lint.h"
#include "model/Laws.h"
#include "support/Utf8.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tikc::lint {

using namespace model;
using bounds::Decision;
using bounds::Proof;
using bounds::Verdict;
using utf8::ticked;

namespace {

/// The goals of one comparison of a claim that met the same fate, slice by slice.
struct GoalGroup {
  std::vector<std::size_t> entries;
};

/// A line of its own goes whole; between others the entry says the opposite.
Edit undrafted(const SourceManager& sources, const Span& entry) {
  const Source& source = sources.get(entry.file);
  auto lineOf = [&](std::uint32_t offset) { return source.lines.lineIndex(offset); };
  std::uint32_t first = lineOf(entry.begin), last = lineOf(entry.end);
  std::uint32_t begin = source.lines.lineStart(first);
  std::string_view after = source.lines.lineText(source.text, last);
  after.remove_prefix(entry.end - source.lines.lineStart(last));
  after.remove_prefix(std::min(after.find_first_not_of(" \t\r"), after.size()));
  bool isAlone = begin == entry.begin && (after.empty() || after.front() == '#');
  if (!isAlone || last + 1 == source.lines.lineCount())
    return {entry, "draft: false"};
  return {{entry.file, begin, source.lines.lineStart(last + 1)}, ""};
}

class Claims {
public:
  Claims(const LintInput& input, const Proof& proof) : input_(input), proof_(proof) {}

  void run() {
    for (const bounds::Conflict& conflict : proof_.conflicts)
      reportConflict(conflict);
    if (!proof_.conflicts.empty())
      return; // the claims are unproved for that
    const auto& entries = proof_.entries;
    for (std::size_t i = 0; i < entries.size();) {
      std::size_t end = i;
      while (end < entries.size() && isSameComparison(entries[i], entries[end]))
        ++end;
      report(i, end);
      i = end;
    }
    reportDraft();
  }

private:
  /// What fails of a draft is an error once it is none.
  template <typename Kind, typename... Arguments>
  diag::Diagnostic& reportFailing(const Span& span, const Arguments&... arguments) {
    if (!input_.contract.draft)
      return input_.sink.report<Kind>(span, arguments...);
    return input_.sink.reportAs<Kind>(diag::Severity::Warning, span, arguments...)
        .note("the contract is a draft; in any other contract, this is an error");
  }

  /// Whether it stays a draft is its author's to say.
  void reportDraft() {
    const auto& draft = input_.contract.draft;
    if (!draft || proof_.entries.empty() || proof_.openEntries() > 0)
      return;
    input_.sink.report<diag::DraftProved>(*draft, ticked(input_.contract.name.value))
        .unsafeFix("stop marking it as a draft", {undrafted(input_.sources, *draft)});
  }

  static bool isSameComparison(const Proof::Entry& a, const Proof::Entry& b) {
    return a.decision.goal.claim == b.decision.goal.claim &&
           a.decision.goal.bound == b.decision.goal.bound &&
           a.decision.goal.lower == b.decision.goal.lower;
  }

  void reportConflict(const bounds::Conflict& conflict) {
    auto boundAt = [&](const bounds::ClauseBound& part) -> const Bound& {
      return part.boundOf(input_.contract);
    };
    auto idAt = [&](const bounds::ClauseBound& part) {
      return ticked(part.clauseOf(input_.contract).id.text);
    };
    const auto& parts = conflict.parts;
    std::vector<std::string> others;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      others.push_back(idAt(parts[i]));
    std::string how =
        others.empty()   ? "over the inference kernel's draws, the mean of p/q is at most 1, and "
                           "exactly 1 under full support"
        : conflict.bound ? fmt::format("with {} it is {} {}", fmt::join(others, ", "),
                                       conflict.isUpper ? "at most" : "at least",
                                       bounds::decimal(*conflict.bound, 4,
                                                       conflict.isUpper ? bounds::Rounding::Up
                                                                        : bounds::Rounding::Down))
                         : fmt::format("{} rules it out", fmt::join(others, ", "));
    auto& diagnostic = input_.sink.report<diag::ClausesContradict>(boundAt(parts.back()).span,
                                                                   idAt(parts.back()), how);
    // The claims say nothing of it.
    diagnostic.isFixed = !input_.contract.claims.empty();
    for (std::size_t i = 0; i + 1 < parts.size(); ++i)
      diagnostic.relatedTo(boundAt(parts[i]).span,
                           parts.size() == 2
                               ? "no kernels keep both this clause and that one"
                               : "no kernels keep this clause together with the others");
    if (&conflict == &proof_.conflicts.back())
      addCutOff(diagnostic, 0);
  }

  /// One finding for each fate, with the slice where it is worst.
  void report(std::size_t begin, std::size_t end) {
    GoalGroup refuted, unproved, unbounded;
    for (std::size_t i = begin; i < end; ++i) {
      const Decision& decision = proof_.entries[i].decision;
      if (decision.verdict == Verdict::Proved)
        continue;
      GoalGroup& group = decision.verdict == Verdict::Refuted ? refuted
                         : decision.fact                      ? unproved
                                                              : unbounded;
      group.entries.push_back(i);
    }
    if (!refuted.entries.empty())
      reportRefuted(refuted);
    if (!unproved.entries.empty())
      reportUnproved(unproved);
    if (!unbounded.entries.empty())
      reportUnbounded(unbounded);
  }

  const Decision& decisionOf(std::size_t entry) const { return proof_.entries[entry].decision; }
  const Claim& claimOf(const Decision& decision) const {
    return input_.contract.claims[decision.goal.claim];
  }
  const Bound& boundOf(const Decision& decision) const {
    return claimOf(decision).bounds[decision.goal.bound];
  }

  /// " on `math` and `code`"; nothing where there are no slices.
  std::string where(const GoalGroup& group) const {
    const auto& slices = proof_.problems.front().slices;
    if (slices.size() == 1)
      return {};
    std::vector<std::string> names;
    for (std::size_t entry : group.entries) {
      const auto& slice = slices[decisionOf(entry).goal.place.slice];
      if (slice.isMixture)
        return " on the mixture of all slices";
      names.push_back(ticked(slice.name));
    }
    if (names.size() + 1 == slices.size() && names.size() > 1)
      return " on any slice";
    std::string last = names.back();
    names.pop_back();
    return names.empty() ? " on " + last
                         : fmt::format(" on {} and {}", fmt::join(names, ", "), last);
  }

  /// The entry whose bound is the farthest from its budget.
  std::size_t worstOf(const GoalGroup& group) const {
    return *std::min_element(group.entries.begin(), group.entries.end(),
                             [&](std::size_t a, std::size_t b) {
                               auto slack = [&](std::size_t entry) {
                                 const Proof::Entry& row = proof_.entries[entry];
                                 return row.decision.slack(proof_.factsOf(row)).value_or(-1);
                               };
                               return slack(a) < slack(b);
                             });
  }

  void reportRefuted(const GoalGroup& group) {
    const Decision& decision = decisionOf(group.entries.front());
    auto& diagnostic = reportFailing<diag::ClaimRefuted>(
        boundOf(decision).span, ticked(claimOf(decision).id.text), where(group));
    addMissing(diagnostic, decision);
    if (decision.witness)
      addWitness(diagnostic, *decision.witness);
    addAdvice(diagnostic, group.entries.front());
  }

  static void addWitness(diag::Diagnostic& diagnostic, const bounds::Witness& witness) {
    for (std::string& line : bounds::populationLines(witness))
      diagnostic.note(std::move(line));
    for (const bounds::Witness::Row& row : witness.rows) {
      bool isClaim = &row == &witness.rows.back();
      diagnostic.note(fmt::format("there, {} is {}: {} `{}`", row.what, bounds::valueText(row),
                                  isClaim ? "it violates" : "it satisfies", row.limit));
    }
  }

  void reportUnproved(const GoalGroup& group) {
    std::size_t worst = worstOf(group);
    const Proof::Entry& row = proof_.entries[worst];
    const bounds::Goal& goal = row.decision.goal;
    const bounds::Fact& fact = proof_.factsOf(row)[*row.decision.fact];
    bounds::Wording wording = bounds::wordingOf(input_.contract, goal, &fact);
    auto& diagnostic = reportFailing<diag::ClaimUnproved>(
        boundOf(row.decision).span, ticked(claimOf(row.decision).id.text), where(group),
        fmt::format("{} {}", goal.lower ? ">=" : "<=", wording.bound), wording.budget());
    addGrounds(diagnostic, row);
    addMissing(diagnostic, row.decision);
    addPassedOver(diagnostic);
    addAdvice(diagnostic, worst);
    addCutOff(diagnostic, row.problem);
    if (!row.decision.isSearched)
      diagnostic.note(
          "tikc did not finish its search for kernels that break it: the contract has too "
          "many claims that fail");
  }

  void reportUnbounded(const GoalGroup& group) {
    const Decision& decision = decisionOf(group.entries.front());
    auto& diagnostic = reportFailing<diag::ClaimUnbounded>(
        boundOf(decision).span, ticked(claimOf(decision).id.text), where(group));
    addMissing(diagnostic, decision);
    addPassedOver(diagnostic);
    if (decision.missing.empty() && proof_.problems.front().passedOver.empty())
      diagnostic.note(decision.goal.key ? "no lemma leads from any clause to it"
                                        : "tikc can bound it only from the other side");
    addCutOff(diagnostic, proof_.entries[group.entries.front()].problem);
  }

  static void addMissing(diag::Diagnostic& diagnostic, const Decision& decision) {
    for (const bounds::Wish& wish : decision.missing)
      diagnostic.note(
          fmt::format("missing: {}{}", wish.says, decision.fact ? ", with which it follows" : ""));
  }

  /// Clauses that would have mattered, and why they do not.
  void addPassedOver(diag::Diagnostic& diagnostic) const {
    for (const std::string& why : proof_.problems.front().passedOver)
      diagnostic.note(why);
  }

  void addCutOff(diag::Diagnostic& diagnostic, std::size_t problem) const {
    for (std::string& line : bounds::cutOffLines(proof_.problems[problem].cutOff))
      diagnostic.note(std::move(line));
  }

  /// The clauses that the bound rests on, each at its own line.
  void addGrounds(diag::Diagnostic& diagnostic, const Proof::Entry& row) {
    const auto& facts = proof_.factsOf(row);
    std::vector<Span> shown;
    for (bounds::FactId id : bounds::inputsOf(facts, *row.decision.fact)) {
      const bounds::Origin& origin = *facts[id].origin;
      if (origin.kind != bounds::Origin::Kind::Clause ||
          std::find(shown.begin(), shown.end(), origin.span) != shown.end())
        continue;
      shown.push_back(origin.span);
      diagnostic.relatedTo(origin.span, "the bound uses this clause");
    }
    if (shown.empty())
      diagnostic.note("the bound uses no clause: it holds for any two kernels");
  }

  void addAdvice(diag::Diagnostic& diagnostic, std::size_t entry) {
    // Each derives the bound again, some hundred times.
    constexpr std::size_t clausesOfOne = 64, mostAdvice = 32;
    advice_ += 1 + input_.contract.clauses.size() / clausesOfOne;
    if (advice_ > mostAdvice) {
      diagnostic.note(
          "tikc did not search for a tolerance that is enough: the contract has too many "
          "claims that fail");
      return;
    }
    bounds::Advice advice = input_.cache->advise(bounds::WhatIf(input_.contract, entry));
    if (advice.isInfeasible) {
      diagnostic.note("the budget is infeasible at any tolerance: it is out of reach even if every "
                      "clause forbids all drift");
      return;
    }
    for (const bounds::Leeway& leeway : advice.leeways)
      if (const auto& largest = leeway.extent.largest; largest && leeway.isHorizon())
        diagnostic.note(
            fmt::format("it follows up to a horizon of {} tokens", printRational(*largest)));
      else if (largest)
        addTolerance(diagnostic, leeway.input, *largest);
  }

  void addTolerance(diag::Diagnostic& diagnostic, const bounds::Fact& clause,
                    const Rational& most) {
    auto [span, largest] =
        bounds::rewriting(clause.origin->stated->boundOf(input_.contract), clause, most);
    diagnostic.unsafeFix(fmt::format("set {} to {}, the largest tolerance that proves the claim",
                                     ticked(clause.origin->name), print(largest)),
                         {{span, print(largest)}});
  }

  const LintInput& input_;
  const Proof& proof_;
  std::size_t advice_ = 0;
};

std::string assumedText(const Support& support) {
  switch (support.kind) {
  case SupportKind::Full:
    return "`support: full`";
  case SupportKind::TopP:
    return fmt::format("`top_p: {}`", printRational(support.value));
  case SupportKind::MissingMass:
    return fmt::format("`missing_mass: {}`", printRational(support.value));
  }
  return {};
}

/// A kernel that cuts its distribution does not support what it cuts.
void checkSupport(const LintInput& input, const Laws& laws, const Support& support) {
  for (const Laws::Contradiction& each : laws.contradictions()) {
    const bool isGreedy = each.at == laws.kernels().back().temperatureFrom;
    auto& diagnostic = input.sink.report<diag::SupportContradicted>(
        support.span, ticked(laws.kernels().back().name), ticked(each.setting),
        assumedText(support));
    diagnostic.relatedTo(each.at->span, isGreedy ? "it serves one token"
                                        : support.kind == SupportKind::Full
                                            ? "it cuts the rest"
                                            : "it keeps less than the "
                                              "assumed mass");
    if (isGreedy)
      diagnostic.note("a greedy kernel's tokens imply nothing about the claims: remove `support`");
  }
}

/// The most that a cut can take from a law over so many tokens, or of however many there are.
Rational mostCutBy(const KernelLaws::Cut& cut, const std::optional<Number>& tokens) {
  const Rational value = cut.setting->value;
  if (cut.key == "top_p")
    return 1 - value;
  if (!tokens)
    return 1;
  const Rational& vocabulary = tokens->value;
  if (cut.key == "top_k")
    return std::max(Rational(1 - value / vocabulary), Rational(0));
  // One token, and each other just below the share of its probability that is kept.
  return 1 - 1 / (1 + (vocabulary - 1) * value);
}

bool isMissingMassBounded(const Contract& contract) {
  for (const Clause& clause : contract.clauses)
    for (const Bound& bound : clause.bounds)
      if (bound.measure.metric == MetricId::MissingMass)
        return true;
  return false;
}

/// A cut may take more than the contract assumes, and nothing would show it.
void checkCuts(const LintInput& input, const Laws& laws, const Support& support) {
  const bool isAboutCuts = support.kind != SupportKind::Full && laws.contradictions().empty() &&
                           !laws.kernels().front().declaresCut();
  if (!isAboutCuts || isMissingMassBounded(input.contract))
    return;
  const Rational assumed =
      support.kind == SupportKind::TopP ? Rational(1 - support.value) : support.value;
  for (const KernelLaws::Cut& cut : laws.kernels().back().cuts) {
    const Rational most = mostCutBy(cut, input.contract.policy.vocabulary);
    if (most <= assumed)
      continue;
    auto& diagnostic = input.sink.report<diag::CutBeyondSupport>(
        support.span, ticked(fmt::format("{}: {}", cut.key, printRational(cut.setting->value))),
        fmt::format("{:.4g}%", 100 * most.get_d()), assumedText(support));
    diagnostic.relatedTo(cut.setting->span, "the server's cut");
    diagnostic.note(
        fmt::format("a clause such as `max(missing_mass) <= {}` would measure the cut mass",
                    printRational(assumed)));
  }
}

} // namespace

void lintClaims(const LintInput& input) {
  const auto& support = input.contract.assumptions.support;
  if (support && !input.contract.chain.empty()) {
    const Laws laws(input.contract);
    checkSupport(input, laws, *support);
    checkCuts(input, laws, *support);
  }
  if (input.proof && !input.proof->problems.empty())
    Claims(input, *input.proof).run();
}

} // namespace tikc::lint
