#pragma once

#include "bounds/facts/Goal.h"
#include "model/Contract.h"

#include <vector>

namespace tikc::bounds {

/// The largest binary exponent of a bound; an exact larger number would take gigabytes.
inline constexpr long largestExponent = 8192;

/// A clause's limit on the side that facts do not bound: at least so much drift. Nothing follows
/// from it, but the bounds of other clauses may contradict it.
struct Counter {
  enum class Target : std::uint8_t { Mean, SomeValue, EveryValue, Share };
  ClauseBound stated;
  Quantity quantity{};
  Place place;
  Target target = Target::Mean;
  Rational share; // of the population that has to reach the limit
  Rational limit;
  bool strict = false;
};

/// The limits of tikc::Efforts that were reached.
struct CutOff {
  bool waysOfAChain = false, fillings = false, rounds = false, conflicts = false;

  void add(const CutOff& other) {
    waysOfAChain |= other.waysOfAChain;
    fillings |= other.fillings;
    rounds |= other.rounds;
    conflicts |= other.conflicts;
  }
};

/// A contract for the prover: initial facts and goals.
struct Problem {
  struct Slice {
    std::string name; // "*" for the mixture
    bool isMixture = false;
    std::optional<FactId> share, tokenShare; // of the population

    /// Whether `wanted` names the slice: its name, `all` for the mixture, empty for any.
    bool isCalled(const std::string& wanted) const {
      return wanted.empty() || name == wanted || (isMixture && wanted == "all");
    }
  };
  struct Link {
    std::string from, to;
    std::uint32_t first = 0, second = 0; // indices into the chain
    /// The laws that rows of the two kernels compare, without a sampler.
    About rows;
  };

  unsigned bits = 256;
  std::vector<Slice> slices;        // in the contract's order, then the rest, then the mixture
  std::vector<Link> links;          // the ends of the chain first, then the named ones
  std::vector<About> abouts;        // of all facts and goals, without duplicates
  std::vector<std::string> kernels; // the chain
  std::uint32_t server = 0;         // its index in the chain
  /// The link of clauses without `link`: the ends, without newer weights in front.
  std::uint32_t measured = 0;
  Derivation facts;
  std::vector<FactId> inputs;
  std::vector<Goal> goals;
  std::vector<Counter> counters;
  /// Comparisons that contradict a mean of 1 of the ratio p/q.
  std::vector<ClauseBound> impossible;
  /// Whether a slice can begin within a response, so that bounds on its tokens do not hold for
  /// whole responses.
  bool slicesCutResponses = false;
  /// Whether the server's settings are compatible with `support: full`.
  bool supportCanBeFull = true;
  /// Whether the gradient's bias is that of single tokens, with its mean over tokens.
  bool isOneToken = false;
  /// Whether `estimator` or `correction` is missing, and what the declared estimator's bias is
  /// without a correction.
  bool lacksEstimator = false, lacksCorrection = false;
  Quantity biasUncorrected = Quantity::StepPlain;
  /// Why facts could not be used as inputs, for notes on unproved claims.
  std::vector<std::string> passedOver;
  CutOff cutOff; // for all derivations

  std::uint32_t mixture() const { return static_cast<std::uint32_t>(slices.size() - 1); }
  /// Whether the slice contains parts of responses rather than whole ones.
  bool cutsResponses(std::uint32_t slice) const {
    return slicesCutResponses && !slices[slice].isMixture;
  }
  /// Returns the index of these laws; adds them if they are new.
  std::uint32_t indexOf(const About& about);
  std::optional<std::uint32_t> find(const About& about) const;
  /// Returns the inputs of a link and its laws by slice, in order; shares of slices are left out.
  std::vector<std::vector<FactId>> inputsOf(std::uint32_t link, std::uint32_t about) const;
  /// Returns the served laws and the server as sampler, which claims are about.
  About served() const { return {model::Law::Served, model::Law::Served, false, server}; }
};

Problem pose(const model::Contract& contract, unsigned bits);

} // namespace tikc::bounds
