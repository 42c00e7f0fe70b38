#pragma once

#include "bounds/prove/Solver.h"
#include "explain/Derivation.h"
#include "model/Contract.h"
#include "support/Source.h"

/// How far the numbers of a contract can go while a claim still follows.
namespace tikc::explain {

/// The largest tolerance of one clause for each tolerance of another.
struct Trade {
  struct Row {
    Rational given;
    bounds::Extent other;
  };
  explain::Reach given, other; // the declared tolerances
  std::vector<Row> rows;
};
Trade tradeOf(const explain::Guide& guide, const bounds::Solver& solver, const bounds::Fact& given,
              const bounds::Fact& other);

struct Solution {
  std::string contract, claim, text;
  std::string slice; // empty: all slices of the claim
  bool follows = false;
  bool isBounded = false;
  bool isInfeasible = false;
  std::vector<std::string> missing;
  std::vector<explain::Reach> reaches;
  std::vector<std::string> others; // clauses that the claim's bound does not use
  std::optional<Trade> trade;

  /// Returns whether some tolerance suffices.
  bool hasAnswer() const;
};

/// Returns the state of the claim before any search.
Solution headOf(const model::Contract& contract, std::size_t claim, const std::string& slice,
                const bounds::Solver& solver);
/// Adds what a claim without a bound lacks.
void addMissing(Solution& solution, const SourceManager& sources, const std::string& file,
                const model::Contract& contract, const bounds::Proof& proof);
/// Finds how far each tolerance of the claim's proof can go, and the horizon.
Solution solve(const SourceManager& sources, const std::string& file,
               const model::Contract& contract, const bounds::Proof& proof, std::size_t claim,
               const std::string& slice);

} // namespace tikc::explain
