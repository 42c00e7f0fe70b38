#pragma once

#include "bounds/facts/Goal.h"

/// Populations that refute claims.
namespace tikc::bounds {

/// A population of contexts that satisfies every clause and assumption and breaks a claim. All
/// responses have `steps` tokens, all with their prompt's kind of context. Every slice has an equal
/// population, so the witness counts for each slice and for the mixture.
struct Witness {
  /// A kind of context. Tokens are in two classes with equal logits each; every kernel masks the
  /// rest of the vocabulary.
  struct Kind {
    Rational weight;
    std::vector<Rational> train, infer;
  };
  /// An evaluated quantity and its limit. The last row is the claim, which does not hold.
  struct Row {
    std::string what; // max(logit_osc)
    Real value;
    std::string limit;   // <= 1
    unsigned digits = 5; // needed to tell the value from its limit
  };
  std::vector<Kind> kinds;
  std::vector<unsigned long> copies; // tokens in each class
  unsigned long steps = 1;
  /// Kernels before this index of the chain have the train logits, the others the infer logits.
  std::size_t split = 1;
  std::vector<Row> rows;
};

/// Returns nothing if none was found, or if the contract cannot be evaluated on such populations.
/// The search reduces `effort`; at 0 there is no search.
std::optional<Witness> findWitness(const model::Contract& contract, const Goal& goal, unsigned bits,
                                   std::size_t& effort);

} // namespace tikc::bounds
