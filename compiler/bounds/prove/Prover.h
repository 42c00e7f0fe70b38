#pragma once

#include "bounds/prove/Conflicts.h"
#include "bounds/prove/Implied.h"
#include "bounds/prove/Missing.h"
#include "bounds/refute/Witness.h"

#include <optional>
#include <string>
#include <vector>

namespace tikc::bounds {

enum class Verdict : std::uint8_t { Proved, Refuted, Unproved };
std::string_view verdictName(Verdict verdict);

/// The decision on one goal.
struct Decision {
  Goal goal;
  Verdict verdict = Verdict::Unproved;
  /// The tightest bound; an id in the facts of its problem.
  std::optional<FactId> fact;
  /// What the contract has to add: for any bound, or for the goal if one assumption is enough.
  std::vector<Wish> missing;
  /// Kernels that satisfy every clause and break the claim, for Refuted.
  std::optional<Witness> witness;
  /// Whether the search for such kernels completed within its effort.
  bool isSearched = true;

  /// Returns the unused share of the budget; negative if the bound exceeds it. Nothing without a
  /// bound, or for a budget of 0.
  std::optional<Rational> slack(const Derivation& facts) const;
};

/// The decisions on all claims of a contract. A hard goal has its own problem, with a higher
/// precision.
struct Proof {
  std::vector<Problem> problems;
  struct Entry {
    Decision decision;
    std::size_t problem = 0; // index of the problem with the decision's facts
  };
  std::vector<Entry> entries; // in the order of the goals
  /// Clauses that no kernels satisfy together; if there are any, nothing is proved.
  std::vector<Conflict> conflicts;
  /// Comparisons that other clauses imply.
  std::vector<ImpliedBound> implied;
  /// Indices of entries that hold without any clause.
  std::vector<std::size_t> unconditional;

  const Derivation& factsOf(const Entry& entry) const { return problems[entry.problem].facts; }
  /// Returns how many entries are not proved.
  std::size_t openEntries() const;
};

inline constexpr unsigned firstPrecision = 256;
inline constexpr unsigned lastPrecision = 4096;

Proof prove(const model::Contract& contract);

/// Whether a bound meets a goal, exactly.
bool meets(const Goal& goal, const Fact& fact);

} // namespace tikc::bounds
