#include "tikc/trainer_metrics.h"

#include "TokensReference.h"

#include <gmock/gmock.h>

#include <map>

namespace tikc::tests::tokens {
namespace {

using Metrics = std::map<std::string, double>;

template <class Of> Metrics metricsOf(trainer whose, const Of& of) {
  Metrics out;
  visit_trainer_metrics(whose, of, [&](const char* name, double value) {
    EXPECT_TRUE(out.emplace(name, value).second) << name;
  });
  return out;
}

/// The trainers' own formulas, over the tokens that the mask leaves.
std::map<std::string, long double> expectedOf(const Tokens& tokens) {
  std::vector<long double> x, p, q, apart;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.keeps(i)) {
      x.push_back(static_cast<long double>(tokens.train[i] - tokens.infer[i]));
      p.push_back(std::exp(static_cast<long double>(tokens.train[i])));
      q.push_back(std::exp(static_cast<long double>(tokens.infer[i])));
      apart.push_back(std::abs(p.back() - q.back()));
    }
  auto mean = [](const std::vector<long double>& of, auto&& f) {
    long double total = 0;
    for (long double each : of)
      total += f(each);
    return total / static_cast<long double>(of.size());
  };
  auto same = [](long double v) { return v; };
  long double meanP = mean(p, same), meanQ = mean(q, same), meanApart = mean(apart, same);
  long double covariance = 0, varianceP = 0, varianceQ = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    covariance += (p[i] - meanP) * (q[i] - meanQ);
    varianceP += (p[i] - meanP) * (p[i] - meanP);
    varianceQ += (q[i] - meanQ) * (q[i] - meanQ);
  }
  const long double n = static_cast<long double>(p.size());
  auto squared = [&](long double v) { return (v - meanApart) * (v - meanApart); };
  auto k3 = [](long double v) { return std::expm1(v) - v; };
  return {
      {"rollout_corr/kl", -mean(x, same)},
      {"rollout_corr/k3_kl", mean(x, k3)},
      {"rollout_corr/chi2_token", mean(x, [](long double v) { return std::exp(2 * v); }) - 1},
      {"training/rollout_probs_diff_mean", meanApart},
      {"training/rollout_probs_diff_std", std::sqrt(mean(apart, squared) * n / (n - 1))},
      {"training/rollout_actor_probs_pearson_corr", covariance / std::sqrt(varianceP * varianceQ)},
      {"sampling/sampling_logp_difference/mean",
       mean(x, [](long double v) { return std::abs(v); })},
      {"sampling/sampling_logp_difference/max",
       std::max(std::abs(*std::min_element(x.begin(), x.end())),
                std::abs(*std::max_element(x.begin(), x.end())))},
      {"train/gen_kl_error", mean(x, k3)},
      {"train/token_mult_prob_error",
       mean(x, [](long double v) { return std::exp(std::abs(v)); })}};
}

TEST(TrainerMetrics, AreTheTrainersOwnFigures) {
  for (double drift : {1e-3, 0.05, 0.7})
    for (std::size_t count : {std::size_t{2}, std::size_t{5000}}) {
      const Tokens tokens = drawTokens(7, count, drift, count > 2 ? Masks::Random : Masks::None);
      Stats stats;
      observe(stats, tokens.batch());
      auto expected = expectedOf(tokens);
      std::size_t seen = 0;
      for (trainer each : {trainer::verl, trainer::trl, trainer::nemo_rl})
        for (const auto& [name, value] : metricsOf(each, stats)) {
          ++seen;
          ASSERT_EQ(expected.count(name), 1U) << name;
          const double wanted = static_cast<double>(expected[name]);
          EXPECT_NEAR(value, wanted, 1e-4 * std::abs(wanted) + 1e-9)
              << name << " of " << count << " tokens at a drift of " << drift;
        }
      EXPECT_EQ(seen, expected.size());
    }
}

TEST(TrainerMetrics, AreTheirLogsNames) {
  Stats stats;
  observe(stats, drawTokens(1, 50, 0.1, Masks::None).batch());
  EXPECT_THAT(metricsOf(trainer::verl, stats),
              testing::UnorderedElementsAre(
                  testing::Key("rollout_corr/kl"), testing::Key("rollout_corr/k3_kl"),
                  testing::Key("rollout_corr/chi2_token"),
                  testing::Key("training/rollout_probs_diff_mean"),
                  testing::Key("training/rollout_probs_diff_std"),
                  testing::Key("training/rollout_actor_probs_pearson_corr")));
  EXPECT_THAT(metricsOf(trainer::trl, stats),
              testing::UnorderedElementsAre(testing::Key("sampling/sampling_logp_difference/mean"),
                                            testing::Key("sampling/sampling_logp_difference/max")));
}

TEST(TrainerMetrics, WhatNoClauseAsksForIsNotMadeUp) {
  const Tokens tokens = drawTokens(2, 50, 0.1, Masks::None);
  token_stats<Only<token_want::k3>> only;
  observe(only, tokens.batch());
  EXPECT_THAT(metricsOf(trainer::verl, only),
              testing::ElementsAre(testing::Key("rollout_corr/k3_kl")));
  EXPECT_THAT(metricsOf(trainer::trl, only), testing::IsEmpty());
  EXPECT_THAT(metricsOf(trainer::verl, Stats()), testing::IsEmpty());
}

TEST(TrainerMetrics, ABadTokenIsNotDropped) {
  Stats stats;
  const float train[] = {-1, notANumber}, infer[] = {-1, -1};
  observe(stats, {train, infer, nullptr, 2});
  Metrics found = metricsOf(trainer::verl, stats);
  EXPECT_TRUE(std::isnan(found["rollout_corr/kl"]));
  EXPECT_EQ(found["training/rollout_probs_diff_mean"], 0.5);
  EXPECT_TRUE(std::isnan(found["training/rollout_probs_diff_std"]));
  EXPECT_EQ(metricsOf(trainer::trl, stats)["sampling/sampling_logp_difference/max"], infinity);
}

} // namespace
} // namespace tikc::tests::tokens
