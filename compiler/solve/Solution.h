#pragma once

#include "bounds/prove/Solver.h"
#include "explain/Derivation.h"
#include "model/Contract.h"
#include "support/Source.h"

/// How far the numbers of a contract can go with a claim still following it.
namespace tikc::solve {

/// The largest tolerance of one clause for each of another's.
struct Trade {
  struct Row {
    Rational given;
    bounds::Extent other;
  };
  explain::Reach given, other; // what is declared
  std::vector<Row> rows;
};
Trade tradeOf(const explain::Guide& guide, const bounds::Solver& solver, const bounds::Fact& given,
              const bounds::Fact& other);

struct Solution {
  std::string contract, claim, text;
  std::string slice; // empty: all that the claim is made of
  bool follows = false;
  bool isBounded = false;
  bool isInfeasible = false;
  std::vector<std::string> missing;
  std::vector<explain::Reach> reaches;
  std::vector<std::string> others; // clauses that the claim, as it is bounded, does not rest on
  std::optional<Trade> trade;

  /// Some tolerance is enough.
  bool hasAnswer() const;
};

/// What is known before any search: the claim's own state.
Solution headOf(const model::Contract& contract, std::size_t claim, const std::string& slice,
                const bounds::Solver& solver);
/// What a claim without a bound lacks.
void addMissing(Solution& solution, const SourceManager& sources, const std::string& file,
                const model::Contract& contract, const bounds::Proof& proof);
/// How far each tolerance that the claim rests on can go, and the horizon.
Solution solve(const SourceManager& sources, const std::string& file,
               const model::Contract& contract, const bounds::Proof& proof, std::size_t claim,
               const std::string& slice);

} // namespace tikc::solve
