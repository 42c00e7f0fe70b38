#include "ProverFixture.h"

#include <cmath>

namespace tikc::tests {
namespace {

// B = 2 * 4 = 8, up to 16 tokens.

Written gradient(const std::string& estimator, const std::string& correction,
                 const std::string& clauses, const std::string& more = "support: full") {
  return {"vocabulary: 1000, horizon: 16 tokens",
          more + fmt::format(", advantage: 2, score_norm: 4, estimator: {}, correction: \"{}\"",
                             estimator, correction),
          clauses};
}

const std::string worst = "  near: max(tv) <= 0.01\n";
const std::string mean = "  near: mean(tv) <= 0.01\n";
const std::string nothing = "  some: mean(top1_flip) <= 1\n";
const std::string driftOfOne = "  drift: max(logit_osc) <= 1\n";
const std::string answers = "  answers: mean(seq_tv) <= 10%\n";
constexpr double B = 8;
constexpr double T = 16;

/// 1 − 0.99^n
double any(double n) { return -std::expm1(n * std::log1p(-0.01)); }
/// Σ_{t<=n} 1 − 0.99^t
double sumOfAny(int n) {
  double sum = 0;
  for (int t = 1; t <= n; ++t)
    sum += any(t);
  return sum;
}
double stick(double omega, double c) {
  return std::pow(std::exp(omega / 2) - std::sqrt(c), 2) / std::expm1(omega);
}
double hellinger(double n) { return std::sqrt(-std::expm1(-2 * n * std::log(std::cosh(0.25)))); }

class ProverGradient : public testing::TestWithParam<Edge> {};

TEST_P(ProverGradient, FollowsAndNoMore) { expectEdge(GetParam()); }

const char* const bias = "pg_bias <= {}";

INSTANTIATE_TEST_SUITE_P(
    Plain, ProverGradient,
    testing::Values(
        Edge{"step", gradient("step", "none", mean), bias, 2 * B * 0.01},
        Edge{"step_from_drift", gradient("step", "none", driftOfOne), bias, 2 * B* std::tanh(0.25)},
        Edge{"causal", gradient("token", "none", worst), bias, 2 * B* sumOfAny(16)},
        Edge{"causal_from_responses", gradient("token", "none", answers), bias, 2 * B* T * 0.1},
        Edge{"returns", gradient("token_mc", "none", answers), bias, 2 * B* T * 0.1},
        Edge{"returns_from_tokens", gradient("token_mc", "none", worst), bias, 2 * B* T* any(16)},
        Edge{"sequence", gradient("sequence", "none", answers), bias, 2 * B* T * 0.1}),
    nameOf);

INSTANTIATE_TEST_SUITE_P(
    Weighted, ProverGradient,
    testing::Values(
        Edge{"causal", gradient("token", "is", worst), bias, 2 * B* sumOfAny(15)},
        Edge{"returns", gradient("token_mc", "is", worst), bias, 2 * B* T* any(15)},
        Edge{"returns_from_drift", gradient("token_mc", "is", driftOfOne), bias,
             2 * B* T* hellinger(15)},
        Edge{"step_truncated", gradient("step", "tis(1.5)", driftOfOne), bias, B* stick(1, 1.5)},
        Edge{"step_truncated_by_distance", gradient("step", "tis(1.5)", mean), bias, B * 0.01},
        Edge{"step_masked", gradient("step", "mis(0.5, 2)", driftOfOne), bias,
             B*((std::exp(1) - 2) + (0.5 * std::exp(1) - 1)) / std::expm1(1)},
        Edge{"step_masked_by_distance", gradient("step", "mis(0.5, 2)", mean), bias, B * 0.01 * 3},
        Edge{"step_ppo", gradient("step", "ppo(0.5, 1)", mean), bias, B * 0.01 * 3},
        Edge{"step_clipped", gradient("step", "clip(0.2)", driftOfOne), bias,
             B*(2 * std::tanh(0.25) - 0.2)},
        Edge{"step_clipped_to_nothing", gradient("step", "clip(0)", driftOfOne), bias,
             2 * B* std::tanh(0.25)},
        Edge{"causal_truncated", gradient("token", "tis(1.5)", worst), bias,
             2 * B* sumOfAny(15) + B* T * 0.01},
        Edge{"sequence_truncated", gradient("sequence", "tis(1.5)", answers), bias, B* T * 0.1},
        Edge{"sequence_masked", gradient("sequence", "mis(0.5, 2)", answers), bias, B* T * 0.3},
        Edge{"sequence_clipped", gradient("sequence", "clip(0.2)", answers), bias, 2 * B* T * 0.1}),
    nameOf);

// Responses so long that the ratios of whole ones concentrate.

constexpr double longT = 1000;

Written longResponses(const std::string& correction) {
  Written out = gradient("sequence", correction, "  drift: max(logit_osc) <= 0.01\n");
  out.model = "vocabulary: 1000, horizon: 1000 tokens";
  return out;
}

/// The least value of a function with one valley.
template <class F> double leastOf(double low, double high, F&& f) {
  for (int i = 0; i < 200; ++i) {
    const double left = low + (high - low) / 3, right = high - (high - low) / 3;
    if (f(left) < f(right))
      high = right;
    else
      low = left;
  }
  return f((low + high) / 2);
}

/// E W^k after longT tokens with two ratios of oscillation 0.01, at the worst of their means of 1.
double moment(double k) {
  const double r = std::exp(0.01);
  const double ofOne = -leastOf(1 / r, 1, [&](double m) {
    const double upper = (1 - m) / (m * (r - 1));
    return -(upper * std::pow(m * r, k) + (1 - upper) * std::pow(m, k));
  });
  return std::pow(ofOne, longT);
}
double touching(double k) { return std::pow(k - 1, k - 1) / std::pow(k, k); }

INSTANTIATE_TEST_SUITE_P(
    Concentrated, ProverGradient,
    testing::Values(Edge{"truncated", longResponses("tis(2)"), bias,
                         B* longT* leastOf(1.01, 100,
                                           [](double k) {
                                             return touching(k) * std::pow(2, 1 - k) * moment(k);
                                           })},
                    Edge{"masked", longResponses("mis(0.5, 2)"), bias,
                         B* longT* leastOf(1.01, 100,
                                           [](double k) {
                                             return std::pow(2, 1 - k) * moment(k) +
                                                    std::pow(0.5, k) * moment(1 - k);
                                           })},
                    Edge{"clipped", longResponses("clip(0.5)"), bias,
                         B* longT* leastOf(1.01, 100,
                                           [](double k) {
                                             return touching(k) *
                                                    (std::pow(1.5, 1 - k) * moment(k) +
                                                     std::pow(0.5, k) * moment(1 - k));
                                           })}),
    nameOf);

TEST(ProverGradients, MomentsOfAnyDriftAreFinite) {
  for (const char* correction : {"tis(2)", "mis(0.5, 2)", "clip(0.5)", "clip(1e-9)"})
    for (const char* drift : {"1e-310", "1e-306", "1e-17", "1e-6", "1", "100", "1e300"}) {
      Written of = longResponses(correction);
      of.model = "vocabulary: 1000, horizon: 10_000_000 tokens";
      of.clauses = fmt::format("  drift: max(logit_osc) <= {}\n", drift);
      EXPECT_TRUE(proves(of, "pg_bias <= 1e9")) << correction << " " << drift;
    }
}

const std::string grouped = "support: full, group: 5";

INSTANTIATE_TEST_SUITE_P(
    Grouped, ProverGradient,
    testing::Values(Edge{"plain", gradient("token_mc", "none", answers, grouped), bias,
                         2 * B* T * -std::expm1(5 * std::log(0.9))},
                    Edge{"causal_is_no_longer", gradient("token", "none", answers, grouped), bias,
                         2 * B* T * -std::expm1(5 * std::log(0.9))},
                    Edge{"whole_weights", gradient("sequence", "is", answers, grouped), bias,
                         2 * B* T * -std::expm1(5 * std::log(0.9))},
                    Edge{"token_weights", gradient("token", "is", worst, grouped), bias,
                         2 * B* T* any(80)}),
    nameOf);

const std::string ofMeans = "support: full, loss: seq_mean_token_mean";
const double harmonic = 1 + std::log(T);

INSTANTIATE_TEST_SUITE_P(
    OfMeans, ProverGradient,
    testing::Values(
        Edge{"step_is_one_token", gradient("step", "none", mean, ofMeans), bias, 2 * B * 0.01},
        Edge{"plain", gradient("token", "none", answers, ofMeans), bias, 2 * B * 0.1},
        Edge{"returns", gradient("token_mc", "none", answers, ofMeans), bias, 2 * B * 0.1},
        Edge{"token_weights", gradient("token", "is", worst, ofMeans), bias,
             2 * B*(0.15 + 2e-4 * (15 - std::log(8.5)))},
        Edge{"token_weights_after_much_drift",
             gradient("token", "is", "  near: max(tv) <= 0.1\n", ofMeans), bias,
             2 * B*(1 - std::pow(0.9, 16) + 0.1 * harmonic)},
        Edge{"token_truncated", gradient("token_mc", "tis(1.5)", worst, ofMeans), bias,
             2 * B*(0.15 + 2e-4 * (15 - std::log(8.5))) + B * 0.01 * harmonic},
        Edge{"whole_truncated", gradient("sequence", "tis(1.5)", answers, ofMeans), bias, B * 0.1},
        Edge{"whole_missing",
             gradient("sequence", "is", mean,
                      "support: { missing_mass: 0.5% }, loss: seq_mean_token_mean"),
             bias, B * -std::expm1(16 * std::log1p(-0.005))},
        Edge{"grouped",
             gradient("token", "none", answers,
                      "support: full, group: 5, loss: seq_mean_token_mean"),
             bias, 2 * B * -std::expm1(5 * std::log(0.9))},
        Edge{"grouped_token_weights",
             gradient("token", "is", worst, "support: full, group: 5, loss: seq_mean_token_mean"),
             bias, 2 * B*(any(80) + 0.01 * harmonic)}),
    nameOf);

const std::string lossy = "support: { missing_mass: 0.5% }";

INSTANTIATE_TEST_SUITE_P(Support, ProverGradient,
                         testing::Values(Edge{"step", gradient("step", "is", mean, lossy), bias,
                                              B * 0.005},
                                         Edge{"sequence", gradient("sequence", "is", mean, lossy),
                                              bias, B* T * -std::expm1(16 * std::log1p(-0.005))}),
                         nameOf);

TEST(ProverGradients, AreExactlyCorrectedByFullWeightsOnly) {
  EXPECT_TRUE(proves(gradient("step", "is", mean), "pg_bias <= 1e-30"));
  EXPECT_TRUE(proves(gradient("sequence", "is", driftOfOne), "pg_bias <= 1e-30"));
  EXPECT_FALSE(proves(gradient("token", "is", worst), "pg_bias <= 1"))
      << "the prefixes are the inference kernel's";
  EXPECT_FALSE(proves(gradient("token_mc", "is", worst), "pg_bias <= 1"));
  EXPECT_FALSE(proves(gradient("sequence", "is", driftOfOne, grouped), "pg_bias <= 1"))
      << "the others of the group are not weighted";
  EXPECT_FALSE(proves(gradient("step", "is", mean, "support: { top_p: 99% }"), "pg_bias <= 1e-30"));
  EXPECT_TRUE(proves(gradient("step", "tis(2.72)", driftOfOne), "pg_bias <= 1e-30"))
      << "no ratio reaches the cap";
  EXPECT_FALSE(proves(gradient("step", "tis(2.71)", driftOfOne), "pg_bias <= 1e-30"));
  EXPECT_TRUE(proves(gradient("step", "mis(0.36, 2.72)", driftOfOne), "pg_bias <= 1e-30"));
  EXPECT_FALSE(proves(gradient("step", "mis(0.37, 2.72)", driftOfOne), "pg_bias <= 1e-30"));
}

const std::string ofBatches = "support: full, loss: token_mean, least_mean_length: 4 tokens";

INSTANTIATE_TEST_SUITE_P(
    OfBatches, ProverGradient,
    testing::Values(
        Edge{"step_is_one_token", gradient("step", "none", mean, ofBatches), bias, 2 * B * 0.01},
        Edge{"causal", gradient("token", "none", worst, ofBatches), bias, 2 * B* T * 0.01},
        Edge{"causal_from_responses", gradient("token", "none", answers, ofBatches), bias,
             B*(2 * T + 15) * 0.1 / 4},
        Edge{"returns", gradient("token_mc", "none", worst, ofBatches), bias, 2 * B* T * 0.01},
        Edge{"causal_weighted", gradient("token", "is", worst, ofBatches), bias, 2 * B * 15 * 0.01},
        Edge{"causal_truncated", gradient("token", "tis(1.5)", worst, ofBatches), bias,
             2 * B * 15 * 0.01 + B * 0.01},
        Edge{"causal_missing",
             gradient("token", "is", "  near: max(tv) <= 0.01\n",
                      "support: { missing_mass: 0.5% }, loss: token_mean"),
             bias, 2 * B * 15 * 0.015 + B * 0.005},
        Edge{"returns_weighted", gradient("token_mc", "is", worst, ofBatches), bias,
             2 * B * 15 * 0.01 * 1.02},
        Edge{"returns_far_apart",
             gradient("token_mc", "is", "  near: max(tv) <= 0.5\n",
                      "support: full, loss: token_mean"),
             bias, 2 * B},
        Edge{"returns_clipped_far_apart",
             gradient("token_mc", "clip(0.2)", "  near: max(tv) <= 0.5\n",
                      "support: full, loss: token_mean"),
             bias, 2.2 * B},
        Edge{"grouped", gradient("token", "none", worst, ofBatches + ", group: 5"), bias,
             2 * B*(T * 0.01 + any(64))},
        Edge{"grouped_token_weights", gradient("token", "is", worst, ofBatches + ", group: 5"),
             bias, 2 * B*(any(64) + 15 * 0.01 * 1.02)},
        Edge{"lengths_differ_after_whole_weights", gradient("sequence", "is", worst, ofBatches),
             bias, B * 15 * 0.01},
        Edge{"lengths_differ_after_whole_weights_by_responses",
             gradient("sequence", "is", answers, ofBatches), bias, B * 15 * 0.1 / 4},
        Edge{"whole_truncated", gradient("sequence", "tis(1.5)", worst, ofBatches), bias,
             B * 15 * 0.01 + B* T* any(16) / 4}),
    nameOf);

/// Whatever the drift is.
INSTANTIATE_TEST_SUITE_P(
    Trivial, ProverGradient,
    testing::Values(
        Edge{"step", gradient("step", "none", nothing), bias, 2 * B},
        Edge{"step_clipped", gradient("step", "clip(0.2)", nothing, lossy), bias, 2.2 * B},
        Edge{"step_clipped_widely", gradient("step", "clip(0.9)", nothing, lossy), bias, 2.1 * B},
        Edge{"step_clipped_from_above", gradient("step", "clip(3)", nothing, lossy), bias, 2 * B},
        Edge{"step_ppo", gradient("step", "ppo(0.2, 0.3)", nothing, lossy), bias, 2 * B},
        Edge{"causal", gradient("token", "is", nothing), bias, 2 * B* T},
        Edge{"returns", gradient("token_mc", "none", nothing), bias, 2 * B* T},
        Edge{"short",
             gradient("token_mc", "mis(0.5, 2)", answers, "support: full, mean_length: 4 tokens"),
             bias, B*(2 * 4 + 15 * 0.1)},
        Edge{"sequence", gradient("sequence", "tis(2)", nothing, lossy), bias, 2 * B* T},
        Edge{"grouped", gradient("sequence", "is", nothing, grouped), bias, 2 * B* T},
        Edge{"mean", gradient("token", "none", nothing, ofMeans), bias, 2 * B},
        Edge{"mean_weighted", gradient("token", "is", nothing, ofMeans), bias, B*(2 + std::log(T))},
        Edge{"mean_truncated", gradient("token", "tis(1.5)", nothing, ofMeans), bias, 2.5 * B},
        Edge{"mean_whole", gradient("sequence", "clip(0.2)", nothing, ofMeans), bias, 2.2 * B},
        Edge{"batch", gradient("token", "is", nothing, ofBatches), bias, 2 * B},
        Edge{"batch_whole_truncated", gradient("sequence", "tis(1.5)", nothing, ofBatches), bias,
             2.5 * B}),
    nameOf);

/// Where one slice has few and long responses and all of the drift, the mixture has more of it than
/// the slices' biases by their shares.
TEST(ProverGradients, OfBatchesAreNotMixed) {
  Written of = gradient("token_mc", "none",
                        "  long: mean(seq_tv) <= 10% on math\n  short: mean(seq_tv) <= 0 on code\n",
                        "support: full, loss: token_mean");
  of.slices = "  math: { when: task == \"a\", weight: 25%, least_mean_length: 16 tokens }\n"
              "  code: { when: task == \"b\", weight: 75%, least_mean_length: 1 tokens }\n";
  const double ofSlice = 3 * B * 0.1, byShares = 0.25 * ofSlice,
               byLeastLength = 0.25 * 16 * ofSlice;
  EXPECT_TRUE(proves(of, fmt::format("pg_bias <= {} on math", ofSlice * 1.01)));
  EXPECT_FALSE(proves(of, fmt::format("pg_bias <= {} on all", byShares * 1.01)));
  EXPECT_TRUE(proves(of, fmt::format("pg_bias <= {} on all", byLeastLength * 1.01)));
}

/// Where a token's weight is its share of a response, a mean over sampled tokens says little.
TEST(ProverGradients, OfMeansNeedWhatHoldsAtEveryToken) {
  EXPECT_FALSE(proves(gradient("token", "tis(1.5)", mean, ofMeans), "pg_bias <= 19.9"));
  EXPECT_TRUE(proves(gradient("sequence", "is", driftOfOne, ofMeans), "pg_bias <= 1e-30"));
  EXPECT_FALSE(proves(gradient("token", "is", worst, ofMeans), "pg_bias <= 1"));
}

TEST(ProverGradients, NeedWhatTheirTableSays) {
  EXPECT_FALSE(proves(gradient("token_mc", "is", mean), "pg_bias <= 255"))
      << "with token weights a response follows neither kernel";
  EXPECT_FALSE(Decided({"horizon: 16 tokens", "support: full, advantage: 2, score_norm: 4", mean},
                       "pg_bias <= 1000")
                   .hasBound())
      << "no estimator";
  EXPECT_FALSE(Decided({"horizon: 16 tokens",
                        "support: full, score_norm: 4, estimator: step, correction: none", mean},
                       "pg_bias <= 1000")
                   .hasBound());
  EXPECT_TRUE(Decided({"horizon: 16 tokens",
                       "support: full, group: 5, score_norm: 4, estimator: token, correction: none",
                       answers},
                      "pg_bias <= 1000")
                  .hasBound())
      << "a group bounds its own advantages";
  EXPECT_FALSE(proves(gradient("step", "clip(0.2)", mean, lossy), "pg_bias <= 17.5"));
}

TEST(ProverGradients, CausalTermsFollowFromMeansByTheirResponses) {
  // Not 2B Σ (T − t + 1) tau, which a mean over all tokens does not give: all of the drift can come
  // first.
  double honest = 2 * B * T * T * 0.01, early = 2 * B * 0.01 * T * (T + 1) / 2;
  EXPECT_TRUE(proves(gradient("token", "none", mean), fmt::format("pg_bias <= {}", honest)));
  EXPECT_FALSE(proves(gradient("token", "none", mean), fmt::format("pg_bias <= {}", early)));
}

} // namespace
} // namespace tikc::tests
