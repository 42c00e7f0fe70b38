#pragma once

#include <cstddef>

namespace tikc {

/// How far proofs and searches go before they give up, which is never a verdict: what is cut off is
/// unproved, and says so.
struct Efforts {
  /// Ways through a chain that are kept for each quantity at each kernel: pairs of the share on
  /// which a quantile fails and its value.
  std::size_t waysOfAChain = 16;
  /// Ways to fill the premises of one use of a lemma.
  std::size_t fillings = 64;
  /// Rounds of all lemmas at one place: a conversion there and back could tighten a bound for ever,
  /// by less and less. None of the lemmas are known to need more than a few.
  int rounds = 16;
  /// What one contract's search for counterexamples may cost: some forty claims that hold and
  /// cannot be proved.
  std::size_t searching = 1'000'000;
  /// Clauses of one contract that are shown to contradict others; one is enough to prove nothing.
  std::size_t conflicts = 16;
  /// Combinations of verdicts that a search of a policy tries in one tick: six clauses by name.
  std::size_t inputs = 1024;
  /// Ticks that one such search goes through, and all those of a contract that ask of one rule; as
  /// many again may ask of several. A million take some 50 ms.
  std::size_t ticks = 200'000;
  std::size_t allTicks = 3'000'000;
  /// The same of two policies that are held to one another: one search of both together, and all of
  /// a contract.
  std::size_t comparedTicks = 500'000;
  std::size_t allComparedTicks = 4'000'000;
  /// Of a contract whose policy is searched at all: its clauses; and clauses, rules and slices,
  /// multiplied.
  std::size_t policyClauses = 1000;
  std::size_t policySize = 2'000'000;
};
inline constexpr Efforts efforts;

} // namespace tikc
