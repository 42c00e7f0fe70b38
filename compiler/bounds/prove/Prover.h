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

/// What became of one goal.
struct Decision {
  Goal goal;
  Verdict verdict = Verdict::Unproved;
  /// The tightest bound found, of the facts of the proof it is in.
  std::optional<FactId> fact;
  /// What the contract would have to say for a bound, where there is none; or for the goal to
  /// follow, where one assumption is enough.
  std::vector<Wish> missing;
  /// Kernels that keep every clause and break the claim: why it is refuted.
  std::optional<Witness> witness;
  /// Whether there was effort left to look for such kernels to the end.
  bool isSearched = true;

  /// How much of the budget is left, as a share of it; negative where the bound breaks it. Nothing
  /// without a bound, or for a budget of 0.
  std::optional<Rational> slack(const Derivation& facts) const;
};

/// Every claim of a contract, decided. A goal that was hard is decided in a problem of its own, at
/// a higher precision.
struct Proof {
  std::vector<Problem> problems;
  struct Entry {
    Decision decision;
    std::size_t problem = 0; // whose facts the decision's are
  };
  std::vector<Entry> entries; // in the order of the goals
  /// Clauses that no kernels keep together: nothing is proved from them.
  std::vector<Conflict> conflicts;
  /// Clauses that others leave nothing to say.
  std::vector<Implied> implied;
  /// Entries that would be proved without any clause.
  std::vector<std::size_t> unconditional;

  const Derivation& factsOf(const Entry& entry) const { return problems[entry.problem].facts; }
  /// How many of the entries are not proved.
  std::size_t openEntries() const;
};

inline constexpr unsigned firstPrecision = 256;
inline constexpr unsigned lastPrecision = 4096;

Proof prove(const model::Contract& contract);

/// Whether a bound meets a goal, exactly.
bool meets(const Goal& goal, const Fact& fact);

} // namespace tikc::bounds
