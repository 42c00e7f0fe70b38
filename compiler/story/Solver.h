#pragma once

#include "story/Derivation.h"
#include "story/Reach.h"

#include <functional>
#include <string>
#include <vector>

namespace tikc::story {

/// What a claim bears: its comparisons, decided together with other numbers.
class Solver {
public:
  /// Of one slice, or of all where no name is given.
  Solver(const SourceManager& sources, const model::Contract& contract, const bounds::Proof& proof,
         std::size_t claim, const std::string& slice);

  bool isEmpty() const { return whatIfs_.empty(); }
  /// Every comparison has a bound of some size.
  bool isBounded() const;
  bool follows() const;
  /// Not even where no clause leaves any drift.
  bool isInfeasible() const;

  /// The tolerances that the bounds rest on; of one clause, all that it states.
  std::vector<bounds::Fact> tolerances() const;
  std::vector<bounds::Fact> tolerancesOf(const std::string& clause) const;
  std::optional<bounds::Fact> horizon() const;

  Reach reachOf(const bounds::Fact& clause) const;
  Reach reachOfHorizon(const bounds::Fact& horizon) const;

  /// The largest tolerance of one clause for one of the other's.
  struct Trade {
    struct Row {
      Rational given;
      Extent other;
    };
    Reach given, other; // what is declared
    std::vector<Row> rows;
  };
  Trade trade(const bounds::Fact& given, const bounds::Fact& other) const;

private:
  bool follows(const bounds::WhatIf::Change& change) const;
  Reach head(const bounds::Fact& input) const;

  Guide guide_;
  const model::Contract& contract_;
  std::vector<bounds::WhatIf> whatIfs_;
};

} // namespace tikc::story
