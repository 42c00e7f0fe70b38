#pragma once

#include "bounds/refute/Scenario.h"

#include <functional>

/// The search for a population that breaks a claim, in doubles. It proposes and decides nothing.
namespace tikc::bounds::population {

/// The middle of the two kernels' log-odds as a function of the drift.
struct Centre {
  enum class Tactic : std::uint8_t {
    Fixed,
    KlTrainInfer, // at the chord pair of that divergence
    KlInferTrain,
    InferOdds, // keeps the server's own log-odds constant
    TrainOdds,
  };
  Tactic tactic = Tactic::Fixed;
  double offset = 0;

  double at(double drift) const;
};

/// A population without the digits of its logits. Drifts increase from kind to kind.
struct Candidate {
  std::vector<Rational> weights;
  std::vector<double> drifts;
  Centre centre;
  std::array<unsigned long, 2> copies{1, 1};
  unsigned long steps = 1;
};

/// Returns a candidate's kinds, from its drifts and the middles of their log-odds. A shift of all
/// logits is invisible to softmax, but not to relative drifts.
template <typename N>
std::vector<ContextKind<N>> kindsOf(const Scenario& scenario, const Candidate& candidate,
                                    const std::vector<N>& drifts, const std::vector<N>& middles) {
  using std::abs, std::max;
  std::vector<ContextKind<N>> out;
  N most(0);
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    N train = (middles[i] + drifts[i] / N(2)) / N(2),
      infer = (middles[i] - drifts[i] / N(2)) / N(2);
    most = max(most, N(max(N(abs(train)), N(abs(infer)))));
    out.push_back(
        {numberOf<N>(candidate.weights[i], scenario.bits), {train, -train}, {infer, -infer}});
  }
  if (scenario.measures(MetricId::LogitRel)) {
    N shift =
        scenario.logitBound ? N(numberOf<N>(*scenario.logitBound, scenario.bits) - most) : N(1000);
    for (ContextKind<N>& kind : out)
      for (std::size_t i = 0; i < 2; ++i) {
        kind.train[i] = kind.train[i] + shift;
        kind.infer[i] = kind.infer[i] + shift;
      }
  }
  return out;
}

/// Returns the middle of the log-odds in logits: between two tokens, whatever the sizes of their
/// classes.
double middleOf(const Scenario& scenario, const Candidate& candidate, double drift);

/// Passes each candidate that seems to break the claim to `accept`, until it returns true. Its cost
/// reduces `effort`.
bool search(const Scenario& scenario, const std::function<bool(const Candidate&)>& accept,
            std::size_t& effort);

} // namespace tikc::bounds::population
