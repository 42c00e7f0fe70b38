#include "explain/Explanation.h"

#include "explain/Derivation.h"
#include "explain/Words.h"
#include "support/Escape.h"

#include <fmt/format.h>

#include <algorithm>

namespace tikc::explain {

using bounds::Proof;
using bounds::Verdict;
using bounds::WhatIf;

namespace {

/// All that is told of a comparison but for its slices.
std::string fingerprint(const Chapter& chapter) {
  std::string out = fmt::format("{}|{}|{}|{}|{}", chapter.claim, chapter.text, chapter.isLower,
                                bounds::verdictName(chapter.verdict), chapter.isOfMixture);
  for (const ChainStep& step : chapter.steps) {
    out += fmt::format("|{} {} {}", stepText(step), printRational(step.bound), reasonText(step));
    if (step.ground)
      out += groundText(*step.ground) + spotText(step.ground->spot);
    for (const ChainStep::Premise& premise : step.premises)
      out += fmt::format(",{}", premise.step);
  }
  for (const std::string& wish : chapter.missing)
    out += "|" + wish;
  return out;
}

/// Where it is asked for, the chapter's slices tell.
std::string withoutScope(model::Comparison comparison) {
  comparison.scope = {};
  return model::print(comparison);
}

class Author {
public:
  Author(const SourceManager& sources, const model::Contract& contract, const Proof& proof,
         Depth depth)
      : guide_(sources, contract), contract_(contract), proof_(proof), depth_(depth) {}

  void addChapters(Explanation& explanation, const Choice& choice) {
    for (std::size_t i = 0; i < proof_.entries.size(); ++i)
      if (isChosen(proof_.entries[i].decision.goal, choice))
        add(explanation, i);
    for (std::size_t i = 0; i < explanation.chapters.size(); ++i) {
      Chapter& chapter = explanation.chapters[i];
      chapter.isOfEverySlice =
          chapter.slices.size() + 1 == slices().size() && chapter.slices.size() > 1;
      if (depth_ != Depth::Verdict &&
          (depth_ != Depth::Proof || chapter.verdict != Verdict::Proved))
        addReaches(chapter, entries_[i]);
    }
  }

private:
  const std::vector<bounds::Problem::Slice>& slices() const {
    return proof_.problems.front().slices;
  }

  bool isChosen(const bounds::Goal& goal, const Choice& choice) const {
    const auto& slice = slices()[goal.place.slice];
    return slice.isCalled(choice.slice) &&
           (choice.claim.empty() || contract_.claims[goal.claim].id.text == choice.claim);
  }

  void add(Explanation& explanation, std::size_t entry) {
    Chapter chapter = chapterOf(proof_.entries[entry]);
    std::string print = fingerprint(chapter);
    for (std::size_t i = 0; i < explanation.chapters.size(); ++i)
      if (prints_[i] == print) {
        explanation.chapters[i].slices.insert(explanation.chapters[i].slices.end(),
                                              chapter.slices.begin(), chapter.slices.end());
        return;
      }
    chapter.entry = entry;
    explanation.chapters.push_back(std::move(chapter));
    prints_.push_back(std::move(print));
    entries_.push_back(entry);
  }

  Chapter chapterOf(const Proof::Entry& entry) const {
    const bounds::Goal& goal = entry.decision.goal;
    const model::Claim& claim = contract_.claims[goal.claim];
    const model::Bound& bound = claim.bounds[goal.bound];
    Chapter out;
    out.claim = claim.id.text;
    out.spot = *guide_.spot(bound.span);
    out.text = escape::oneLine(withoutScope(claim.writtenAs(bound)));
    if (claim.because)
      out.because = escape::oneLine(claim.because->value);
    addPlace(out, entry);
    out.verdict = entry.decision.verdict;
    out.isLower = goal.lower;
    out.isStrict = goal.strict;
    out.budget = goal.budget;
    out.wording = bounds::wordingOf(
        contract_, goal,
        entry.decision.fact ? &proof_.factsOf(entry)[*entry.decision.fact] : nullptr);
    out.slack = entry.decision.slack(proof_.factsOf(entry));
    if (goal.key)
      out.says = keyText(*goal.key);
    if (entry.decision.fact) {
      DerivationSteps steps =
          tellDerivation(guide_, proof_.problems[entry.problem], *entry.decision.fact);
      out.steps = std::move(steps.steps);
      out.conditions = std::move(steps.conditions);
    }
    for (const bounds::Wish& wish : entry.decision.missing)
      out.missing.emplace_back(wish.says);
    out.passedOver = proof_.problems.front().passedOver;
    out.witness = entry.decision.witness;
    return out;
  }

