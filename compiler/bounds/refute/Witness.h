#pragma once

#include "bounds/facts/Goal.h"

/// Populations that refute claims.
namespace tikc::bounds {

/// A population of contexts in which every clause and assumption holds and a claim does not. Each
/// prompt's response has so many tokens, all of them with the prompt's kind of context. Every slice
/// has the same population, so that it counts for each slice and for the mixture.
struct Witness {
  /// Two classes of tokens; tokens of one class have the same logits. All other tokens of the
  /// vocabulary are masked by every kernel.
  struct Kind {
    Rational weight;
    std::vector<Rational> train, infer;
  };
  /// What was evaluated, and what had to hold: the claim, last, is what does not.
  struct Row {
    std::string what; // max(logit_osc)
    Real value;
    std::string asked;   // <= 1
    unsigned digits = 5; // that tell the value from what was asked
  };
  std::vector<Kind> kinds;
  std::vector<unsigned long> copies; // tokens in each class
  unsigned long steps = 1;
  /// Kernels of the chain before this one have the train logits, the others the infer logits.
  std::size_t split = 1;
  std::vector<Row> rows;
};

/// Nothing where none was found, and where the contract says what such populations cannot tell.
/// What the search costs is taken from `effort`; without any there is no search.
std::optional<Witness> findWitness(const model::Contract& contract, const Goal& goal, unsigned bits,
                                   std::size_t& effort);

} // namespace tikc::bounds
