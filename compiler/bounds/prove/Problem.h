#pragma once

#include "bounds/facts/Goal.h"
#include "model/Contract.h"

#include <vector>

namespace tikc::bounds {

/// A number beyond 2^this bounds nothing: as an exact one it would take gigabytes.
inline constexpr long largestExponent = 8192;

/// What a clause asks from the other side than facts bound it: at least so much drift. Nothing
/// follows from it, but what follows from other clauses may leave nothing of it.
struct Counter {
  enum class Asked : std::uint8_t { Mean, SomeValue, EveryValue, Share };
  ClauseBound stated;
  Quantity quantity{};
  Place place;
  Asked asked = Asked::Mean;
  Rational share; // of the population that has to reach the limit
  Rational limit;
  bool strict = false;
};

/// What of tikc::Efforts cut something off.
struct CutOff {
  bool waysOfAChain = false, fillings = false, rounds = false, conflicts = false;

  void add(const CutOff& other) {
    waysOfAChain |= other.waysOfAChain;
    fillings |= other.fillings;
    rounds |= other.rounds;
    conflicts |= other.conflicts;
  }
};

/// A contract, as the prover sees it: facts to start from, and goals.
struct Problem {
  struct Slice {
    std::string name; // "*" is the mixture
    bool isMixture = false;
    std::optional<FactId> share, tokenShare; // of the population

    /// As users ask for it: by its name, the mixture as `all`, any by nothing.
    bool isCalled(const std::string& wanted) const {
      return wanted.empty() || name == wanted || (isMixture && wanted == "all");
    }
  };
  struct Link {
    std::string from, to;
    std::uint32_t first = 0, second = 0; // their places in the chain
    /// What rows of the two compare, but for the drawer.
    About rows;
  };

  unsigned bits = 256;
  std::vector<Slice> slices;        // the remainder after the named ones, the mixture last
  std::vector<Link> links;          // the ends of the chain first, then those that are named
  std::vector<About> abouts;        // whose laws some fact or goal is about, each once
  std::vector<std::string> kernels; // the chain
  std::uint32_t server = 0;         // its place in the chain
  /// The link of a clause that names none: the ends, but for newer weights in front of them.
  std::uint32_t measured = 0;
  Derivation facts;
  std::vector<FactId> inputs;
  std::vector<Goal> goals;
  std::vector<Counter> counters;
  /// Comparisons that a ratio p/q whose mean is 1 cannot keep.
  std::vector<ClauseBound> impossible;
  /// A slice can begin within a response, so what holds of its tokens does not hold of whole
  /// responses.
  bool slicesCutResponses = false;
  /// Nothing that the server declares contradicts `support: full`.
  bool supportCanBeFull = true;
  /// The gradient's bias is that of one token, so its mean is over tokens.
  bool isOneToken = false;
  /// Which of `estimator` and `correction` is not said, and what an estimator that is said makes of
  /// the bias without a correction.
  bool lacksEstimator = false, lacksCorrection = false;
  Quantity biasUncorrected = Quantity::StepPlain;
  /// Facts that would have been inputs, and why they are none: for the reader of an unproved claim.
  std::vector<std::string> passedOver;
  CutOff cutOff; // of what was derived

  std::uint32_t mixture() const { return static_cast<std::uint32_t>(slices.size() - 1); }
  /// Whether the slice begins or ends within responses, so that none is in it whole.
  bool cutsResponses(std::uint32_t slice) const {
    return slicesCutResponses && !slices[slice].isMixture;
  }
  /// The index of what is about these laws; adds it where it is new.
  std::uint32_t indexOf(const About& about);
  std::optional<std::uint32_t> find(const About& about) const;
  /// The inputs that hold there, but for shares, by slice and each in their order.
  std::vector<std::vector<FactId>> inputsOf(std::uint32_t link, std::uint32_t about) const;
  /// What tokens are drawn from: what claims are about.
  About served() const { return {model::Law::Served, model::Law::Served, false, server}; }
};

Problem pose(const model::Contract& contract, unsigned bits);

} // namespace tikc::bounds
