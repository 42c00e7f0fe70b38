#include "bounds/prove/ProofCache.h"

#include "bounds/prove/Deduction.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

/// All that advice on one goal looks at, and in what order: of a goal on a slice, nothing that is
/// said of another slice.
struct AdviceQuestion {
  std::vector<std::uint64_t> shape;
  std::vector<Rational> numbers;
  std::vector<FactId> inputs;

  explicit AdviceQuestion(const Problem& problem);
  friend bool operator<(const AdviceQuestion& a, const AdviceQuestion& b) {
    return a.shape != b.shape ? a.shape < b.shape : a.numbers < b.numbers;
  }
};

AdviceQuestion::AdviceQuestion(const Problem& problem) {
  const Goal& goal = problem.goals.front();
  bool isOnMixture = problem.slices[goal.place.slice].isMixture;
  auto matters = [&](const Fact& fact) {
    return isOnMixture || fact.place.slice >= problem.slices.size() ||
           fact.place.slice == goal.place.slice || problem.slices[fact.place.slice].isMixture;
  };
  auto placeOf = [&](const Fact& fact) -> std::uint64_t {
    return isOnMixture                                 ? fact.place.slice
           : fact.place.slice == goal.place.slice      ? 0
           : fact.place.slice >= problem.slices.size() ? 1
                                                       : 2;
  };
  shape = {problem.bits,
           problem.slicesCutResponses,
           problem.isOneToken,
           problem.lacksEstimator,
           problem.lacksCorrection,
           at(problem.biasUncorrected),
           goal.place.link,
           problem.links.size(),
           isOnMixture,
           goal.strict,
           goal.lower,
           at(goal.key->quantity),
           static_cast<std::uint64_t>(goal.key->quantifier)};
  if (isOnMixture)
    shape.push_back(problem.slices.size());
  for (const Problem::Link& link : problem.links)
    shape.insert(shape.end(), {link.first, link.second});
  auto add = [&](const About& about) {
    shape.insert(shape.end(),
                 {static_cast<std::uint64_t>(about.first), static_cast<std::uint64_t>(about.second),
                  about.isKept, about.drawer});
  };
  add(problem.abouts[goal.place.about]);
  numbers = {goal.key->share, goal.budget};
  for (FactId id : problem.inputs) {
    const Fact& fact = problem.facts[id];
    if (!matters(fact))
      continue;
    // What one clause says in several places moves together.
    auto first = std::find_if(inputs.begin(), inputs.end(), [&](FactId other) {
      const Fact& known = problem.facts[other];
      return known.origin && fact.origin && known.origin->span == fact.origin->span;
    });
    shape.insert(shape.end(),
                 {at(fact.key.quantity), static_cast<std::uint64_t>(fact.key.quantifier),
                  fact.strict, isTolerance(fact), placeOf(fact), fact.place.link,
                  static_cast<std::uint64_t>(first - inputs.begin())});
    if (fact.place.about != Place::any)
      add(problem.abouts[fact.place.about]);
    numbers.push_back(fact.key.share);
    numbers.push_back(fact.bound);
    inputs.push_back(id);
  }
}

/// Advice, with what is moved as places among the inputs: where they stand in the text may change.
struct KeptAdvice {
  struct Row {
    std::size_t input;
    Extent extent;
  };
  std::vector<Row> rows;
  bool isInfeasible = false;
};

bool isSame(const Fact& a, const Fact& b) {
  return a.origin && b.origin && a.origin->stated == b.origin->stated && a.key == b.key &&
         a.place == b.place && a.bound == b.bound;
}

} // namespace

struct ProofCache::Answers : std::map<AdviceQuestion, KeptAdvice> {};

ProofCache::ProofCache() : answers_(std::make_unique<Answers>()) {}
ProofCache::~ProofCache() = default;

ProofCache::PrecisionResults& ProofCache::at(unsigned bits) {
  // About 50 MB; what is asked for again is soon there again.
  constexpr std::size_t most = 1 << 16;
  PrecisionResults& results = found_[bits];
  if (results.results->size() > most)
    results = {};
  results.closings.turn();
  return results;
}

Advice ProofCache::advise(const WhatIf& whatIf) {
  if (!whatIf.isBoundable())
    return {};
  const Problem& problem = whatIf.posed();
  AdviceQuestion question(problem);
  auto known = answers_->find(question);
  if (known != answers_->end()) {
    // The question at hand is the same but for where its inputs stand.
    Advice out{known->second.isInfeasible, {}};
    for (const KeptAdvice::Row& row : known->second.rows)
      out.leeways.push_back({problem.facts[question.inputs[row.input]], row.extent});
    return out;
  }
  Advice advice = Solver(whatIf).advise();
  KeptAdvice answer{{}, advice.isInfeasible};
  for (const Leeway& each : advice.leeways) {
    auto input = std::find_if(question.inputs.begin(), question.inputs.end(),
                              [&](FactId id) { return isSame(problem.facts[id], each.input); });
    if (input == question.inputs.end())
      return advice; // it rests on what the question leaves out: not to be remembered
    answer.rows.push_back({static_cast<std::size_t>(input - question.inputs.begin()), each.extent});
  }
  constexpr std::size_t most = 4096;
  if (answers_->size() == most)
    answers_->clear();
  answers_->emplace(std::move(question), std::move(answer));
  return advice;
}

} // namespace tikc::bounds
