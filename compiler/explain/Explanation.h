#pragma once

#include "bounds/prove/Prover.h"
#include "bounds/prove/Solver.h"
#include "bounds/prove/Wording.h"
#include "model/Contract.h"
#include "support/Source.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The verdicts on a contract's claims as plain data, from which each format is rendered.
namespace tikc::explain {

/// A place that a reader can open.
struct Spot {
  std::string file;
  Position at;

  friend bool operator==(const Spot&, const Spot&) = default;
};

/// How to write the numbers of a quantity.
struct Notation {
  Rational scale = 1; // base units per written unit
  std::string_view symbol;
};

/// The part of the contract that an input comes from.
struct Ground {
  bounds::Origin::Kind kind{};
  std::string name; // worst_drift
  std::string text; // max(logit_osc) <= 1
  std::string because;
  std::optional<Spot> spot; // empty for a default

  friend bool operator==(const Ground&, const Ground&) = default;
};

/// A number in a step, under its name in the lemma's formula.
struct FormulaInput {
  std::string name;
  Rational value;
};

/// A step that changes no number, shown together with the step below it.
struct FoldedStep {
  const bounds::Lemma* lemma = nullptr;
  std::string from; // the premise: max(logit_osc)
};

struct ChainStep {
  struct Premise {
    std::size_t step = 0;
    unsigned times = 1;
  };

  std::string says;  // mean(tv)
  std::string where; // on math, if that is not the claim's own place
  bool isLower = false;
  bool isStrict = false;
  bool isGiven = false; // a number of the contract rather than a bound
  bool isWords = false; // `says` is complete: there is no number
  Rational bound, otherEnd;
  std::string_view meaning; // of the quantity
  const bounds::Lemma* lemma = nullptr;
  const bounds::Lemma* curve = nullptr; // through which a mean was carried
  std::vector<FormulaInput> inputs;
  std::vector<Premise> premises;
  std::vector<FoldedStep> folds; // the outermost first
  std::optional<Ground> ground;  // for an input, instead of a lemma
};

/// A point of a curve; without a bound if none follows.
struct Point {
  Rational tolerance;
  std::optional<Rational> bound;
};

/// A number that a bound rests on, and how far it can go.
struct Reach {
  Ground ground;
  Notation notation;
  Rational declared;
  bounds::Extent extent;
  bool isHorizon = false; // otherwise a clause's tolerance
  std::vector<Point> curve;
};

/// The observations of --evidence; once read, only `sequences` and `prompts` may be missing.
struct Observations {
  std::optional<Rational> tokens, violations, sequences, prompts, confidence, windows;

  /// The independent unit of sampling. Contexts of one response depend on one another, so they only
  /// support conclusions about what was served.
  enum class Unit : std::uint8_t { Context, Response, Prompt };
  Unit unit() const { return prompts ? Unit::Prompt : sequences ? Unit::Response : Unit::Context; }
};

/// A conclusion from observations about a clause.
struct ObservedStatement {
  std::string clause;
  std::string slice; // if it differs from the claim's
  Rational observations;
  std::string unit;        // row, token, sequence; the independent unit, if known
  std::string population;  // contexts or responses
  bool isOfServed = false; // about what was served, not about the population
  bool isShare = true;     // the share that violates it, not the mean
  Rational value;
  std::string_view lemma;
};

/// A claim derived again from observations.
struct WeighedClaim {
  bool isAnytime = false; // otherwise for numbers of observations that were fixed beforehand
  std::optional<Rational> bound;
  bool isShown = false;
  Rational alpha; // for all statements together
  std::vector<ObservedStatement> statements;

  /// If one statement is about what was served, so is everything that follows.
  bool isOfServed() const {
    return std::any_of(statements.begin(), statements.end(),
                       [](const ObservedStatement& row) { return row.isOfServed; });
  }
};

/// One comparison of a claim, on all slices with an equal result.
struct Chapter {
  std::string claim;
  std::string text; // mean(tv) <= 0.065
  std::string because;
  Spot spot;
  std::string says;                // mean(tv): the bounded quantity
  std::vector<std::string> slices; // empty if the contract has none
  bool isOfMixture = false;
  bool isOfEverySlice = false;
  std::string link; // "a → b"; empty if the contract has only two kernels
  bounds::Verdict verdict{};
  bool isLower = false;
  bool isStrict = false;
  Rational budget;
  bounds::Wording wording; // for the budget and the bound
  std::optional<Rational> slack;
  std::vector<ChainStep> steps;   // the claim's bound first
  std::vector<Ground> conditions; // that must hold in addition to the numbers
  std::vector<std::string> missing;
  std::vector<std::string> passedOver;
  std::optional<bounds::Witness> witness; // for a refuted claim
  std::vector<Reach> reaches;             // the horizon last
  bool isInfeasible = false; // the claim does not follow even without any drift in the clauses
  std::size_t entry = 0;     // index in the proof, for the first of the slices
  std::vector<WeighedClaim> weighed; // empty without observations

  const ChainStep* result() const { return steps.empty() ? nullptr : &steps.front(); }
};

struct Explanation {
  std::string contract, version, summary;
  bool isDraft = false;
  std::string file;
  std::optional<Observations> observed;
  std::vector<Chapter> chapters;
  std::vector<const bounds::Lemma*> lemmas; // of all steps, sorted by id
};

/// How much to compute in addition to the proof, which takes time.
enum class Depth : std::uint8_t {
  Verdict, // nothing
  Proof,   // how far clauses could go, for claims that are not proved
  Reach,   // how far clauses could go, for all claims
  Curves,  // also each claim's bound over each clause's tolerance
};

/// The claim and slice to explain; an empty name means all.
struct Choice {
  std::string claim;
  std::string slice;
};

Explanation tell(const SourceManager& sources, const std::string& file,
                 const model::Contract& contract, const bounds::Proof& proof, const Choice& choice,
                 Depth depth);

} // namespace tikc::explain
