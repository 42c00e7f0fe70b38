#pragma once

#include "property/World.h"
#include "unit/pipeline/Checked.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace tikc::tests {

/// Of every kind of choice, one at random; the same ones for the same seed.
class Dice {
public:
  explicit Dice(unsigned seed) : random_(seed) {}

  std::size_t roll(std::size_t sides) { return random_() % sides; }
  bool chance(double share = 0.5) { return uniform() < share; }
  double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
  double normal() { return std::normal_distribution<double>(0, 1)(random_); }
  double between(double low, double high) { return low + uniform() * (high - low); }
  /// Of sizes from small to large alike.
  double sized(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  template <typename T> const T& pick(const std::vector<T>& from) {
    return from[roll(from.size())];
  }

private:
  std::mt19937 random_;
};

struct Sampled {
  std::string text;
  Setting setting;
  std::vector<double> shares; // of slices
};

/// A random contract: some promises about drift and some claims, whose budgets come later.
class Generator {
public:
  explicit Generator(Dice& dice) : dice_(dice) {}

  Sampled take() {
    std::string text = head();
    vocabulary_ = 2 + dice_.roll(15);
    text += fmt::format("model: {{ vocabulary: {}, horizon: {} tokens }}\n", vocabulary_,
                        dice_.chance() ? 1 + dice_.roll(6) : 1 + dice_.roll(64));
    text += assumptions() + slices();
    text += "numerical:\n";
    std::size_t count = 1 + dice_.roll(4);
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format("  c{}: {}\n", i, clause());
    text += "claims:\n";
    for (std::size_t i = 0; i < 3; ++i)
      text += fmt::format("  g{}: {}\n", i, claim());
    out_.text = text + observed();
    return out_;
  }

private:
  std::string assumptions() {
    std::string support = "support: full, ";
    if (dice_.chance(0.3)) {
      out_.setting.missing = std::round(1e4 * dice_.sized(1e-3, 0.2)) / 1e4;
      support = fmt::format("support: {{ missing_mass: {} }}, ", out_.setting.missing);
    }
    struct Named {
      const char* text;
      model::CallId id;
      std::vector<double> arguments;
    };
    static const std::vector<Named> corrections{
        {"none", model::CallId::NoCorrection, {}},
        {"is", model::CallId::ImportanceSampling, {}},
        {"tis(1.25)", model::CallId::TruncatedIs, {1.25}},
        {"\"mis(0.5, 2)\"", model::CallId::MaskedIs, {0.5, 2}},
        {"clip(0.2)", model::CallId::Clip, {0.2}},
        {"\"ppo(0.2, 0.3)\"", model::CallId::Ppo, {0.2, 0.3}}};
    static const std::vector<std::pair<const char*, model::Estimator>> estimators{
        {"step", model::Estimator::Step},
        {"token", model::Estimator::Token},
        {"token_mc", model::Estimator::TokenMonteCarlo},
        {"sequence", model::Estimator::Sequence}};
    const Named& correction = dice_.pick(corrections);
    const auto& estimator = dice_.pick(estimators);
    out_.setting.correction = correction.id;
    out_.setting.arguments = correction.arguments;
    out_.setting.estimator = estimator.second;
    out_.setting.reward = 1;
    out_.setting.stepReward = 2;
    out_.setting.discount = 0.9;
    out_.setting.gradient = 6;
    return fmt::format("assumptions: {{ {}reward: [0, 1], step_reward: [-1, 1], discount: 0.9, "
                       "advantage: 3, score_norm: 2, estimator: {}, correction: {} }}\n",
                       support, estimator.first, correction.text);
  }

  std::string slices() {
    out_.shares = {1};
    if (!dice_.chance(0.2))
      return {};
    bool isWhole = dice_.chance();
    out_.shares = isWhole ? std::vector<double>{0.25, 0.75} : std::vector<double>{0.25, 0.5, 0.25};
    return fmt::format("labels: {{ task: [math, code] }}\nslices:\n  math: {{ when: task == "
                       "\"math\", weight: 25% }}\n"
                       "  code: {{ when: task == \"code\", weight: {} }}\n",
                       isWhole ? "75%" : "50%");
  }

  std::string clause() {
    static const std::vector<std::string> rows{
        "logit_linf", "logit_osc",      "logit_osc",      "logit_l2", "logprob_linf", "tv",
        "hellinger",  "kl_train_infer", "kl_infer_train", "js",       "chi2"};
    static const std::vector<std::string> sampled{"p99(abs(logprob_gap))",
                                                  "max(abs(logprob_gap))",
                                                  "mean(abs(logprob_gap))",
                                                  "mean(tv_sampled)",
                                                  "mean(k1)",
                                                  "mean(k2)",
                                                  "mean(k3)",
                                                  "mean(seq_tv)",
                                                  "mean(abs(seq_log_ratio))",
                                                  "mean(veto(0.5))",
                                                  "mean(top1_flip)"};
    static const std::vector<std::string> aggregates{"max", "max", "max", "mean", "p90", "p99"};
    std::string scope = out_.shares.size() > 1 && dice_.chance(0.2) ? " on all" : "";
    if (dice_.chance(0.25))
      return fmt::format("{} <= {:.4f}{}", dice_.pick(sampled), dice_.sized(1e-3, 0.5), scope);
    std::string metric = dice_.pick(rows);
    bool isDrift = metric.starts_with("log");
    double size = isDrift                                        ? dice_.sized(0.01, 3)
                  : metric == "chi2" || metric.starts_with("kl") ? dice_.sized(1e-4, 1)
                                                                 : dice_.sized(1e-3, 0.6);
    return fmt::format("{}({}) <= {:.5f}{}", dice_.pick(aggregates), metric, size, scope);
  }

  std::string claim() {
    static const std::vector<std::string> claims{"tv <= 0.5",
                                                 "max(tv) <= 0.5",
                                                 "p90(tv) <= 0.5",
                                                 "kl_train_infer <= 0.5",
                                                 "max(kl_train_infer) <= 0.5",
                                                 "kl_infer_train <= 0.5",
                                                 "chi2 <= 0.5",
                                                 "max(chi2) <= 0.5",
                                                 "hellinger <= 0.5",
                                                 "js <= 0.5",
                                                 "max(ratio) <= 2",
                                                 "min(ratio) >= 0.5",
                                                 "ess >= 50%",
                                                 "entropy_gap <= 0.5",
                                                 "step_reward_drift <= 0.5",
                                                 "seq_tv <= 0.5",
                                                 "max(seq_tv) <= 0.5",
                                                 "seq_kl <= 0.5",
                                                 "seq_ess >= 50%",
                                                 "max(seq_ratio) <= 2",
                                                 "reward_drift <= 0.5",
                                                 "discounted_reward_drift <= 0.5",
                                                 "pg_bias <= 0.5",
                                                 "pg_bias <= 0.5"};
    return dice_.pick(claims);
  }

  Dice& dice_;
  Sampled out_;
  std::size_t vocabulary_ = 2;
};

} // namespace tikc::tests
