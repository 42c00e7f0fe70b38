#include "ProverFixture.h"

#include <cmath>

namespace tikc::tests {
namespace {

/// What is often claimed and does not follow. `near` is a claim of the same kind that does, where
/// there is one: the trap is refused for what it says, not for want of a bound.
struct Trap {
  const char* name;
  Written of;
  std::string wrong;
  std::string near = {};
};

void PrintTo(const Trap& trap, std::ostream* out) { *out << trap.name; }

class ProverTrap : public testing::TestWithParam<Trap> {};

TEST_P(ProverTrap, IsRefused) {
  const Trap& trap = GetParam();
  EXPECT_FALSE(proves(trap.of, trap.wrong)) << trap.wrong;
  if (!trap.near.empty()) {
    EXPECT_TRUE(proves(trap.of, trap.near)) << trap.near;
  }
}

Written of(std::string clauses, std::string assumptions = "support: full",
           std::string model = "vocabulary: 1000, horizon: 64 tokens") {
  return {std::move(model), std::move(assumptions), std::move(clauses)};
}

std::string number(double value) { return fmt::format("{:.12g}", value); }

const std::string oscillation = "  drift: max(logit_osc) <= 0.1\n";

INSTANTIATE_TEST_SUITE_P(
    OneToken, ProverTrap,
    testing::Values(
        Trap{"LogRatioIsTwiceTheLogitDrift", of("  d: max(logit_linf) <= 0.1\n"),
             "max(ratio) <= 1.2", "max(ratio) <= 1.2215"},
        Trap{"LogRatioFromBelow", of("  d: max(logit_linf) <= 0.1\n"), "min(ratio) >= 0.82",
             "min(ratio) >= 0.8187"},
        Trap{"MeanIsNoRootMeanSquare", of("  d: mean(logit_l2) <= 0.1\n"), "max(tv) <= 0.9",
             "tv <= 0.036"},
        Trap{"NormNeedsRootTwo", of("  d: max(logit_l2) <= 1\n"),
             "max(tv) <= " + number(std::tanh(0.25)), "max(tv) <= 0.34"},
        Trap{"MarginAgainstOneLogitsDrift",
             of("  d: max(logit_linf) <= 1.1\n  m: min(top1_margin) >= 1\n"),
             "max(top1_flip) <= 0"},
        Trap{"MarginMetExactly", of("  d: max(logit_linf) <= 1\n  m: min(top1_margin) >= 1\n"),
             "max(top1_flip) <= 0"},
        Trap{"FlipsNeedAMargin", of(oscillation), "top1_flip <= 0.9"},
        Trap{"DistanceBoundsNoRatio", of("  d: max(tv) <= 0.01\n"), "max(ratio) <= 1e12"},
        Trap{"DistanceBoundsNoDivergence", of("  d: max(tv) <= 0.01\n"),
             "kl_train_infer <= 100 nat"},
        Trap{"DistanceBoundsNoDivergenceBack", of("  d: max(tv) <= 0.01\n"),
             "kl_infer_train <= 100 nat"},
        Trap{"DistanceBoundsNoVariance", of("  d: max(tv) <= 0.01\n"), "chi2 <= 1e12"},
        Trap{"DistanceBoundsNoSampleSize", of("  d: max(tv) <= 0.01\n"), "ess >= 0.01%"},
        Trap{"DivergenceHasADirection", of("  d: max(kl_infer_train) <= 0.01\n"),
             "kl_train_infer <= 100 nat", "max(tv) <= 0.0707"},
        Trap{"DivergenceBoundsNoRatio", of("  d: max(kl_train_infer) <= 0.01\n"),
             "max(ratio) <= 1e12"},
        Trap{"DivergenceLeavesSampleSizeOpen", of("  d: mean(kl_train_infer) <= 0.01\n"),
             "ess >= 0.01%"},
        Trap{"VarianceBoundsOneDivergence", of("  d: max(chi2) <= 0.01\n"),
             "kl_infer_train <= 100 nat", "kl_train_infer <= 0.00996 nat"},
        Trap{"ConvexCurvesTakeNoMeans",
             of("  m: mean(logit_osc) <= 0.5\n  w: max(logit_osc) <= 4\n"),
             "kl_train_infer <= 0.0312 nat", "kl_train_infer <= 0.21 nat"},
        Trap{"MeansAloneLeaveVarianceOpen", of("  m: mean(logit_osc) <= 0.1\n"), "chi2 <= 1e12",
             "tv <= 0.025"},
        Trap{"MeansAloneLeaveRatiosOpen", of("  m: mean(logit_osc) <= 0.1\n"),
             "max(ratio) <= 1e12"},
        Trap{"RatiosOfIdenticalKernelsAreOne",
             of("  m: mean(logit_osc) <= 0.0001\n  w: max(logit_osc) <= 4\n"), "p99(ratio) <= 0.99",
             "max(ratio) <= 54.6"},
        Trap{"MeanIsNoWorst", of("  d: mean(tv) <= 0.001\n"), "max(tv) <= 0.9"},
        Trap{"QuantileIsNoWorst", of("  d: p999(logit_osc) <= 0.001\n"), "max(tv) <= 0.9",
             "p999(tv) <= 0.00026"},
        Trap{"QuantileLeavesATail", of("  d: p99(logit_osc) <= 0.001\n"),
             "kl_infer_train <= 100 nat", "tv <= 0.0103"},
        Trap{"QuantileOfAHigherLevel", of("  d: p90(logit_osc) <= 0.001\n"), "p99(tv) <= 0.9",
             "p90(tv) <= 0.00026"},
        Trap{"SamplesAreNotTheVocabulary", of("  g: p99(abs(logprob_gap)) <= 0.1\n"),
             "tv <= " + number(0.99 * std::tanh(0.05) + 0.01), "tv <= 0.1043"},
        Trap{"SamplesAreNotItsWorst", of("  g: p99(abs(logprob_gap)) <= 0.001\n"), "max(tv) <= 0.9",
             "tv <= 0.011"},
        Trap{"SamplesBoundNoRatio", of("  g: mean(abs(logprob_gap)) <= 0.001\n"),
             "max(ratio) <= 1e12"},
        Trap{"HalfTheMeanGap", of("  g: mean(abs(logprob_gap)) <= 0.1\n"), "tv <= 0.05",
             "tv <= 0.0952"},
        Trap{"HalfTheMultError", of("  g: mean(mult_prob_error) <= 1.5\n"), "tv <= 0.21",
             "tv <= 0.2193"},
        Trap{"LargestOfAMeanMultError", of("  g: mean(mult_prob_error) <= 1.001\n"),
             "max(ratio) <= 1e12"},
        Trap{"HalfTheProbabilityGap", of("  g: mean(prob_gap) <= 0.001\n"), "tv <= 0.9"},
        Trap{"NoTokenBoundsItsRow", of("  g: max(prob_gap) <= 0.001\n"), "tv <= 0.9"},
        Trap{"NoTokensDivergenceBoundsItsRow", of("  g: max(binary_kl) <= 0.001\n"), "tv <= 0.9"},
        Trap{"PerplexitySaysNothing", of("  g: ppl_ratio in [0.999, 1.001]\n"), "tv <= 0.9"},
        Trap{"CorrelationSaysNothing", of("  g: pearson >= 0.9999\n"), "tv <= 0.9"},
        Trap{"WindowsSampleSizeSaysNothing", of("  g: ess_sample >= 99.9%\n"), "ess >= 0.01%"},
        Trap{"RatesOfLargeRatiosSayNothing", of("  g: rate(ratio > 1.01) <= 0.01%\n"), "tv <= 0.9"},
        Trap{"SecondMomentOfGapsIsNoDivergence", of("  g: mean(k2) <= 0.001\n"),
             "kl_infer_train <= 0.001 nat", "kl_infer_train <= 0.0448 nat"}),
    nameOf);

Written cut(std::string clauses, std::string assumptions = "support: { missing_mass: 0.1% }") {
  return of(std::move(clauses), std::move(assumptions));
}

Written rawLogs(std::string sampling, std::string assumptions = "support: full") {
  Written out = of("  s: mean(tv_sampled) <= 1%\n  k: mean(k3) <= 0.01\n", std::move(assumptions));
  out.kernels =
      "  trainer: { engine: fsdp2 }\n  rollout: { engine: vllm, logprobs: raw" + sampling + " }\n";
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Support, ProverTrap,
    testing::Values(
        Trap{"SampleSizeIsZero", cut(oscillation), "ess >= 0.01%"},
        Trap{"RatiosAreInfinite", cut(oscillation), "max(ratio) <= 1e12"},
        Trap{"DivergenceIsInfinite", cut(oscillation), "kl_train_infer <= 100 nat",
             "kl_infer_train <= 0.003 nat"},
        Trap{"VarianceIsInfinite", cut(oscillation), "chi2 <= 1e12"},
        Trap{"OscillationAlone", cut(oscillation), "max(tv) <= " + number(std::tanh(0.025)),
             "max(tv) <= 0.026"},
        Trap{"NothingSaid", of(oscillation, "reward: [0, 1]"), "tv <= 0.9"},
        Trap{"LessDriftDoesNotHelp", cut("  d: max(logit_osc) <= 0.0000001\n"),
             "max(tv) <= 0.000999", "max(tv) <= 0.001"},
        Trap{"ThirdEstimatorLosesMass", cut("  k: mean(k3) <= 0.001\n"),
             "kl_infer_train <= 0.001 nat"},
        Trap{"WholeSoftmaxes", cut("  k: mean(kl_infer_train) <= 0.001\n"),
             "kl_infer_train <= 0.1 nat"},
        Trap{"RowsBeforeTheCut", cut("  k: mean(tv) <= 1%\n", "support: { top_p: 95% }"),
             "tv <= 0.059", "tv <= 0.06"},
        Trap{"RawAtAnotherTemperature", rawLogs(", sampling: { temperature: 0.7 }"), "tv <= 0.9"},
        Trap{"RawAtTemperatureOne", rawLogs(""), "tv <= 0.0099", "tv <= 0.01"},
        Trap{"RawFromANucleus", rawLogs(", sampling: { top_p: 0.95 }", "support: { top_p: 95% }"),
             "tv <= 0.9"},
        Trap{"ADeclaredNucleusIsNoFullSupport", rawLogs(", sampling: { top_p: 0.95 }"),
             "ess >= 0.01%"}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Responses, ProverTrap,
    testing::Values(
        Trap{"MeansDoNotMultiply",
             of("  d: mean(tv) <= 10%\n", "support: full", "horizon: 5 tokens"), "seq_tv <= 0.4096",
             "seq_tv <= 0.5"},
        Trap{"MeanLengthIsNoExponent",
             of("  d: max(tv) <= 10%\n", "support: full, mean_length: 3 tokens",
                "horizon: 1000 tokens"),
             "seq_tv <= 0.271", "seq_tv <= 0.3"},
        Trap{"AQuantileOverAHorizon",
             of("  d: p99(tv) <= 0.001\n", "support: full", "horizon: 128 tokens"),
             "seq_tv <= 0.99"},
        Trap{"MeansEnterNoProduct", of("  d: mean(chi2) <= 0.001\n"), "seq_ess >= 0.01%",
             "ess >= 99.9%"},
        Trap{"MeansEnterNoSquareRoot", of("  d: mean(logit_osc) <= 0.004\n"), "seq_tv <= 0.03",
             "seq_tv <= 0.064"},
        Trap{"PrefixesBelongToADirection", of("  k: mean(kl_train_infer) <= 0.0001\n"),
             "seq_tv <= " + number(std::sqrt(0.0064 / 2)), "seq_tv <= 0.453"},
        Trap{"PrefixesBelongToADirectionOfRewards",
             of("  k: mean(kl_train_infer) <= 0.0001\n", "support: full, reward_sigma: 0.5"),
             "reward_drift <= 1000"},
        Trap{"SubGaussianUnderOneKernel",
             of("  k: mean(kl_infer_train) <= 0.0001\n", "support: full, reward_sigma: 0.5"),
             "reward_drift <= 1000"},
        Trap{"GaussianLimit",
             of("  d: max(logit_osc) <= 1\n", "support: full", "horizon: 1 tokens"),
             "seq_tv <= 0.1974", "seq_tv <= 0.245"},
        Trap{"HalfTheRange", of("  s: mean(seq_tv) <= 10%\n", "support: full, reward: [-1, 1]"),
             "reward_drift <= 0.1", "reward_drift <= 0.2"},
        Trap{"NoRange", of("  s: mean(seq_tv) <= 10%\n"), "reward_drift <= 1000"},
        Trap{"NoHorizon", of(oscillation, "support: full, reward: [0, 1]", "vocabulary: 10"),
             "seq_tv <= 0.99"},
        Trap{"LogRatiosAddUp", of("  d: max(logit_linf) <= 0.001\n"),
             "max(seq_ratio) <= " + number(std::exp(0.064) * 1.001), "max(seq_ratio) <= 1.1366"},
        Trap{"EarlyDriftWeighsMost",
             of("  d: mean(tv) <= 0.1%\n", "support: full, step_reward: [0, 1], discount: 1"),
             "discounted_reward_drift <= 2.08", "discounted_reward_drift <= 4.096"},
        Trap{"DiscountedMeansNeedAHorizon",
             of("  d: mean(tv) <= 0.1%\n", "support: full, step_reward: [0, 1], discount: 0.9",
                "vocabulary: 10"),
             "discounted_reward_drift <= 0.1"},
        Trap{"EndedResponsesEarnZero",
             of("  d: mean(seq_tv) <= 10%\n", "support: full, step_reward: [1, 1], discount: 1"),
             "discounted_reward_drift <= 6.3", "discounted_reward_drift <= 6.4"}),
    nameOf);

// Contracts whose claim is as bad as another kind of kernel can make it: the witness says so.

/// A long response's tokens weigh little in it, however many contexts they are.
TEST(ProverTraps, AMeanByResponseIsNoneOverContexts) {
  for (const char* clause :
       {"mean_by_response(tv_sampled) <= 0.01", "mean_by_response(k3) <= 0.001",
        "mean_by_response(abs(logprob_gap)) <= 0.001"}) {
    Written written = of("");
    written.clauses = fmt::format("  wide: max(tv) <= 0.5\nstatistical:\n  gap: {}\n", clause);
    Decided decided(written, "mean(tv) <= 0.1");
    EXPECT_FALSE(decided.isProved()) << clause;
    EXPECT_FALSE(decided.isRefuted()) << clause;
  }
}

TEST(ProverTraps, AreRefutedWhereAWitnessShowsIt) {
  EXPECT_TRUE(refutes(of("  d: max(logit_linf) <= 0.1\n"), "max(ratio) <= 1.2"));
  EXPECT_TRUE(refutes(of("  m: mean(logit_osc) <= 0.5\n  w: max(logit_osc) <= 4\n"),
                      "kl_train_infer <= 0.0312 nat"));
  EXPECT_TRUE(refutes(of("  d: max(tv) <= 0.01\n"), "max(ratio) <= 1e12"));
  EXPECT_FALSE(refutes(of("  d: max(logit_linf) <= 0.1\n"), "max(ratio) <= 1.2215"));
}

} // namespace
} // namespace tikc::tests
