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

/// What became of a contract's claims, as plain data: it is built once, and each format renders the
/// same.
namespace tikc::explain {

/// A place that a reader can go to.
struct Spot {
  std::string file;
  Position at;

  friend bool operator==(const Spot&, const Spot&) = default;
};

/// How numbers of one quantity are written.
struct Notation {
  Rational scale = 1; // a value in base units, divided by it, is what is written before the symbol
  std::string_view symbol;
};

/// The part of the contract that something rests on.
struct Ground {
  bounds::Origin::Kind kind{};
  std::string name; // worst_drift
  std::string text; // max(logit_osc) <= 1
  std::string because;
  std::optional<Spot> spot; // nothing for a default

  friend bool operator==(const Ground&, const Ground&) = default;
};

/// A number that went into a step, under the name that the lemma's formula has for it.
struct FormulaInput {
  std::string name;
  Rational value;
};

/// A step that changes no number: it is told together with the one below it.
struct FoldedStep {
  const bounds::Lemma* lemma = nullptr;
  std::string from; // what it leads from: max(logit_osc)
};

struct ChainStep {
  struct Premise {
    std::size_t step = 0;
    unsigned times = 1;
  };

  std::string says;  // mean(tv)
  std::string where; // on math, where that is not the claim's own place
  bool isLower = false;
  bool isStrict = false;
  bool isGiven = false; // a number of the contract, rather than a bound
  bool isWords = false; // `says` is all: there is no number to tell
  Rational bound, otherEnd;
  std::string_view meaning; // of the quantity
  const bounds::Lemma* lemma = nullptr;
  const bounds::Lemma* curve = nullptr; // that a mean was carried through
  std::vector<FormulaInput> inputs;
  std::vector<Premise> premises;
  std::vector<FoldedStep> folds; // the outermost first
  std::optional<Ground> ground;  // of an input, instead of a lemma
};

/// One point of a curve; no bound where none follows.
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
  bool isHorizon = false; // else a clause's tolerance
  std::vector<Point> curve;
};

/// What was observed, as --evidence states it; after it is read, only `sequences` and `prompts` may
/// be absent.
struct Observed {
  std::optional<Rational> tokens, violations, sequences, prompts, confidence, windows;

  /// What is drawn one independently of another. Contexts are not: those of one response depend on
  /// one another, so that they tell of those that were served, and of no others.
  enum class Unit : std::uint8_t { Context, Response, Prompt };
  Unit unit() const { return prompts ? Unit::Prompt : sequences ? Unit::Response : Unit::Context; }
};

/// What observations show of a clause.
struct ObservedStatement {
  std::string clause;
  std::string slice; // where it is not the claim's own
  Rational observations;
  std::string unit;        // row, token, sequence; where it is known what is independent, that
  std::string of;          // contexts or responses
  bool isOfServed = false; // of what was served, else of the population
  bool isShare = true;     // the share that breaks it, else the mean
  Rational value;
  std::string_view lemma;
};

/// A claim, derived again from what was observed.
struct Weighed {
  bool isAnytime = false; // else for numbers of observations that were fixed beforehand
  std::optional<Rational> bound;
  bool isShown = false;
  Rational alpha; // of all statements together
  std::vector<ObservedStatement> statements;

  /// One statement about what was served makes all that follows one.
  bool isOfServed() const {
    return std::any_of(statements.begin(), statements.end(),
                       [](const ObservedStatement& row) { return row.isOfServed; });
  }
};

/// One comparison of a claim, on the slices where the same becomes of it.
struct Chapter {
  std::string claim;
  std::string text; // mean(tv) <= 0.065
  std::string because;
  Spot spot;
  std::string says;                // mean(tv): what is bounded
  std::vector<std::string> slices; // none where the contract has none
  bool isOfMixture = false;
  bool isOfEverySlice = false;
  std::string link; // "a → b"; empty where the contract compares two kernels only
  bounds::Verdict verdict{};
  bool isLower = false;
  bool isStrict = false;
  Rational budget;
  bounds::Wording wording; // of the budget and of what follows
  std::optional<Rational> slack;
  std::vector<ChainStep> steps;   // the claim's bound first
  std::vector<Ground> conditions; // what must stand, beside the numbers of the steps
  std::vector<std::string> missing;
  std::vector<std::string> passedOver;
  std::optional<bounds::Witness> witness; // of a refuted claim
  std::vector<Reach> reaches;             // the horizon's last
  bool isInfeasible = false;    // the claim does not follow even where no clause leaves any drift
  std::size_t entry = 0;        // of the proof, on the first of the slices
  std::vector<Weighed> weighed; // none where nothing was observed

  const ChainStep* result() const { return steps.empty() ? nullptr : &steps.front(); }
};

struct Explanation {
  std::string contract, version, summary;
  bool isDraft = false;
  std::string file;
  std::optional<Observed> observed;
  std::vector<Chapter> chapters;
  std::vector<const bounds::Lemma*> lemmas; // of all steps, in the order of their ids
};

/// How much is worked out beyond the proof, which is what takes time.
enum class Depth : std::uint8_t {
  Verdict, // nothing
  Proof,   // how far clauses could go, of claims that are not proved
  Reach,   // how far clauses could go
  Curves,  // and each claim's bound against each clause's tolerance
};

/// What to tell; empty: all.
struct Choice {
  std::string claim;
  std::string slice;
};

Explanation tell(const SourceManager& sources, const std::string& file,
                 const model::Contract& contract, const bounds::Proof& proof, const Choice& choice,
                 Depth depth);

} // namespace tikc::explain
