#include "unit/Checked.h"

#include "bounds/refute/Witness.h"
#include "support/Efforts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace tikc::tests {
namespace {

using bounds::Witness;

/// A contract with one claim; its parts as YAML in flow style.
struct Case {
  std::string model, assumptions, clauses, claim;
};

std::string textOf(const Case& of) {
  return head() +
         fmt::format("model: {{ {} }}\nassumptions: {{ {} }}\nnumerical:\n{}claims:\n  it: {}\n",
                     of.model, of.assumptions, of.clauses, of.claim) +
         observed();
}

std::optional<Witness> witnessOf(const Case& of) {
  Checked checked(textOf(of));
  if (checked.contracts().size() != 1 || checked.contracts()[0].claims.size() != 1) {
    ADD_FAILURE() << textOf(of) << testing::PrintToString(checked.findings());
    return std::nullopt;
  }
  std::size_t effort = efforts.searching;
  bounds::Problem problem = bounds::pose(checked.contracts()[0], 256);
  for (const bounds::Goal& goal : problem.goals)
    if (auto found = bounds::findWitness(checked.contracts()[0], goal, 256, effort))
      return found;
  return std::nullopt;
}

// What a witness is, computed again from its logits: whole softmaxes, token by token class.

struct Pair {
  double weight;
  std::vector<double> z, zi, p, q, copies;
};

std::vector<double> softmax(const std::vector<double>& logits, const std::vector<double>& copies) {
  std::vector<double> out;
  double total = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    out.push_back(copies[i] * std::exp(logits[i]));
    total += out.back();
  }
  for (double& each : out)
    each /= total;
  return out;
}

