#pragma once

#include <cstddef>

namespace tikc {

/// Limits on the work of proofs and searches. Reaching a limit is never a verdict: the claim stays
/// unproved, and the finding names the limit.
struct Efforts {
  /// Entries kept for each quantity at each kernel of a chain: pairs of a failing share of a
  /// quantile and its value.
  std::size_t waysOfAChain = 16;
  /// Ways to fill the premises of one lemma.
  std::size_t fillings = 64;
  /// Rounds of all lemmas at one place. Without a limit, a conversion back and forth could tighten
  /// a bound forever by ever less. No known lemma needs more than a few.
  int rounds = 16;
  /// Work of one contract's search for counterexamples, enough for some forty true claims without a
  /// proof.
  std::size_t searching = 1'000'000;
  /// Clauses of one contract reported as contradicting others; one is enough to withdraw all
  /// verdicts.
  std::size_t conflicts = 16;
  /// Combinations of verdicts that a policy search tries in one tick: enough for six named clauses.
  std::size_t inputs = 1024;
  /// Ticks of one search, and of all searches of a contract about single rules; searches about
  /// several rules get as many again. A million ticks take some 50 ms.
  std::size_t ticks = 200'000;
  std::size_t allTicks = 3'000'000;
  /// Ticks of one search that compares two policies, and of all such searches of a contract.
  std::size_t comparedTicks = 500'000;
  std::size_t allComparedTicks = 4'000'000;
  /// Size limits above which a policy is not searched: its clauses, and the product of clauses,
  /// rules and slices.
  std::size_t policyClauses = 1000;
  std::size_t policySize = 2'000'000;
};
inline constexpr Efforts efforts;

} // namespace tikc
