#pragma once

#include "bounds/Facts.h"
#include "model/Contract.h"

#include <vector>

namespace tikc::bounds {

/// One inequality that a claim asks for, at one place.
struct Goal {
  std::size_t claim = 0;  // index into the contract's claims
  std::size_t bound = 0;  // index into the claim's bounds
  std::optional<Key> key; // what has to be bounded; nothing where tikc has no bound of that kind
  Place place;
  Rational budget;
  bool strict = false;
  bool lower = false; // the budget is a lower limit
};

/// A contract, as the prover sees it: facts to start from, and goals.
struct Problem {
  struct Slice {
    std::string name; // "*" is the mixture
    bool isMixture = false;
    std::optional<FactId> share, tokenShare; // of the population
  };
  struct Link {
    std::string from, to;
    /// Prefixes and tokens are the server's, at the end of the chain; so on a link that ends before
    /// it, no mean over prefixes is one under either of the link's kernels.
    bool endsAtServer = true;
    /// The steps of the chain between them; empty where clauses compare the two themselves.
    std::vector<std::vector<std::uint32_t>> paths = {};
  };

  unsigned bits = 256;
  std::vector<Slice> slices; // the remainder after the named ones, the mixture last
  std::vector<Link> links;
  Derivation facts;
  std::vector<FactId> inputs;
  std::vector<Goal> goals;
  /// A slice can begin within a response, so what holds of its tokens does not hold of whole
  /// responses.
  bool slicesCutResponses = false;
  /// The gradient's bias is that of one token, so its mean is over tokens.
  bool isOneToken = false;
  /// Facts that would have been inputs, and why they are none: for the reader of an unproved claim.
  std::vector<std::string> passedOver;

  std::uint32_t mixture() const { return static_cast<std::uint32_t>(slices.size() - 1); }
};

Problem pose(const model::Contract& contract, unsigned bits);

} // namespace tikc::bounds