std::vector<Pair> pairsOf(const Witness& witness) {
  std::vector<Pair> out;
  for (const Witness::Kind& kind : witness.kinds) {
    Pair pair{kind.weight.get_d(), {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < kind.train.size(); ++i) {
      pair.z.push_back(kind.train[i].get_d());
      pair.zi.push_back(kind.infer[i].get_d());
      pair.copies.push_back(static_cast<double>(witness.copies[i]));
    }
    pair.p = softmax(pair.z, pair.copies);
    pair.q = softmax(pair.zi, pair.copies);
    out.push_back(std::move(pair));
  }
  return out;
}

using Statistic = double (*)(const Pair&, unsigned long steps);

double tv(const Pair& at, unsigned long) {
  return (std::abs(at.p[0] - at.q[0]) + std::abs(at.p[1] - at.q[1])) / 2;
}
double kl(const std::vector<double>& p, const std::vector<double>& q) {
  return p[0] * std::log(p[0] / q[0]) + p[1] * std::log(p[1] / q[1]);
}
double klTrainInfer(const Pair& at, unsigned long) { return kl(at.p, at.q); }
double klInferTrain(const Pair& at, unsigned long) { return kl(at.q, at.p); }
double chi2(const Pair& at, unsigned long) {
  return at.p[0] * at.p[0] / at.q[0] + at.p[1] * at.p[1] / at.q[1] - 1;
}
double hellinger(const Pair& at, unsigned long) {
  return 1 - std::sqrt(at.p[0] * at.q[0]) - std::sqrt(at.p[1] * at.q[1]);
}
double js(const Pair& at, unsigned long) {
  std::vector<double> m{(at.p[0] + at.q[0]) / 2, (at.p[1] + at.q[1]) / 2};
  return (kl(at.p, m) + kl(at.q, m)) / 2;
}
double entropy(const std::vector<double>& p, const std::vector<double>& copies) {
  return -p[0] * std::log(p[0] / copies[0]) - p[1] * std::log(p[1] / copies[1]);
}
double entropyGap(const Pair& at, unsigned long) {
  return std::abs(entropy(at.p, at.copies) - entropy(at.q, at.copies));
}
double flips(const Pair& at, unsigned long) {
  return (at.z[0] > at.z[1]) != (at.zi[0] > at.zi[1]) ? 1 : 0;
}
double largestRatio(const Pair& at, unsigned long steps) {
  return std::pow(std::max(at.p[0] / at.q[0], at.p[1] / at.q[1]), steps);
}
double smallestRatio(const Pair& at, unsigned long steps) {
  return std::pow(std::min(at.p[0] / at.q[0], at.p[1] / at.q[1]), steps);
}
double sequenceKl(const Pair& at, unsigned long steps) {
  return static_cast<double>(steps) * kl(at.q, at.p);
}
double sequenceMoment(const Pair& at, unsigned long steps) {
  return std::pow(1 + chi2(at, 1), static_cast<double>(steps));
}

double sequenceTv(const Pair& at, unsigned long steps) {
  double out = 0;
  double n = static_cast<double>(steps);
  for (unsigned long k = 0; k <= steps; ++k) {
    double first = static_cast<double>(k);
    double ways = std::lgamma(n + 1) - std::lgamma(first + 1) - std::lgamma(n - first + 1);
    double p = std::exp(ways + first * std::log(at.p[0]) + (n - first) * std::log(at.p[1]));
    double q = std::exp(ways + first * std::log(at.q[0]) + (n - first) * std::log(at.q[1]));
    out += std::abs(p - q) / 2;
  }
  return out;
}
double discountedTv(const Pair& at, unsigned long steps) { // discount 0.9
  double out = 0;
  for (unsigned long t = 1; t <= steps; ++t)
    out += std::pow(0.9, static_cast<double>(t - 1)) * sequenceTv(at, t);
  return out;
}

double meanOf(const Witness& witness, Statistic statistic) {
  double out = 0;
  for (const Pair& pair : pairsOf(witness))
    out += pair.weight * statistic(pair, witness.steps);
  return out;
}
double largestOf(const Witness& witness, Statistic statistic) {
  double out = -1e300;
  for (const Pair& pair : pairsOf(witness))
    out = std::max(out, statistic(pair, witness.steps));
  return out;
}

double largestOscillation(const Witness& witness) {
  return largestOf(witness, [](const Pair& at, unsigned long) {
    return std::abs((at.z[0] - at.zi[0]) - (at.z[1] - at.zi[1]));
  });
}

constexpr double rounding = 1e-9;

const std::string unitDrift = "  worst: max(logit_osc) <= 1\n";
const std::string halfDrift = "  worst: max(logit_osc) <= 0.5\n";
const std::string models = "vocabulary: 50000, horizon: 64 tokens";

/// A claim just inside what the drift can do, and one just outside of it, which nothing breaks.
struct Breach {
  const char* name;
  std::string clauses;
  const char* broken;
  double budget; // of the broken claim; the statistic's mean lies beyond it
  const char* safe;
  Statistic statistic;
  double factor = 1;
  bool isLower = false;
};

const char* const given = "support: full, reward: [0, 1], step_reward: [-1, 1], discount: 0.9, "
                          "advantage: 4, score_norm: 8, estimator: step, correction: none";

void PrintTo(const Breach& edge, std::ostream* out) { *out << edge.name; }

class EdgeOfOneDrift : public testing::TestWithParam<Breach> {};

std::string quoted(const char* claim) { return fmt::format("\"{}\"", claim); }

TEST_P(EdgeOfOneDrift, IsBrokenInsideAndHoldsOutside) {
  const Breach& edge = GetParam();
  const std::string model = std::string(edge.name) == "entropy"
                                ? "vocabulary: 1000, horizon: 64 tokens"
                                : "vocabulary: 50000, horizon: 64 tokens";
  auto found = witnessOf({model, given, edge.clauses, quoted(edge.broken)});
  ASSERT_TRUE(found) << edge.broken;
  double drift = edge.clauses == unitDrift ? 1 : 0.5;
  EXPECT_LE(largestOscillation(*found), drift + rounding);
  double value = edge.factor * meanOf(*found, edge.statistic);
  if (edge.isLower)
    EXPECT_LT(value, edge.budget);
  else
    EXPECT_GT(value, edge.budget);
  EXPECT_LE(found->steps, 64u);
  EXPECT_NEAR(found->rows.back().value.approximate(), value, 1e-6 * std::abs(value)) << edge.name;
  EXPECT_FALSE(witnessOf({model, given, edge.clauses, quoted(edge.safe)})) << edge.safe;
}

double ess(const Pair& at, unsigned long steps) { return 1 / sequenceMoment(at, steps); }

INSTANTIATE_TEST_SUITE_P(
    Claims, EdgeOfOneDrift,
    testing::Values(
        Breach{"tv", unitDrift, "max(tv) <= 0.2449", 0.2449, "max(tv) <= 0.24492", tv},
        Breach{"kl_train_infer", unitDrift, "kl_train_infer <= 0.1232 nat", 0.1232,
               "kl_train_infer <= 0.12336 nat", klTrainInfer},
        Breach{"kl_infer_train", unitDrift, "kl_infer_train <= 0.1232 nat", 0.1232,
               "kl_infer_train <= 0.12336 nat", klInferTrain},
        Breach{"chi2", unitDrift, "chi2 <= 0.2715", 0.2715, "chi2 <= 0.27155", chi2},
        Breach{"hellinger", unitDrift, "hellinger <= 0.0304", 0.0304, "hellinger <= 0.03047",
               hellinger},
        Breach{"js", unitDrift, "js <= 0.0302 nat", 0.0302, "js <= 0.03032 nat", js},
        Breach{"ratio", unitDrift, "max(ratio) <= 2.718", 2.718, "max(ratio) <= 2.71829",
               [](const Pair& at, unsigned long) { return largestRatio(at, 1); }},
        Breach{"ratio_below", unitDrift, "min(ratio) >= 0.3679", 0.3679, "min(ratio) >= 0.36787",
               [](const Pair& at, unsigned long) { return smallestRatio(at, 1); }, 1, true},
        Breach{"ess", unitDrift, "ess >= 78.65%", 0.7865, "ess >= 78.64%",
               [](const Pair& at, unsigned long) { return ess(at, 1); }, 1, true},
        Breach{"entropy", unitDrift, "entropy_gap <= 1.725 nat", 1.725, "entropy_gap <= 1.7255 nat",
               entropyGap},
        Breach{"flip", unitDrift, "top1_flip <= 99%", 0.99, "top1_flip <= 1", flips},
        Breach{"step_reward", unitDrift, "step_reward_drift <= 0.4898", 0.4898,
               "step_reward_drift <= 0.48984", tv, 2},
        Breach{"gradient", unitDrift, "pg_bias <= 15.67", 15.67, "pg_bias <= 15.675", tv, 64},
        Breach{"seq_kl", halfDrift, "seq_kl <= 1.98 nat", 1.98, "seq_kl <= 2 nat", sequenceKl},
        Breach{"seq_ess", halfDrift, "seq_ess >= 2%", 0.02, "seq_ess >= 1.9%", ess, 1, true},
        Breach{"seq_tv", halfDrift, "seq_tv <= 67%", 0.67, "seq_tv <= 80%", sequenceTv},
        Breach{"seq_ratio", halfDrift, "max(seq_ratio) <= 7e13", 7e13, "max(seq_ratio) <= 8e13",
               largestRatio},
        Breach{"reward", halfDrift, "reward_drift <= 0.67", 0.67, "reward_drift <= 0.8",
               sequenceTv},
        Breach{"discounted", halfDrift, "discounted_reward_drift <= 4.5", 4.5,
               "discounted_reward_drift <= 8", discountedTv, 2}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Witness, MixesKindsOfContextAsQuantilesAllow) {
  const std::string ladder = "  usual: p99(logit_osc) <= 0.25\n  worst: max(logit_osc) <= 1\n";
  auto found = witnessOf({models, "support: full", ladder, "mean(tv) <= 0.0642"});
  ASSERT_TRUE(found);
  EXPECT_GT(meanOf(*found, tv), 0.0642);
  double beyond = 0;
  EXPECT_LE(largestOscillation(*found), 1 + rounding);
  for (const Witness::Kind& kind : found->kinds)
    if (largestOscillation({{kind}, found->copies, 1, 1, {}}) > 0.25 + rounding)
      beyond += kind.weight.get_d();
  EXPECT_LE(beyond, 0.01 + rounding);
  EXPECT_FALSE(witnessOf({models, "support: full", ladder, "mean(tv) <= 0.0643"}));
}

TEST(Witness, SpendsAMeanOnFewContextsWhereThatIsWorst) {
  const std::string means = "  usual: mean(logit_osc) <= 0.1\n  worst: max(logit_osc) <= 4\n";
  auto found = witnessOf({models, "support: full", means, "kl_train_infer <= 0.0417 nat"});
  ASSERT_TRUE(found);
  EXPECT_GT(meanOf(*found, klTrainInfer), 0.0417);
  EXPECT_LE(meanOf(*found,
                   [](const Pair& at, unsigned long) {
                     return std::abs((at.z[0] - at.zi[0]) - (at.z[1] - at.zi[1]));
                   }),
            0.1 + rounding);
  EXPECT_FALSE(witnessOf({models, "support: full", means, "kl_train_infer <= 0.0418 nat"}));
}

TEST(Witness, KnowsThatADistanceBoundsNoRatio) {
  auto found =
      witnessOf({models, "support: full", "  near: max(tv) <= 0.01\n", "max(ratio) <= 1e12"});
  ASSERT_TRUE(found);
  EXPECT_GT(largestOf(*found, [](const Pair& at, unsigned long) { return largestRatio(at, 1); }),
            1e12);
  EXPECT_LE(largestOf(*found, tv), 0.01 + rounding);
}

TEST(Witness, HidesDriftWhereSamplesSeldomGo) {
  const std::string sampled = "  gap: p99(abs(logprob_gap)) <= 0.1 nat\n";
  auto found = witnessOf({models, "support: full", sampled, "tv <= 10.419%"});
  ASSERT_TRUE(found);
  double outside = 0, value = 0;
  for (const Pair& pair : pairsOf(*found)) {
    value += pair.weight * tv(pair, 1);
    for (std::size_t i = 0; i < 2; ++i)
      if (std::abs(std::log(pair.p[i] / pair.q[i])) > 0.1 + rounding)
        outside += pair.weight * pair.q[i];
  }
  EXPECT_LE(outside, 0.01 + rounding);
  EXPECT_GT(value, 0.10419);
  EXPECT_FALSE(witnessOf({models, "support: full", sampled, "tv <= 10.422%"}));
}

TEST(Witness, MeetsAssumptions) {
  EXPECT_FALSE(witnessOf({models, "support: full, ratio_cap: 2", unitDrift, "max(ratio) <= 2"}));
  auto bounded = witnessOf({models + ", logit_bound: 3", "support: full",
                            "  near: max(logit_rel) <= 0.1\n", "max(tv) <= 0.13"});
  ASSERT_TRUE(bounded);
  for (const Pair& pair : pairsOf(*bounded))
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(std::max(std::abs(pair.z[i]), std::abs(pair.zi[i])), 3 + rounding);
      EXPECT_LE(std::abs(pair.z[i] - pair.zi[i]) / std::max(std::abs(pair.z[i]), 1.0),
                0.1 + rounding);
    }
  auto capped = witnessOf(
      {"vocabulary: 1, horizon: 64 tokens", "support: full", unitDrift, "max(tv) <= 0.1"});
  EXPECT_FALSE(capped) << "one token has one distribution";
}

TEST(Witness, FollowsTemperature) {
  auto cold = witnessOf(
      {"vocabulary: 10, temperature: 0.5", "support: full", unitDrift, "max(tv) <= 0.46"});
  ASSERT_TRUE(cold) << "the drift counts twice at half the temperature";
  EXPECT_FALSE(witnessOf(
      {"vocabulary: 10, temperature: 0.5", "support: full", unitDrift, "max(tv) <= 0.4622"}));
  EXPECT_FALSE(
      witnessOf({"vocabulary: 10, temperature: 0", "support: full", unitDrift, "max(tv) <= 0.1"}));
}

TEST(Witness, IsNoneWhereAClauseCannotBeEvaluated) {
  EXPECT_FALSE(witnessOf(
      {models, "support: full", unitDrift + "  window: ess_sample >= 90%\n", "max(tv) <= 0.1"}));
  EXPECT_FALSE(witnessOf(
      {models, "support: full", unitDrift + "  total: sum(tv) <= 3\n", "max(tv) <= 0.1"}));
  EXPECT_TRUE(witnessOf({models, "support: full", unitDrift + "  finite: count(nonfinite) == 0\n",
                         "max(tv) <= 0.1"}));
}

TEST(Witness, LetsClausesOfOtherLinksAlone) {
  std::string text = "tikc: v1\ncontract: test\nversion: 1.0.0\n"
                     "kernels:\n  a: { engine: fsdp2 }\n  b: { engine: vllm }\n  c: { engine: vllm "
                     "}\nchain: [a, b, c]\n"
                     "assumptions: { support: full }\n"
                     "numerical:\n"
                     "  first: { require: max(logit_osc) <= 0.1, link: [a, b] }\n"
                     "  second: { require: max(logit_osc) <= 1, link: [b, c] }\n"
                     "claims:\n  it: max(tv) <= 0.24\n" +
                     observed();
  Checked checked(text);
  ASSERT_EQ(checked.contracts().size(), 1u);
  std::size_t effort = efforts.searching;
  bounds::Problem problem = bounds::pose(checked.contracts()[0], 256);
  ASSERT_EQ(problem.goals.size(), 1u);
  auto found = bounds::findWitness(checked.contracts()[0], problem.goals[0], 256, effort);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->split, 2u) << "the first two kernels agree";
  EXPECT_LE(largestOscillation(*found), 1 + rounding);
}

