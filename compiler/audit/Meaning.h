#pragma once

#include "model/Expr.h"
#include "support/Limits.h"
#include "support/Rational.h"
#include "support/Source.h"

#include <map>
#include <optional>
#include <span>
#include <string>

namespace tikc::audit {

/// The promise of a gate, as a clause of a contract.
struct MeantClause {
  std::string figure, measure; // the logged name, and the measure that it equals
  model::Comparator comparator = model::Comparator::Less;
  std::string require;
  Rational limit; // of one side
  Span place;
  std::string seen; // the part of the steps or tokens that the gate bounds: "half of the steps"
};

/// Returns a valid contract with the promises of all gates, the narrowest of each measure and side.
/// Empty without clauses.
std::string contractOf(const SourceManager& sources, std::span<const MeantClause> clauses,
                       const Limits& limits);

/// The bounds that follow from one clause alone; empty if none do.
struct LetThrough {
  std::string tv, bias; // "0.0387"; the bias is a multiple of advantage times score norm
  std::optional<Rational> tvValue;
};

/// Asks the prover once for each clause.
class Meanings {
public:
  explicit Meanings(const Limits& limits) : limits_(limits) {}
  const LetThrough& of(const std::string& require);

private:
  const Limits& limits_;
  std::map<std::string, LetThrough> known_;
};

} // namespace tikc::audit
