#pragma once

#include "bounds/refute/Scenario.h"

#include <functional>

/// The search for a population that breaks a claim, in doubles: it proposes, and decides nothing.
namespace tikc::bounds::population {

/// Where the middle of the two kernels' log-odds lies, for a drift of so much.
struct Centre {
  enum class Tactic : std::uint8_t {
    Fixed,
    KlTrainInfer, // where the chord pair of that divergence has it
    KlInferTrain,
    InferOdds, // the inference kernel's own log-odds stay where they are
    TrainOdds,
  };
  Tactic tactic = Tactic::Fixed;
  double offset = 0;

  double at(double drift) const;
};

/// A population but for the digits of its logits. The kinds drift the more the later they come.
struct Candidate {
  std::vector<Rational> weights;
  std::vector<double> drifts;
  Centre centre;
  std::array<unsigned long, 2> copies{1, 1};
  unsigned long steps = 1;
};

/// The kinds of a candidate, for its drifts and the middles of their log-odds. What is added to all
/// logits no softmax sees, but relative drifts do.
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

/// The middle of the log-odds in logits: of two tokens, whatever the sizes of their classes.
double middleOf(const Scenario& scenario, const Candidate& candidate, double drift);

/// Hands over every candidate that seems to break the claim, until one is accepted. What it costs
/// is taken from `effort`.
bool search(const Scenario& scenario, const std::function<bool(const Candidate&)>& accept,
            std::size_t& effort);

} // namespace tikc::bounds::population
