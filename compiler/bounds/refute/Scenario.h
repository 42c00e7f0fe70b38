#pragma once

#include "bounds/facts/Goal.h"
#include "bounds/refute/PopulationMeasures.h"

#include <string>

/// A contract and one goal, in a form that can be evaluated on populations.
namespace tikc::bounds::population {

/// Two kernels of the chain: each has the trainer's logits or the others'.
struct View {
  bool firstTrains = true, secondTrains = false;
  Rational firstTemperature, secondTemperature;

  bool isSame() const {
    return firstTrains == secondTrains && firstTemperature == secondTemperature;
  }
  friend bool operator==(const View&, const View&) = default;
};

/// The numbers of a comparison, in one number type.
template <typename N> struct Figures {
  std::vector<GoalLimit<N>> limits;
  std::vector<N> parameters;
  N level = N(0);
  GoalLimit<N> threshold{N(0)}; // for a rate
};

struct Demand {
  const model::Bound* bound = nullptr;
  bool isClaim = false;
  std::size_t view = 0;
  std::string what, limit;
  Figures<double> search;
  Figures<Real> exact;

  template <typename N> const Figures<N>& figures() const {
    if constexpr (std::is_same_v<N, double>)
      return search;
    else
      return exact;
  }
};

template <typename N> struct ContextKind {
  N weight;
  std::array<N, 2> train, infer;
};

/// A population, and its kinds in each view.
template <typename N> struct Crowd {
  std::vector<ContextKind<N>> kinds;
  std::array<unsigned long, 2> copies{1, 1}; // tokens in each class
  unsigned long steps = 1;
  N logCopies = N(0);
  std::vector<std::vector<Context<N>>> seenBy;
};

class Scenario {
public:
  /// Returns nothing if a clause, an assumption or the goal cannot be evaluated on populations.
  static std::optional<Scenario> of(const model::Contract& contract, const Goal& goal,
                                    std::size_t split, unsigned bits);

  unsigned bits = 256;
  std::vector<View> views;
  std::vector<Demand> clauses;
  Demand claim;
  std::optional<Rational> ageDrift; // if the two kinds of logits are of newer and older weights
  std::optional<Rational> logitBound, ratioCap, leastMass, leastRelative;
  std::optional<Rational> vocabulary, mostTokens, mostSteps;
  Rational leastSteps = 1;
  Rational rewardSize, stepRewardSize, gradient, discount;
  double temperature = 1; // of the server, for choices

  bool isAboutResponses() const;
  bool measuresResponses() const;
  bool measures(MetricId metric) const;

  bool hasRoomFor(const std::array<unsigned long, 2>& copies, unsigned long steps) const;
  template <typename N> void look(Crowd<N>& crowd) const;
  /// Whether every clause holds, and every assumption except those of hasRoomFor.
  template <typename N> bool allows(const Crowd<N>& crowd) const;
  template <typename N> bool breaksClaim(const Crowd<N>& crowd) const;
  template <typename N> Answer ask(const Demand& demand, const Crowd<N>& crowd) const;
  template <typename N> std::optional<N> valueOf(const Demand& demand, const Crowd<N>& crowd) const;
  template <typename N> bool meetsAssumptions(const Crowd<N>& crowd) const;
  /// Returns the largest absolute logit of the population.
  template <typename N> static N largestLogit(const Crowd<N>& crowd);
  /// Returns the largest oscillation of the population.
  template <typename N> static N largestDrift(const Crowd<N>& crowd);
  template <typename N> static N largestRatio(const Crowd<N>& crowd);

private:
  template <typename N>
  std::optional<Distribution<N>> distributionOf(const Demand& demand, const Crowd<N>& crowd) const;
  template <typename N>
  std::optional<Distribution<N>> ofMetric(const Demand& demand, const Crowd<N>& crowd) const;
  template <typename N>
  std::optional<Distribution<N>> ofClaim(const Demand& demand, const Crowd<N>& crowd) const;
  template <typename N>
  Distribution<N> ofEss(const Demand& demand, const Crowd<N>& crowd, bool whole) const;
  template <typename N>
  Distribution<N> ofRatios(const Demand& demand, const Crowd<N>& crowd, bool whole) const;
  template <typename N>
  std::optional<N> claimOf(const Demand& demand, const Context<N>& at, const Crowd<N>& crowd) const;
  template <typename N> N discountedDrift(const Context<N>& at, unsigned long steps) const;
};

} // namespace tikc::bounds::population