TEST(Witness, CountsForEverySlice) {
  std::string text =
      head() +
      "labels: { task: [math, code] }\nslices:\n  math: { when: task == \"math\", weight: 20% }\n"
      "assumptions: { support: full }\n"
      "numerical:\n  loose: max(logit_osc) <= 2 on math\n  strict: max(logit_osc) <= 0.1 on other\n"
      "claims:\n  it: mean(tv) <= 0.02\n" +
      observed();
  Checked checked(text);
  ASSERT_EQ(checked.contracts().size(), 1u);
  std::size_t effort = efforts.searching;
  bounds::Problem problem = bounds::pose(checked.contracts()[0], 256);
  ASSERT_EQ(problem.goals.size(), 2u);
  for (const bounds::Goal& goal : problem.goals) {
    auto found = bounds::findWitness(checked.contracts()[0], goal, 256, effort);
    ASSERT_TRUE(found);
    EXPECT_GT(meanOf(*found, tv), 0.02);
    EXPECT_LE(largestOscillation(*found), 0.1 + rounding);
  }
}

TEST(Witness, ShowsWhatItEvaluated) {
  auto found = witnessOf({models, "support: full", unitDrift, "max(tv) <= 0.2"});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->rows.size(), 2u);
  EXPECT_EQ(found->rows[0].what, "max(logit_osc)");
  EXPECT_EQ(found->rows[0].limit, "<= 1");
  EXPECT_EQ(found->rows[1].what, "max(tv)");
  EXPECT_EQ(found->rows[1].limit, "<= 0.2");
}