  void addPlace(Chapter& out, const Proof::Entry& entry) const {
    const bounds::Problem& problem = proof_.problems[entry.problem];
    const bounds::Place& place = entry.decision.goal.place;
    const auto& slice = problem.slices[place.slice];
    out.isOfMixture = slice.isMixture && problem.slices.size() > 1;
    if (!slice.isMixture)
      out.slices.push_back(slice.name);
    const auto& link = problem.links[place.link];
    if (problem.links.size() > 1)
      out.link = fmt::format("{} → {}", link.from, link.to);
  }

  // How far the clauses could go.

  void addReaches(Chapter& chapter, std::size_t entry) const {
    WhatIf whatIf(contract_, entry);
    bounds::Advice advice = bounds::Solver(whatIf).advise();
    chapter.isInfeasible = advice.isInfeasible;
    for (const bounds::Leeway& each : advice.leeways) {
      Reach reach = guide_.reach(each);
      if (depth_ == Depth::Curves && !reach.isHorizon)
        reach.curve = curveOf(whatIf, each.input);
      chapter.reaches.push_back(std::move(reach));
    }
  }

  /// The bound at tolerances from 0 to twice the declared one.
  static std::vector<Point> curveOf(const WhatIf& whatIf, const bounds::Fact& clause) {
    constexpr int intervals = 48;
    std::vector<Point> out;
    for (int i = 0; i <= intervals; ++i) {
      Rational tolerance = clause.bound * Rational(2 * i) / intervals;
      out.push_back({tolerance, whatIf.after({{clause, tolerance}}).bound});
    }
    return out;
  }

  Guide guide_;
  const model::Contract& contract_;
  const Proof& proof_;
  Depth depth_;
  std::vector<std::string> prints_;  // of the chapters
  std::vector<std::size_t> entries_; // the first of each chapter
};

void addLemmas(Explanation& explanation) {
  auto add = [&](const bounds::Lemma* lemma) {
    if (lemma && std::find(explanation.lemmas.begin(), explanation.lemmas.end(), lemma) ==
                     explanation.lemmas.end())
      explanation.lemmas.push_back(lemma);
  };
  for (const Chapter& chapter : explanation.chapters)
    for (const ChainStep& step : chapter.steps) {
      add(step.lemma);
      add(step.curve);
      for (const FoldedStep& fold : step.folds)
        add(fold.lemma);
    }
  std::sort(explanation.lemmas.begin(), explanation.lemmas.end(),
            [](const bounds::Lemma* a, const bounds::Lemma* b) { return a->id < b->id; });
}

} // namespace

Explanation tell(const SourceManager& sources, const std::string& file,
                 const model::Contract& contract, const Proof& proof, const Choice& choice,
                 Depth depth) {
  Explanation out;
  out.contract = contract.name.value;
  if (contract.version)
    out.version = escape::oneLine(contract.version->value);
  out.isDraft = contract.draft.has_value();
  if (contract.summary)
    out.summary = escape::oneLine(contract.summary->value);
  out.file = file;
  if (!proof.problems.empty())
    Author(sources, contract, proof, depth).addChapters(out, choice);
  addLemmas(out);
  return out;
}

} // namespace tikc::explain
