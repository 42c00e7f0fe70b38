#include "ProverFixture.h"

#include <cmath>

namespace tikc::tests {
namespace {

// Slices.

Written sliced(std::string slices, std::string clauses) {
  Written out;
  out.assumptions = "support: full, reward: [0, 1]";
  out.slices = std::move(slices);
  out.clauses = std::move(clauses);
  return out;
}

const std::string two =
    "  a: { when: task == \"a\", weight: 20% }\n  b: { when: task == \"b\", weight: 30% }\n";
const std::string whole =
    "  a: { when: task == \"a\", weight: 20% }\n  b: { when: task == \"b\", weight: 80% }\n";
const std::string tokens = "  a: { when: task == \"a\", token_weight: 20% }\n  b: { when: task == "
                           "\"b\", token_weight: 80% }\n";
const std::string eachToken =
    "  one: mean(tv) <= 1% on a\n  two: mean(tv) <= 10% on b\n  three: mean(tv) <= 5% on other\n";
const std::string eachResponse = "  one: mean(seq_tv) <= 1% on a\n  two: mean(seq_tv) <= 10% on "
                                 "b\n  three: mean(seq_tv) <= 5% on other\n";

TEST(ProverSlices, AreBoundByThemselves) {
  EXPECT_TRUE(proves(sliced(two, eachToken), "tv <= 1% on a"));
  EXPECT_TRUE(proves(sliced(two, eachToken), "tv <= 10% on b"));
  EXPECT_TRUE(proves(sliced(two, eachToken), "tv <= 10%"));
  EXPECT_FALSE(proves(sliced(two, eachToken), "tv <= 9%"));
  EXPECT_FALSE(proves(sliced(two, eachToken), "tv <= 9% on a, b"));
  EXPECT_TRUE(proves(sliced(two, eachToken), "tv <= 5% on a, other"));
}

TEST(ProverSlices, IncludeTheRemainder) {
  const std::string named = "  one: mean(tv) <= 1% on a\n  two: mean(tv) <= 10% on b\n";
  EXPECT_FALSE(proves(sliced(two, named), "tv <= 10%")) << "nothing is said of the other half";
  EXPECT_TRUE(proves(sliced(two, named), "tv <= 10% on a, b"));
  EXPECT_TRUE(proves(sliced(whole, named), "tv <= 10%")) << "nothing is left over";
}

TEST(ProverSlices, MixRequestsByWeight) {
  // 0.2 * 1% + 0.3 * 10% + 0.5 * 5%
  EXPECT_TRUE(proves(sliced(two, eachResponse), "seq_tv <= 5.7% on all"));
  EXPECT_FALSE(proves(sliced(two, eachResponse), "seq_tv <= 5.699999999% on all"));
  EXPECT_TRUE(proves(sliced(two, eachResponse), "reward_drift <= 0.057 on all"));
  const std::string named = "  one: mean(seq_tv) <= 1% on a\n  two: mean(seq_tv) <= 10% on b\n";
  EXPECT_TRUE(proves(sliced(two, named), "seq_tv <= 53.2% on all")) << "all of the rest may differ";
  EXPECT_FALSE(proves(sliced(two, named), "seq_tv <= 53.1% on all"));
  EXPECT_TRUE(proves(sliced(whole, named), "seq_tv <= 8.2% on all"));
}

TEST(ProverSlices, TakeTheWorstForMeansOfTokensWithoutTheirWeights) {
  EXPECT_TRUE(proves(sliced(two, eachToken), "tv <= 10% on all"));
  EXPECT_FALSE(proves(sliced(two, eachToken), "tv <= 9.9% on all"))
      << "weights count requests, not tokens";
  EXPECT_FALSE(proves(sliced(two, eachToken), "tv <= 5.7% on all"));
  EXPECT_TRUE(proves(sliced(tokens, eachToken), "tv <= 8.2% on all"));
  EXPECT_FALSE(proves(sliced(tokens, eachToken), "tv <= 8.199999% on all"));
}

TEST(ProverSlices, GiveUnknownSharesToTheWorst) {
  const std::string partly =
      "  a: { when: task == \"a\", weight: 20% }\n  b: { when: task == \"b\" }\n";
  EXPECT_TRUE(proves(sliced(partly, eachResponse), "seq_tv <= 8.2% on all"));
  EXPECT_FALSE(proves(sliced(partly, eachResponse), "seq_tv <= 8.1% on all"));
  EXPECT_TRUE(
      proves(sliced("  a: { when: task == \"a\" }\n",
                    "  one: mean(seq_tv) <= 1% on a\n  others: mean(seq_tv) <= 2% on other\n"),
             "seq_tv <= 2% on all"));
}

TEST(ProverSlices, LeaveWhatHasNoCapUnboundOnTheMixture) {
  const std::string named =
      "  one: mean(kl_infer_train) <= 0.01 on a\n  two: mean(kl_infer_train) <= 0.01 on b\n";
  EXPECT_FALSE(proves(sliced(two, named), "kl_infer_train <= 1000 on all"));
  EXPECT_TRUE(proves(sliced(whole, named), "kl_infer_train <= 0.01 on all"));
  EXPECT_TRUE(proves(
      sliced(whole, "  one: max(logit_osc) <= 0.1 on a\n  two: max(logit_osc) <= 0.2 on b\n"),
      "max(tv) <= 0.05 on all"));
}

TEST(ProverSlices, TakeTheirPartOfAPromiseAboutAll) {
  const std::string all = "  every: mean(seq_tv) <= 1% on all\n";
  EXPECT_TRUE(proves(sliced(two, all), "seq_tv <= 5% on a"))
      << "a fifth of all requests can have five times the mean";
  EXPECT_FALSE(proves(sliced(two, all), "seq_tv <= 4.99% on a"));
  EXPECT_FALSE(proves(sliced(two, "  every: mean(tv) <= 1% on all\n"), "tv <= 5% on a"))
      << "of tokens its share is unknown";
  EXPECT_TRUE(proves(sliced(tokens, "  every: mean(tv) <= 1% on all\n"), "tv <= 5% on a"));
  EXPECT_TRUE(proves(sliced(tokens, "  every: p99(logit_osc) <= 0.4 on all\n"),
                     "quantile(tv, 0.95) <= 10% on a"));
  EXPECT_FALSE(proves(sliced(tokens, "  every: p99(logit_osc) <= 0.4 on all\n"),
                      "quantile(tv, 0.96) <= 10% on a"));
  EXPECT_TRUE(proves(sliced(two, "  every: max(tv) <= 1% on all\n"), "max(tv) <= 1% on a"));
}

TEST(ProverSlices, ThatBeginWithinResponsesSayNothingOfResponses) {
  const std::string late = "  late: { when: position >= 100 }\n";
  const std::string near =
      "  near: max(tv) <= 0.1%\n  also: mean(tv) <= 0.1%\n  sums: max(logit_osc) <= 0.004\n";
  EXPECT_TRUE(proves(sliced(late, near), "tv <= 0.1%"));
  EXPECT_FALSE(proves(sliced(late, near), "seq_tv <= 99% on late"));
  EXPECT_FALSE(proves(sliced(late, near), "reward_drift <= 0.99 on late"));
  EXPECT_TRUE(proves(sliced(late, near), "seq_tv <= 6.4% on all"))
      << "together they are whole responses";
  EXPECT_FALSE(proves(sliced("  late: { when: response_tokens >= 100 and task == \"a\" }\n", near),
                      "seq_tv <= 99% on late"));
  EXPECT_TRUE(
      proves(sliced("  late: { when: prompt_tokens >= 100 }\n", near), "seq_tv <= 6.4% on late"));
}

// Chains.

Written chain(std::string clauses, std::string assumptions = "support: full") {
  Written out;
  out.kernels = "  a: { engine: fsdp2 }\n  b: { engine: transformers }\n  c: { engine: vllm }\n";
  out.pair = "chain: [a, b, c]\n";
  out.clauses = std::move(clauses);
  out.assumptions = std::move(assumptions);
  return out;
}

std::string link(const std::string& id, const std::string& require, const std::string& between,
                 const std::string& more = "") {
  return "  " + id + ": { require: \"" + require + "\", link: [" + between + "]" + more + " }\n";
}

std::string both(const std::string& first, const std::string& second) {
  return link("first", first, "a, b") + link("second", second, "b, c");
}

class ProverChain : public testing::TestWithParam<Edge> {};

TEST_P(ProverChain, FollowsAndNoMore) { expectEdge(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Composition, ProverChain,
    testing::Values(
        Edge{"oscillations_add", chain(both("max(logit_osc) <= 0.4", "max(logit_osc) <= 0.6")),
             "max(tv) <= {}", std::tanh(0.25)},
        Edge{"distances_add", chain(both("max(tv) <= 0.3", "max(tv) <= 0.4")), "max(tv) <= {}",
             0.7},
        Edge{"means_add", chain(both("mean(tv) <= 0.3", "mean(tv) <= 0.4")), "tv <= {}", 0.7},
        Edge{"kinds_mix", chain(both("max(logit_linf) <= 0.1", "max(logit_osc) <= 0.6")),
             "max(tv) <= {}", std::tanh(0.2)},
        Edge{"shares_add", chain(both("p99(logit_osc) <= 0.4", "quantile(logit_osc, 0.98) <= 0.6")),
             "quantile(tv, 0.97) <= {}", std::tanh(0.25)},
        Edge{"entropy_gaps_add", chain(both("max(entropy_gap) <= 0.1", "max(entropy_gap) <= 0.2")),
             "max(entropy_gap) <= {}", 0.3},
        Edge{"ratios_multiply", chain(both("max(logprob_linf) <= 0.1", "max(logprob_linf) <= 0.2")),
             "max(ratio) <= {}", std::exp(0.3)},
        Edge{"divergences_go_through_oscillations",
             chain(both("max(logit_osc) <= 0.4", "max(logit_osc) <= 0.6")), "ess >= {}",
             std::pow(std::cosh(0.5), -2), true},
        Edge{"chi2_goes_on_with_ratios", chain(both("mean(chi2) <= 1", "max(logit_osc) <= 1")),
             "mean(chi2) <= {}", 2 * std::exp(1) - 1},
        Edge{"chi2_of_a_share_goes_on", chain(both("p99(chi2) <= 1", "max(logit_osc) <= 1")),
             "p99(chi2) <= {}", 2 * std::exp(1) - 1},
        Edge{"roots_of_chi2_add_with_ratios",
             chain(both("mean(chi2) <= 0.01", "mean(chi2) <= 0.0004") +
                   link("ratios", "max(logit_osc) <= 0.1", "b, c")),
             "mean(chi2) <= {}", std::pow(0.1 * std::exp(0.05) + 0.02, 2)},
        Edge{"roots_of_chi2_add_however_large_the_ratios",
             chain(both("mean(chi2) <= 0.01", "mean(chi2) <= 0.0004") +
                   link("ratios", "max(logit_osc) <= 1e6", "b, c") +
                   link("ends", "mean(chi2) <= 0.7", "a, c")),
             "mean(chi2) <= {}", 0.7},
        Edge{"roots_of_chi2_add_with_oscillations",
             chain(both("p99(chi2) <= 0.01", "max(logit_osc) <= 0.1")), "p99(chi2) <= {}",
             std::pow(0.1 * std::exp(0.05) + std::sinh(0.05), 2)},
        Edge{"chi2_comes_after_ratios", chain(both("max(logit_osc) <= 0.1", "mean(chi2) <= 0.01")),
             "mean(chi2) <= {}", 1.01 * std::exp(0.2) - 1},
        Edge{"kl_goes_on_with_ratios",
             chain(both("mean(kl_train_infer) <= 0.01", "max(logit_osc) <= 0.1")),
             "mean(kl_train_infer) <= {}", 0.11},
        Edge{"reverse_kl_comes_after_ratios",
             chain(both("max(logit_osc) <= 0.1", "mean(kl_infer_train) <= 0.01")),
             "mean(kl_infer_train) <= {}", 0.11},
        Edge{"the_whole_beats_its_parts",
             chain(both("max(tv) <= 0.3", "max(tv) <= 0.4") +
                   link("third", "max(tv) <= 0.5", "a, c")),
             "max(tv) <= {}", 0.5}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(ProverChains, DoNotMultiplyOrAddWhatDoesNotAdd) {
  EXPECT_FALSE(proves(chain(both("max(tv) <= 0.5", "max(tv) <= 0.5")), "max(tv) <= 0.75"));
  EXPECT_FALSE(proves(chain(both("max(kl_train_infer) <= 0.1", "max(kl_train_infer) <= 0.1")),
                      "kl_train_infer <= 0.2"));
  EXPECT_FALSE(Decided(chain(both("max(kl_train_infer) <= 0.1", "max(kl_train_infer) <= 0.1")),
                       "kl_train_infer <= 0.7")
                   .hasBound());
  EXPECT_FALSE(
      Decided(chain(both("max(chi2) <= 0.1", "max(chi2) <= 0.1")), "chi2 <= 100").hasBound());
  // A ratio on the wrong side of a KL is not enough.
  EXPECT_FALSE(Decided(chain(both("max(ratio) <= 1.1", "max(kl_train_infer) <= 0.1")),
                       "kl_train_infer <= 100")
                   .hasBound());
  EXPECT_FALSE(proves(chain(both("max(tv) <= 0.3", "max(tv) <= 0.4")), "max(tv) <= 0.699"));
  EXPECT_FALSE(
      Decided(chain(link("first", "max(logit_osc) <= 0.1", "a, b")), "max(kl_train_infer) <= 100")
          .hasBound())
      << "half a chain";
  EXPECT_FALSE(proves(chain(link("first", "max(logit_osc) <= 0.1", "a, b")), "max(tv) <= 0.9"));
}

TEST(ProverChains, DecideClaimsOfTheirLinks) {
  Written near = chain(both("max(logit_osc) <= 0.4", "max(logit_osc) <= 0.6"));
  EXPECT_TRUE(proves(near, "{ require: max(tv) <= 0.0997, link: [a, b] }"));
  EXPECT_FALSE(proves(near, "{ require: max(tv) <= 0.0996, link: [a, b] }"));
  EXPECT_TRUE(proves(near, "{ require: max(tv) <= 0.149, link: [b, c] }"));
  EXPECT_FALSE(proves(near, "{ require: max(tv) <= 0.148, link: [b, c] }"));
}

TEST(ProverChains, TakeMeansOverTheServersPrefixesOnly) {
  Written means = chain(both("mean(tv) <= 0.1%", "mean(tv) <= 0.1%"));
  EXPECT_TRUE(proves(means, "seq_tv <= 12.8%"));
  EXPECT_TRUE(proves(means, "{ require: seq_tv <= 6.4%, link: [b, c] }"));
  EXPECT_FALSE(proves(means, "{ require: seq_tv <= 99%, link: [a, b] }"))
      << "neither a nor b sampled the prefixes";
  EXPECT_FALSE(proves(chain(both("max(tv) <= 0.1%", "max(tv) <= 0.1%")),
                      "{ require: seq_tv <= 99%, link: [a, b] }"))
      << "b may reach prefixes that the server never does";
  EXPECT_TRUE(proves(chain(link("first", "max(tv) <= 0.1%", "a, b", ", drawn: b")),
                     "{ require: seq_tv <= 6.4%, link: [a, b] }"));
  Written samples = chain(both("mean(tv_sampled) <= 0.1%", "mean(tv_sampled) <= 0.1%"));
  EXPECT_FALSE(proves(samples, "{ require: tv <= 99%, link: [a, b] }"))
      << "b sampled none of the tokens";
  EXPECT_FALSE(proves(samples, "tv <= 99%"));
  EXPECT_FALSE(
      proves(chain(both("mean(seq_tv) <= 0.1%", "mean(seq_tv) <= 0.1%")), "seq_tv <= 99%"));
  EXPECT_TRUE(proves(samples, "{ require: tv <= 0.1%, link: [b, c] }"));
}

} // namespace
} // namespace tikc::tests
