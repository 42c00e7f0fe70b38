#include "ProverFixture.h"

#include <cmath>

namespace tikc::tests {
namespace {

Written with(std::string clauses, std::string assumptions = "support: full") {
  Written out;
  out.clauses = std::move(clauses);
  out.assumptions = std::move(assumptions);
  return out;
}

// Exactness.

TEST(Prover, DecidesRationalStepsExactly) {
  Written responses = with("  answers: mean(seq_tv) <= 15%\n", "support: full, reward: [0, 1]");
  EXPECT_TRUE(proves(responses, "reward_drift <= 0.15"));
  EXPECT_FALSE(proves(responses, "reward_drift < 0.15"));
  EXPECT_FALSE(proves(responses, "reward_drift <= 0.149999999999999999999999999999"));
  Written gradient =
      with("  near: mean(tv) <= 1%\n",
           "support: full, advantage: 4, score_norm: 8, estimator: step, correction: none");
  EXPECT_TRUE(proves(gradient, "pg_bias <= 0.64"));
  EXPECT_FALSE(proves(gradient, "pg_bias < 0.64"));
}

TEST(Prover, ProvesStrictClaimsFromStrictClausesOnly) {
  EXPECT_TRUE(proves(with("  near: max(tv) < 0.1\n"), "max(tv) < 0.1"));
  EXPECT_TRUE(proves(with("  near: max(tv) < 0.1\n"), "max(tv) <= 0.1"));
  EXPECT_FALSE(proves(with("  near: max(tv) <= 0.1\n"), "max(tv) < 0.1"));
  EXPECT_TRUE(proves(with("  near: max(tv) <= 0.1\n  also: max(tv) < 0.1\n"), "max(tv) < 0.1"));
  EXPECT_FALSE(proves(with("  drift: max(logit_osc) <= 1\n"), "max(ratio) < 2.7182818"))
      << "strict for one context, not for a supremum";
}

TEST(Prover, RaisesThePrecisionWhereABudgetIsClose) {
  // The first 50 digits of tanh(1/4).
  const std::string digits = "0.24491866240370912927780113149101695750655873061782";
  Written drift = with("  drift: max(logit_osc) <= 1\n");
  EXPECT_TRUE(proves(drift, "max(tv) <= " + digits + "9"));
  EXPECT_FALSE(proves(drift, "max(tv) <= 0.244918662403709129277801131491"));
  EXPECT_TRUE(proves(drift, "max(tv) <= 0.244918662403709129277801131492"));
  EXPECT_FALSE(proves(drift, "max(tv) <= " + digits));
}

TEST(Prover, TakesBothEndsOfAnInterval) {
  Written responses = with("  answers: mean(seq_tv) <= 15%\n");
  EXPECT_TRUE(proves(responses, "seq_tv in [0, 0.15]"));
  EXPECT_FALSE(proves(responses, "seq_tv in [0.01, 0.15]")) << "nothing bounds it from below";
  Written drift = with("  drift: max(logit_osc) <= 0.1\n");
  EXPECT_TRUE(proves(drift, "max(ratio) in [0, 1.11]"));
  EXPECT_TRUE(proves(with("  near: mean(tv) in [0, 0.1]\n"), "tv <= 0.1"));
  EXPECT_TRUE(proves(drift, "tv <= 0.03 and ess >= 0.99"));
  EXPECT_FALSE(proves(drift, "tv <= 0.03 and ess >= 0.9999"));
}

TEST(Prover, KnowsUnits) {
  Written bits = with("  drift: max(logit_osc) <= 1 bit\n");
  EXPECT_TRUE(proves(bits, "max(ratio) <= 2.0000000001"));
  EXPECT_FALSE(proves(bits, "max(ratio) <= 1.9999999999"));
  Written nats = with("  k: mean(kl_infer_train) <= 0.6931471805599453 nat\n");
  EXPECT_TRUE(proves(nats, "kl_infer_train <= 1 bit"));
  EXPECT_FALSE(proves(nats, "kl_infer_train <= 0.9999999 bit"));
  EXPECT_TRUE(proves(with("  k: mean(kl_infer_train) <= 1 bit\n"),
                     "kl_infer_train <= 1.0000000000000000000000000001 bit"));
  EXPECT_TRUE(proves(with("  near: mean(tv) <= 10%\n"), "tv <= 0.1"));
}

// One lemma or a short chain each, at the edge of what follows.

const std::string unit = "  drift: max(logit_osc) <= 1\n";

double klOsc(double omega) {
  double y = omega / 2;
  return y / std::tanh(y) - 1 + std::log(std::sinh(y) / y);
}

class ProverEdge : public testing::TestWithParam<Edge> {};

TEST_P(ProverEdge, FollowsAndNoMore) { expectEdge(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    OneToken, ProverEdge,
    testing::Values(
        Edge{"tv", with(unit), "max(tv) <= {}", std::tanh(0.25)},
        Edge{"mean_of_sup", with(unit), "tv <= {}", std::tanh(0.25)},
        Edge{"linf", with("  d: max(logit_linf) <= 0.5\n"), "max(tv) <= {}", std::tanh(0.25)},
        Edge{"l2", with("  d: max(logit_l2) <= 0.5\n"), "max(tv) <= {}",
             std::tanh(0.5 / (2 * std::sqrt(2)))},
        Edge{"logprob", with("  d: max(logprob_linf) <= 0.5\n"), "max(tv) <= {}", std::tanh(0.25)},
        Edge{
            "relative",
            {"vocabulary: 1000, logit_bound: 20", "support: full", "  d: max(logit_rel) <= 0.01\n"},
            "max(tv) <= {}",
            std::tanh(0.1)},
        Edge{"hellinger", with(unit), "max(hellinger) <= {}", std::tanh(0.25) * std::tanh(0.125)},
        Edge{"kl", with(unit), "max(kl_train_infer) <= {} nat", klOsc(1)},
        Edge{"kl_back", with(unit), "max(kl_infer_train) <= {} nat", klOsc(1)},
        Edge{"chi2", with(unit), "max(chi2) <= {}", std::pow(std::sinh(0.5), 2)},
        Edge{"ess", with(unit), "ess >= {}", std::pow(std::cosh(0.5), -2), true},
        Edge{"ratio", with(unit), "max(ratio) <= {}", std::exp(1)},
        Edge{"ratio_floor", with(unit), "min(ratio) >= {}", std::exp(-1), true},
        Edge{"pinsker_superseded", with("  k: mean(kl_infer_train) <= 2\n"), "tv <= {}",
             0.86515145323203643},
        Edge{"ladder", with(unit + "  usual: p99(logit_osc) <= 0.25\n"), "tv <= {}",
             0.99 * std::tanh(0.0625) + 0.01 * std::tanh(0.25)},
        Edge{"quantile_alone", with("  usual: p99(logit_osc) <= 0.25\n"), "tv <= {}",
             0.99 * std::tanh(0.0625) + 0.01},
        Edge{"three_rungs",
             with(unit + "  usual: p90(logit_osc) <= 0.1\n  often: p99(logit_osc) <= 0.5\n"),
             "tv <= {}", 0.9 * std::tanh(0.025) + 0.09 * std::tanh(0.125) + 0.01 * std::tanh(0.25)},
        Edge{"mean_and_quantile", with("  m: mean(logit_osc) <= 0.3\n  q: p90(logit_osc) <= 0.2\n"),
             "tv <= {}", 0.9 * std::tanh(0.05) + 0.1 * std::tanh(0.3)},
        Edge{"markov", with("  m: mean(tv) <= 0.001\n"), "p99(tv) <= {}", 0.1},
        Edge{"quantile_of_tv", with("  usual: p99(logit_osc) <= 0.25\n"), "p99(tv) <= {}",
             std::tanh(0.0625)},
        Edge{"sampled_mean", with("  gap: mean(abs(logprob_gap)) <= 0.05\n"), "tv <= {}",
             -std::expm1(-0.05)},
        Edge{"sampled_quantile", with("  gap: p99(abs(logprob_gap)) <= 0.1\n"), "tv <= {}",
             0.99 * -std::expm1(-0.1) + 0.01},
        Edge{"sampled_share", with("  low: rate(ratio < 0.9) <= 1%\n"), "tv <= {}",
             0.99 * 0.1 + 0.01},
        Edge{"sampled_veto", with("  low: mean(veto(0.5)) <= 1%\n"), "tv <= {}", 0.99 * 0.5 + 0.01},
        Edge{"sampled_signed", with("  low: quantile(logprob_gap, 0.01) >= -0.1\n"), "tv <= {}",
             0.99 * -std::expm1(-0.1) + 0.01},
        Edge{"sampled_tv", with("  s: mean(tv_sampled) <= 2%\n"), "tv <= {}", 0.02},
        Edge{"k3", with("  k: mean(k3) <= 2e-3\n"), "kl_infer_train <= {} nat", 2e-3},
        Edge{"k1", with("  k: mean(k1) <= 2e-3\n"), "kl_infer_train <= {} nat", 2e-3},
        Edge{"step_reward", with(unit, "support: full, step_reward: [-1, 1]"),
             "max(step_reward_drift) <= {}", 2 * std::tanh(0.25)}),
    nameOf);

Written responses(std::string clauses, std::string assumptions = "support: full, reward: [0, 1]") {
  return {"vocabulary: 1000, horizon: 64 tokens", std::move(assumptions), std::move(clauses)};
}

const std::string small = "  drift: max(logit_osc) <= 0.02\n";
const double hel64 = std::sqrt(-std::expm1(-128 * std::log(std::cosh(0.005))));
const double any64 = -std::expm1(64 * std::log1p(-0.001));

INSTANTIATE_TEST_SUITE_P(
    Responses, ProverEdge,
    testing::Values(
        Edge{"hellinger", responses(small), "seq_tv <= {}", hel64},
        Edge{"coupling", responses("  near: max(tv) <= 0.001\n"), "seq_tv <= {}", any64},
        Edge{"means_add", responses("  near: mean(tv) <= 0.001\n"), "seq_tv <= {}", 0.064},
        Edge{"mean_length",
             responses("  near: mean(tv) <= 0.001\n", "support: full, mean_length: 20 tokens"),
             "seq_tv <= {}", 0.02},
        Edge{"kl_adds", responses("  k: mean(kl_infer_train) <= 0.001\n"), "seq_kl <= {} nat",
             0.064},
        Edge{"kl_mean_length",
             responses("  k: mean(k3) <= 0.001\n", "support: full, mean_length: 20 tokens"),
             "seq_kl <= {} nat", 0.02},
        Edge{"chi2", responses(small), "seq_ess >= {}", std::exp(-128 * std::log(std::cosh(0.01))),
             true},
        Edge{"ratio", responses(small), "max(seq_ratio) <= {}", std::exp(1.28)},
        Edge{"ratio_floor", responses(small), "min(seq_ratio) >= {}", std::exp(-1.28), true},
        Edge{"sampled", responses("  s: mean(seq_tv) <= 3%\n"), "seq_tv <= {}", 0.03},
        Edge{"gap", responses("  s: mean(abs(seq_log_ratio)) <= 0.1\n"), "seq_tv <= {}",
             -std::expm1(-0.1)},
        Edge{"reward", responses(small, "support: full, reward: [-1, 3]"), "reward_drift <= {}",
             4 * hel64},
        Edge{"lipschitz",
             responses("  s: mean(seq_tv) <= 3%\n", "support: full, reward_lipschitz: 0.01"),
             "reward_drift <= {}", 0.01 * 64 * 0.03},
        Edge{"sub_gaussian",
             responses("  k: max(kl_train_infer) <= 0.0001\n", "support: full, reward_sigma: 0.5"),
             "reward_drift <= {}", 0.5 * std::sqrt(2 * 0.0064)},
        Edge{"discounted",
             {"vocabulary: 1000", "support: full, step_reward: [0, 1], discount: 0.9",
              "  near: max(tv) <= 0.01\n"},
             "discounted_reward_drift <= {}",
             0.01 / (0.1 * (0.1 + 0.009))},
        Edge{"discount_one",
             {"vocabulary: 1000, horizon: 2 tokens",
              "support: full, step_reward: [0, 1], discount: 1", "  near: max(tv) <= 0.01\n"},
             "discounted_reward_drift <= {}",
             0.01 + (1 - 0.99 * 0.99)},
        Edge{"rewards_away_from_0",
             {"vocabulary: 1000", "support: full, step_reward: [1, 2], discount: 0.9",
              "  near: max(tv) <= 0.01\n"},
             "discounted_reward_drift <= {}",
             2 * 0.01 / (0.1 * (0.1 + 0.009))}),
    nameOf);

// Temperature.

Written tempered(const std::string& temperature, const std::string& kernels,
                 const std::string& clauses = unit) {
  Written out{"vocabulary: 1000, logit_bound: 3" + temperature, "support: full", clauses};
  if (!kernels.empty())
    out.kernels = kernels;
  return out;
}
const std::string twoTemperatures = "  trainer: { engine: fsdp2, sampling: { temperature: 1 } }\n  "
                                    "rollout: { engine: vllm, sampling: { temperature: 0.8 } }\n";

INSTANTIATE_TEST_SUITE_P(
    Temperatures, ProverEdge,
    testing::Values(
        Edge{"same", tempered(", temperature: 0.5", ""), "max(tv) <= {}", std::tanh(0.5)},
        Edge{"two", tempered("", twoTemperatures), "max(tv) <= {}", std::tanh((6 * 0.25 + 1) / 4)},
        Edge{"greedy_flips", tempered(", temperature: 0", "", "  f: mean(top1_flip) <= 1%\n"),
             "tv <= {}", 0.01},
        Edge{"greedy_margin",
             tempered(", temperature: 0", "", unit + "  m: quantile(top1_margin, 0.01) >= 1.01\n"),
             "tv <= {}", 0.01}),
    nameOf);

TEST(Prover, FollowsGreedyDecodingThroughAMarginOnly) {
  Written greedy = tempered(", temperature: 0", "");
  EXPECT_FALSE(Decided(greedy, "tv <= 0.99").hasBound());
  greedy.clauses = unit + "  m: min(top1_margin) >= 1.01\n";
  EXPECT_TRUE(proves(greedy, "max(tv) <= 0.000001"));
  greedy.clauses = unit + "  m: min(top1_margin) >= 0.5\n";
  EXPECT_FALSE(proves(greedy, "max(tv) <= 0.99")) << "a tie may go either way";
  EXPECT_FALSE(Decided(tempered("", "  trainer: { engine: fsdp2, sampling: { temperature: 0 } }\n  "
                                    "rollout: { engine: vllm }\n"),
                       "tv <= 0.99")
                   .hasBound());
}

TEST(Prover, TakesNothingFromSoftmaxesThatGreedyKernelsCut) {
  for (const char* support : {"support: full", "support: { top_p: 99% }"})
    for (const char* clause : {"max(logprob_linf) <= 0.01", "max(tv) <= 0.01", "max(js) <= 0.01"}) {
      Written greedy = with(fmt::format("  it_is: {}\n", clause), support);
      greedy.model += ", temperature: 0";
      EXPECT_FALSE(Decided(greedy, "max(tv) <= 0.99").hasBound()) << clause << ", " << support;
    }
}

// Truncation.

INSTANTIATE_TEST_SUITE_P(
    Truncation, ProverEdge,
    testing::Values(
        Edge{"missing_mass", with("  d: max(logit_osc) <= 0.5\n", "support: { missing_mass: 1% }"),
             "max(tv) <= {}", std::pow(std::exp(0.25) - std::sqrt(0.99), 2) / std::expm1(0.5)},
        Edge{"little_drift",
             with("  d: max(logit_osc) <= 0.001\n", "support: { missing_mass: 1% }"),
             "max(tv) <= {}", 0.01},
        Edge{"top_p", with("  d: max(logit_osc) <= 0.5\n", "support: { top_p: 99.9% }"),
             "max(tv) <= {}", std::pow(std::exp(0.25) / std::sqrt(0.999) - 1, 2) / std::expm1(0.5)},
        Edge{"kl_back", with("  d: max(logit_osc) <= 0.5\n", "support: { missing_mass: 1% }"),
             "max(kl_infer_train) <= {} nat", klOsc(0.5) - std::log(0.99)},
        Edge{"plain_rows", with("  d: mean(tv) <= 2%\n", "support: { top_p: 99% }"), "tv <= {}",
             0.03},
        Edge{"samples_need_none", with("  d: mean(tv_sampled) <= 2%\n", "support: { top_p: 99% }"),
             "tv <= {}", 0.02}),
    nameOf);

// Layers.

TEST(Prover, FollowsLayersThroughTheHead) {
  Written net = with("  finite: count(nonfinite) == 0\n",
                     "support: full, head_norm: 2, layers: [{ error: 0.01, gain: 1.5 }, { error: "
                     "0.02, gain: 2, repeat: 2 }]");
  // 0.01 * 2 * 2 + 0.02 * 2 + 0.02
  const double drift = 0.1;
  EXPECT_TRUE(proves(net, fmt::format("max(tv) <= {}", std::tanh(2 * drift / 4) * 1.000001)));
  EXPECT_FALSE(proves(net, fmt::format("max(tv) <= {}", std::tanh(2 * drift / 4) * 0.999999)));
  net.assumptions = "support: full, layers: [{ error: 0.01 }]";
  EXPECT_FALSE(Decided(net, "max(tv) <= 0.9").hasBound());
}

// Rollouts of older weights.

TEST(Prover, AddsTheAgeOfWeightsToWhatKernelsDo) {
  Written stale = with("  d: max(logit_osc) <= 0.1\n  m: mean(tv) <= 1%\n",
                       "support: full, staleness: { steps: 3, logit_osc: 0.1 }");
  const double both = std::tanh(0.4 / 4), age = std::tanh(0.3 / 4), kernels = std::tanh(0.1 / 4);
  expectEdge({"both", stale, "max(tv) <= {}", both});
  expectEdge({"mean", stale, "tv <= {}", age + 0.01});
  // The kernels by themselves are a link of their own.
  expectEdge({"kernels", stale, "{{ require: max(tv) <= {}, link: [trainer, rollout] }}", kernels});
  // A step may change as much as it is said to, and kernels nothing.
  EXPECT_TRUE(refutes(stale, fmt::format("max(tv) <= {}", age * 0.99)));
  EXPECT_FALSE(refutes(stale, fmt::format("max(tv) <= {}", both)));
  EXPECT_TRUE(refutes(
      stale, fmt::format("{{ require: max(tv) <= {}, link: [trainer, rollout] }}", kernels * 0.9)));
}

TEST(Prover, TakesLayersBetweenTheKernelsWhateverTheirAge) {
  Written net = with("  finite: count(nonfinite) == 0\n",
                     "support: full, head_norm: 1, layers: [{ error: 0.1 }], "
                     "staleness: { steps: 1, logit_osc: 0.3 }");
  expectEdge({"both", net, "max(tv) <= {}", std::tanh(0.4 / 4)});
}

TEST(Prover, DoesNotAddAnAgeToDriftsThatLeaveTokensOut) {
  Written stale = with("  d: max(logit_osc) <= 0.1\n",
                       "support: { missing_mass: 1% }, staleness: { steps: 3, logit_osc: 0.1 }");
  EXPECT_FALSE(Decided(stale, "max(tv) <= 0.9").hasBound());
}

} // namespace
} // namespace tikc::tests
