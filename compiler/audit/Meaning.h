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

/// A gate's promise as the clause of a contract.
struct MeantClause {
  std::string figure, measure; // as it is logged, and what it equals
  model::Comparator comparator = model::Comparator::Less;
  std::string require;
  Rational limit; // of one side
  Span place;
};

/// A contract of what the gates say together, the narrowest of each measure and side, which checks
/// clean. Empty where no clause says anything.
std::string contractOf(const SourceManager& sources, std::span<const MeantClause> clauses,
                       const Limits& limits);

/// What follows from a clause alone, as the prover has it. Empty where nothing does.
struct LetThrough {
  std::string tv, bias; // "0.0387"; the bias as a multiple of advantage times score norm
  std::optional<Rational> tvValue;
};

/// Asks the prover, each clause once.
class Meanings {
public:
  explicit Meanings(const Limits& limits) : limits_(limits) {}
  const LetThrough& of(const std::string& require);

private:
  const Limits& limits_;
  std::map<std::string, LetThrough> known_;
};

} // namespace tikc::audit