TEST(Witness, WithoutEffortThereIsNoSearch) {
  Checked checked(head() +
                  "numerical:\n  a: max(logit_osc) <= 2\nclaims:\n  it: mean(tv) <= 0.02\n" +
                  observed());
  ASSERT_EQ(checked.contracts().size(), 1u);
  bounds::Problem problem = bounds::pose(checked.contracts()[0], 256);
  ASSERT_EQ(problem.goals.size(), 1u);
  for (std::size_t effort : {0u, 1000u}) {
    std::size_t left = effort;
    auto found = bounds::findWitness(checked.contracts()[0], problem.goals[0], 256, left);
    EXPECT_EQ(found.has_value(), effort == 1000u);
    EXPECT_EQ(left > 0, effort == 1000u);
  }
}

TEST(Witness, ManyClaimsThatFailSayWhatWasNotSearchedFor) {
  std::string claims = "claims:\n";
  for (int i = 0; i < 40; ++i)
    claims += "  c" + std::to_string(i) + ": mean(tv) <= 0.02\n";
  Checked checked(head() + "numerical:\n  a: max(logit_osc) <= 2\n" + claims + observed());
  std::size_t refuted = 0, unadvised = 0;
  for (const diag::Diagnostic& found : checked.diagnostics()) {
    refuted += found.code == diag::Code::ClaimRefuted;
    for (const auto& note : found.notes)
      unadvised += note.find("did not search for a tolerance") != std::string::npos;
  }
  EXPECT_EQ(refuted, 40u);
  EXPECT_EQ(unadvised, 8u);
}

} // namespace
} // namespace tikc::tests
