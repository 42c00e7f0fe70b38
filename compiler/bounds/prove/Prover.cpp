#include "bounds/prove/Prover.h"

#include "bounds/prove/Engine.h"
#include "bounds/prove/ProofCache.h"
#include "support/Efforts.h"

#include <algorithm>

namespace tikc::bounds {
namespace {

Decision decide(Engine& engine, const Problem& problem, const Goal& goal) {
  Decision out;
  out.goal = goal;
  if (!goal.key)
    return out;
  out.fact = engine.best(*goal.key, goal.place);
  if (out.fact && meets(goal, problem.facts[*out.fact]))
    out.verdict = Verdict::Proved;
  if (!out.fact)
    out.missing = engine.missing(goal);
  Key reached = *goal.key;
  reached.isOpen = false;
  if (!out.fact && goal.key->isOpen && engine.best(reached, goal.place))
    out.missing = {Wish{reached,
                        "a clause that less than its level lies below it, such as `rate(… < x) < "
                        "1%`: with `<= 1%`, the quantile itself may lie there",
                        {},
                        {}}};
  return out;
}

/// Whether more precision could turn the bound to the other side of the budget.
bool isTooCloseToCall(const Decision& decision, const Problem& problem) {
  if (!decision.fact || decision.verdict == Verdict::Proved)
    return false;
  const Fact& fact = problem.facts[*decision.fact];
  Rational room = abs(fact.bound) / Rational(mpz_class(1) << (problem.bits / 2 - 16));
  return abs(Rational(fact.bound - decision.goal.budget)) <= room &&
         fact.bound != decision.goal.budget;
}

/// One population stands for every slice, so a witness against a comparison on one slice is one on
/// each that was not proved.
void refute(const model::Contract& contract, Proof& proof) {
  const Goal* tried = nullptr;
  std::optional<Witness> witness;
  std::size_t effort = efforts.searching;
  for (Proof::Entry& entry : proof.entries) {
    Decision& decision = entry.decision;
    const Goal& goal = decision.goal;
    if (decision.verdict == Verdict::Proved)
      continue;
    bool same = tried && tried->claim == goal.claim && tried->bound == goal.bound &&
                tried->lower == goal.lower;
    if (!same)
      witness = findWitness(contract, goal, firstPrecision, effort);
    tried = &goal;
    decision.isSearched = effort > 0;
    if (!witness)
      continue;
    decision.verdict = Verdict::Refuted;
    decision.witness = witness;
  }
}

/// Figures of samples bound little unless the support is full. A contract that only forgot to say
/// so should not be advised to tighten its clauses.
void wishForFullSupport(const model::Contract& contract, ProofCache& cache, Proof& proof) {
  if (contract.assumptions.support || !proof.problems.front().supportCanBeFull ||
      proof.openEntries() == 0)
    return;
  model::Contract supported = contract;
  supported.assumptions.support.emplace();
  const Problem initial = pose(supported, firstPrecision);
  Problem problem = initial;
  ProofCache::PrecisionResults& results = cache.at(firstPrecision);
  Engine engine(problem, results.results, &results.closings);
  engine.run();
  if (!findConflicts(supported, initial, engine, problem).empty())
    return;
  for (std::size_t i = 0; i < proof.entries.size(); ++i) {
    Decision& decision = proof.entries[i].decision;
    if (decision.fact && decision.verdict != Verdict::Proved &&
        decide(engine, problem, problem.goals[i]).verdict == Verdict::Proved)
      decision.missing = {fullSupport()};
  }
}

/// Of clauses that contradict one another everything would follow.
void withdraw(Proof& proof) {
  proof.implied.clear();
  proof.unconditional.clear();
  for (Proof::Entry& entry : proof.entries) {
    entry.decision.verdict = Verdict::Unproved;
    entry.decision.fact.reset();
    entry.decision.missing.clear();
  }
}

} // namespace

std::size_t Proof::openEntries() const {
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(),
                    [](const Entry& entry) { return entry.decision.verdict != Verdict::Proved; }));
}

std::string_view verdictName(Verdict verdict) {
  static constexpr std::string_view names[] = {"proved", "refuted", "unproved"};
  return names[static_cast<std::size_t>(verdict)];
}

bool meets(const Goal& goal, const Fact& fact) {
  const Logarithm* reached = fact.logarithm();
  bool isOneKind = goal.exactly && reached && reached->of == goal.exactly->value.of;
  Rational room = isOneKind ? Rational(goal.exactly->value.factor - reached->factor)
                            : Rational(goal.budget - fact.bound);
  if (goal.lower)
    room = -room;
  return room > 0 || (room == 0 && (!goal.strict || fact.strict));
}

std::optional<Rational> Decision::slack(const Derivation& facts) const {
  if (!fact || goal.budget == 0)
    return std::nullopt;
  const Rational& bound = facts[*fact].bound;
  return goal.lower ? Rational(bound / goal.budget - 1) : Rational(1 - bound / goal.budget);
}

Proof prove(const model::Contract& contract) {
  ProofCache cache;
  return prove(contract, cache);
}

Proof prove(const model::Contract& contract, ProofCache& cache) {
  Proof out;
  std::vector<bool> open;
  for (unsigned bits = firstPrecision; bits <= lastPrecision; bits *= 2) {
    const Problem initial = pose(contract, bits);
    Problem problem = initial;
    if (bits == firstPrecision) {
      open.assign(problem.goals.size(), true);
      out.entries.resize(problem.goals.size());
    }
    ProofCache::PrecisionResults& results = cache.at(bits);
    Engine engine(problem, results.results, &results.closings);
    engine.run();
    if (bits == firstPrecision) {
      out.conflicts = findConflicts(contract, initial, engine, problem);
      out.implied = findImplied(contract, engine, problem);
      out.unconditional = findUnconditional(initial, results.results, results.closings);
    }
    bool more = false;
    for (std::size_t i = 0; i < problem.goals.size(); ++i) {
      if (!open[i])
        continue;
      out.entries[i] = {decide(engine, problem, problem.goals[i]), out.problems.size()};
      open[i] = isTooCloseToCall(out.entries[i].decision, problem);
      more = more || open[i];
    }
    out.problems.push_back(std::move(problem));
    if (!more || !out.conflicts.empty())
      break;
  }
  if (out.conflicts.empty()) {
    refute(contract, out);
    wishForFullSupport(contract, cache, out);
  } else {
    withdraw(out);
  }
  return out;
}

} // namespace tikc::bounds
