#pragma once

#include "property/World.h"
#include "unit/Observed.h"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <utility>

namespace tikc::tests {

/// Of every kind of choice, one at random; the same ones for the same seed.
class Dice {
public:
  explicit Dice(unsigned seed) : random_(seed) {}
  /// Others, which take no throw from these: what a contract may say newly leaves the rest as it
  /// is.
  Dice apart() const {
    Dice copy = *this;
    return Dice(static_cast<unsigned>(copy.random_()) ^ 0x5bd1e995U);
  }

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
};

/// A random contract: some promises about drift and some claims, whose budgets come later. Half of
/// them are of two kernels that sample and log alike; the others differ in all that a contract can
/// say of whose laws a number is about.
class Generator {
public:
  explicit Generator(Dice& dice) : dice_(dice), ofLengths_(dice.apart()), isPlain_(dice.chance()) {}

  Sampled take() {
    std::string kernels = chain();
    share({1});
    std::string slices = this->slices(), given = assumptions();
    vocabulary_ = 2 + dice_.roll(15);
    std::size_t horizon = dice_.chance() ? 1 + dice_.roll(6) : 1 + dice_.roll(64);
    bool isBounded = !isPlain_ && dice_.chance(0.4);
    if (isBounded)
      out_.setting.logitBound = 3;
    std::string text = "tikc: v1\ncontract: test\nversion: 1.0.0\n" + kernels;
    text += fmt::format("model: {{ vocabulary: {}, horizon: {} tokens{} }}\n", vocabulary_,
                        std::max(horizon, leastHorizon_), isBounded ? ", logit_bound: 3" : "");
    text += given + slices + "numerical:\n";
    std::size_t count = 1 + dice_.roll(4);
    if (dice_.chance(0.2)) {
      recipeLink_ = link(true, false);
      recipe_ = &dice_.pick(recipes());
      count = dice_.chance() ? recipe_->clauses.size() : std::max(count, recipe_->clauses.size());
    }
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format("  c{}: {{ require: \"{}\"{}{} }}\n", i, clause(),
                          link(true, recipe_ && i < recipe_->clauses.size()), drawn());
    text += "claims:\n";
    for (std::size_t i = 0; i < 3; ++i)
      text += fmt::format("  g{}: {{ require: \"{}\"{} }}\n", i, claim(), link(false, i == 0));
    out_.text = text + observed();
    if (out_.setting.age) // the same kernel with newer weights
      out_.setting.kernels.insert(out_.setting.kernels.begin(), out_.setting.kernels.front());
    return out_;
  }

private:
  static constexpr const char* names_[] = {"trainer", "middle", "rollout"};

  std::string nameOf(std::size_t kernel) const {
    return kernel + 1 == out_.setting.kernels.size() ? "rollout" : names_[kernel];
  }

  std::string chain() {
    bool isChain = dice_.chance(0.2);
    out_.setting.kernels.assign(isChain ? 3 : 2, {});
    std::string out = "kernels:\n";
    static const std::vector<double> temperatures{0.7, 1, 1.5};
    bool isGreedy = !isPlain_ && dice_.chance(0.06), isAlike = dice_.chance(0.6);
    double common = dice_.pick(temperatures);
    for (std::size_t k = 0; k < out_.setting.kernels.size(); ++k) {
      Kernel& kernel = out_.setting.kernels[k];
      std::string sampling, more;
      auto say = [&](const std::string& what) {
        sampling += (sampling.empty() ? "" : ", ") + what;
      };
      if (!isPlain_) {
        kernel.temperature = isAlike ? common : dice_.pick(temperatures);
        if (isGreedy && (isAlike || dice_.chance()))
          kernel.temperature = 0;
        say(fmt::format("temperature: {}", kernel.temperature));
        if (dice_.chance(0.2))
          switch (dice_.roll(3)) {
          case 0:
            kernel.topP = dice_.chance() ? 0.9 : 0.6;
            say(fmt::format("top_p: {}", kernel.topP));
            break;
          case 1:
            kernel.topK = 1 + dice_.roll(3);
            say(fmt::format("top_k: {}", kernel.topK));
            break;
          default:
            kernel.minP = 0.2;
            say("min_p: 0.2");
          }
        kernel.logsRaw = dice_.chance(0.25);
        if (kernel.logsRaw)
          more = ", logprobs: raw";
      }
      if (!sampling.empty())
        more += ", sampling: { " + sampling + " }";
      out += fmt::format("  {}: {{ engine: {}{} }}\n", nameOf(k), k == 0 ? "fsdp2" : "vllm", more);
    }
    return out + (isChain ? "chain: [trainer, middle, rollout]\n"
                          : "pair: { train: trainer, infer: rollout }\n");
  }

  /// Clauses of a chain say which two kernels they compare; claims are about its ends otherwise.
  std::string link(bool isClause, bool isFirst) {
    if (out_.setting.kernels.size() < 3)
      return out_.setting.age && dice_.chance(0.2) ? ", link: [trainer, rollout]" : "";
    if (recipe_ && isFirst) // all of it about the same two
      return recipeLink_;
    if (dice_.chance(isClause ? 0.4 : 0.7))
      return isClause ? ", link: [trainer, rollout]" : "";
    return dice_.chance() ? ", link: [trainer, middle]" : ", link: [middle, rollout]";
  }

  std::string drawn() {
    if (isPlain_ || !dice_.chance(0.25))
      return {};
    std::size_t by = dice_.roll(out_.setting.kernels.size() + 1);
    return ", drawn: " + (by == out_.setting.kernels.size() ? std::string("text") : nameOf(by));
  }

  std::string support() {
    Setting& setting = out_.setting;
    const Kernel& server = setting.kernels.back();
    bool cutsVary = setting.slices.front().bringsTopP;
    double which = dice_.uniform();
    if (which < (isPlain_ ? 0.7 : 0.5)) {
      // Settings that contradict it leave nothing to rest on.
      bool isSo = !server.cuts() && server.temperature > 0 && !cutsVary;
      setting.support = isSo ? Setting::Support::Full : Setting::Support::Unsaid;
      return "support: full, ";
    }
    if (isPlain_ || which < 0.8) {
      setting.support = Setting::Support::MissingMass;
      setting.supportValue =
          dice_.chance(0.2) ? 0.45 : std::round(1e4 * dice_.sized(1e-3, 0.5)) / 1e4;
      return fmt::format("support: {{ missing_mass: {} }}, ", setting.supportValue);
    }
    if (which < 0.95) {
      static const std::vector<double> masses{0.5, 0.9, 0.95};
      setting.supportValue = dice_.pick(masses);
      bool isSo = server.topP >= setting.supportValue && !cutsVary;
      setting.support = isSo ? Setting::Support::TopP : Setting::Support::Unsaid;
      return fmt::format("support: {{ top_p: {} }}, ", setting.supportValue);
    }
    return {};
  }

  std::string assumptions() {
    Setting& setting = out_.setting;
    std::string out = support();
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
    static const std::vector<std::pair<const char*, model::GradientEstimator>> estimators{
        {"step", model::GradientEstimator::Step},
        {"token", model::GradientEstimator::Token},
        {"token_mc", model::GradientEstimator::TokenMonteCarlo},
        {"sequence", model::GradientEstimator::Sequence}};
    const Named& correction = dice_.pick(corrections);
    const auto& estimator = dice_.pick(estimators);
    setting.correction = correction.id;
    setting.arguments = correction.arguments;
    setting.estimator = estimator.second;
    if (dice_.chance(0.35)) {
      bool isOfBatch = ofLengths_.chance();
      setting.loss = isOfBatch ? model::Loss::BatchMean : model::Loss::TokenMean;
      out += isOfBatch ? "loss: token_mean, " : "loss: seq_mean_token_mean, ";
    }
    if (ofLengths_.chance(setting.loss == model::Loss::BatchMean ? 0.8 : 0.05)) {
      setting.leastMeanLength = ofLengths_.chance(0.7) || setting.slices.size() > 1 ? 1 : 2;
      out += fmt::format("least_mean_length: {} tokens, ", *setting.leastMeanLength);
    }
    setting.stepLow = -1;
    setting.stepHigh = 1;
    setting.discount = 0.9;
    setting.gradient = 6;
    if (dice_.chance(0.1)) {
      setting.group = 2; // population-normalised advantages of two are at most 1
      setting.gradient = 2;
      out += "group: 2, ";
    }
    if (dice_.chance(0.8)) {
      setting.rewardRange = 1;
      out += "reward: [0, 1], ";
    }
    if (dice_.chance(0.2)) {
      setting.rewardSigma = dice_.chance() ? 0.1 : 0.5;
      out += fmt::format("reward_sigma: {}, ", *setting.rewardSigma);
    }
    if (dice_.chance(0.1)) {
      setting.rewardLipschitz = 0.5;
      out += "reward_lipschitz: 0.5, ";
    }
    if (setting.kernels.size() == 2 && dice_.chance(0.15)) {
      std::size_t steps = 1 + dice_.roll(3);
      double drift = std::round(1e4 * dice_.sized(1e-3, 0.5)) / 1e4;
      setting.age = static_cast<double>(steps) * drift;
      out += fmt::format("staleness: {{ steps: {}, logit_osc: {} }}, ", steps, drift);
    }
    if (dice_.chance(0.15)) {
      setting.ratioCap = dice_.chance() ? 1.5 : 4;
      out += fmt::format("ratio_cap: {}, ", *setting.ratioCap);
    }
    bool isAnyLength = leastHorizon_ == 1;
    if (setting.leastMeanLength && *setting.leastMeanLength > 1)
      leastHorizon_ = std::max<std::size_t>(leastHorizon_, 2);
    if (isAnyLength && dice_.chance(setting.slices.size() > 1 ? 0.6 : 0.25)) {
      setting.meanLength = dice_.chance(0.2) && !setting.leastMeanLength ? 1 : 2;
      out += fmt::format("mean_length: {} tokens, ", *setting.meanLength);
    }
    return fmt::format("assumptions: {{ {}step_reward: [-1, 1], discount: 0.9, advantage: 3, "
                       "score_norm: 2, estimator: {}, correction: {} }}\n",
                       out, estimator.first, correction.text);
  }

  void share(const std::vector<double>& shares) {
    out_.setting.slices.assign(shares.size(), {});
    for (std::size_t i = 0; i < shares.size(); ++i)
      out_.setting.slices[i].share = shares[i];
  }

  std::string slices() {
    if (!dice_.chance(isPlain_ ? 0.2 : 0.4))
      return {};
    switch (isPlain_ ? 0 : dice_.roll(6)) {
    case 0:
    case 1:
    case 2:
      return ofLabels();
    case 3:
      share({0.25, 0.75});
      out_.setting.slices[0].coldest = 1.01;
      out_.setting.slices[0].hottest = 2.5;
      out_.setting.slices[1].coldest = 0.4;
      out_.setting.slices[1].hottest = 1;
      return "slices:\n  hot: { when: temperature > 1, weight: 25% }\n";
    case 4:
      share({0.25, 0.75});
      for (Setting::Slice& slice : out_.setting.slices)
        slice.bringsTopP = true;
      return "slices:\n  cut: { when: top_p < 1, weight: 25% }\n";
    default:
      share({1, 1});
      out_.setting.cutAt = 1;
      leastHorizon_ = 2;
      return "slices:\n  early: { when: position < 1 }\n";
    }
  }

  std::string ofLabels() {
    bool isWhole = dice_.chance();
    auto& slices = out_.setting.slices;
    share(isWhole ? std::vector<double>{0.25, 0.75} : std::vector<double>{0.25, 0.5, 0.25});
    std::string first, second;
    if (dice_.chance(0.5)) {
      // Shares of tokens follow from lengths.
      std::vector<std::size_t> lengths =
          isWhole ? std::vector<std::size_t>{3, 1} : std::vector<std::size_t>{2, 1, 4};
      for (std::size_t i = 0; i < slices.size(); ++i)
        slices[i].length = lengths[i];
      first = isWhole ? ", token_weight: 50%" : ", token_weight: 25%";
      second = first;
      leastHorizon_ = 4;
    }
    auto lengthOf = [&](Setting::Slice& slice, std::string& says) {
      if (ofLengths_.chance(0.3)) {
        slice.leastMeanLength = slice.length > 0 ? static_cast<double>(slice.length) : 1;
        says += fmt::format(", least_mean_length: {} tokens", *slice.leastMeanLength);
      }
      if (!dice_.chance(0.4))
        return;
      static const std::vector<double> lengths{1, 2, 3};
      slice.meanLength = slice.length > 0 ? static_cast<double>(slice.length) : dice_.pick(lengths);
      says += fmt::format(", mean_length: {} tokens", *slice.meanLength);
    };
    lengthOf(slices[0], first);
    lengthOf(slices[1], second);
    return fmt::format("labels: {{ task: [math, code] }}\nslices:\n"
                       "  math: {{ when: task == \"math\", weight: 25%{} }}\n"
                       "  code: {{ when: task == \"code\", weight: {}{} }}\n",
                       first, isWhole ? "75%" : "50%", second);
  }

  /// Clauses that lead to a claim together, and seldom by chance.
  struct Recipe {
    std::vector<std::string> clauses;
    std::string claim;
  };
  static const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> rows{
        {{"max(logit_osc) <= 0.05", "min(top1_margin) >= 0.1"}, "max(top1_flip) <= 0.5"},
        {{"mean(tv_sampled) <= 0.02"}, "tv <= 0.5"},
        {{"max(abs(logprob_gap)) <= 0.05"}, "tv <= 0.5"},
        {{"mean(k1) <= 0.02 on all"}, "kl_infer_train <= 0.5"},
        {{"mean(logprob_gap) >= -0.02 on all"}, "tv <= 0.5"},
        {{"mean(kl_infer_train) <= 0.02"}, "seq_kl <= 0.5"},
        {{"mean(tv) <= 0.05"}, "seq_tv <= 0.5"},
        {{"mean(k3) <= 0.02"}, "seq_tv <= 0.5"},
        {{"mean(mult_prob_error) <= 1.05"}, "tv <= 0.5"},
        {{"mean(mult_prob_error) <= 1.02 on all"}, "tv <= 0.5"}};
    return rows;
  }

  std::string clause() {
    if (recipe_ && said_ < recipe_->clauses.size()) {
      std::string out = recipe_->clauses[said_++];
      bool hasSlices = out_.setting.slices.size() > 1;
      return hasSlices ? out : out.substr(0, out.find(" on all"));
    }
    static const std::vector<std::string> rows{
        "logit_linf", "logit_osc",      "logit_osc",      "logit_l2", "logprob_linf", "tv",
        "hellinger",  "kl_train_infer", "kl_infer_train", "js",       "chi2"};
    static const std::vector<std::string> sampled{"p99(abs(logprob_gap))",
                                                  "max(abs(logprob_gap))",
                                                  "mean(abs(logprob_gap))",
                                                  "rms(logprob_gap)",
                                                  "rms(tv)",
                                                  "mean(tv_sampled)",
                                                  "mean(prob_gap)",
                                                  "max(prob_gap)",
                                                  "mean(binary_kl)",
                                                  "p90(binary_kl)",
                                                  "mean(k1)",
                                                  "mean(k2)",
                                                  "mean(k3)",
                                                  "mean(seq_tv)",
                                                  "mean(abs(seq_log_ratio))",
                                                  "mean(veto(0.5))",
                                                  "mean(clipped(0.8, 2))",
                                                  "rate(ratio < 0.9)",
                                                  "p99(abs(seq_log_ratio))",
                                                  "max(k3)",
                                                  "p99(k3)",
                                                  "max(k2)",
                                                  "max(k1)",
                                                  "max(tv_sampled)",
                                                  "p90(tv_sampled)",
                                                  "max(logprob_gap)",
                                                  "max(seq_log_ratio)",
                                                  "max(seq_tv)",
                                                  "p90(seq_tv)",
                                                  "rate(tv > 0.05)",
                                                  "rate(k3 > 0.01)",
                                                  "rate(logit_osc >= 0.1)",
                                                  "rate(seq_log_ratio < -0.05)",
                                                  "mean(missing_mass)",
                                                  "max(missing_mass)",
                                                  "max(entropy_gap)",
                                                  "max(logit_rel)",
                                                  "max(top1_flip)",
                                                  "mean(top1_flip)",
                                                  "std(ratio)",
                                                  "std(seq_ratio)",
                                                  "mean_by_response(tv_sampled)",
                                                  "mean_by_response(k3)",
                                                  "mean_by_response(abs(logprob_gap))",
                                                  "mean_by_response(abs(prob_gap))",
                                                  "mean_by_response(abs(k2))",
                                                  "mean(seq_veto(0.9))",
                                                  "mean(seq_clipped(0.8, 1.3))",
                                                  "mean(seq_geo_clipped(0.9, 1.1))"};
    static const std::vector<std::string> floors{"min(top1_margin) >= 0.5",
                                                 "min(ratio) >= 0.8",
                                                 "quantile(ratio, 0.01) >= 0.9",
                                                 "mean(logprob_gap) >= -0.05",
                                                 "min(logprob_gap) >= -0.2",
                                                 "max(ratio) <= 1.2",
                                                 "quantile(ratio, 0.9) <= 1.5",
                                                 "min(k1) >= -0.2",
                                                 "mean(mult_prob_error) <= 1.05",
                                                 "max(mult_prob_error) <= 1.2",
                                                 "quantile(mult_prob_error, 0.9) <= 1.1",
                                                 "rate(tv <= 0.05) >= 90%",
                                                 "rate(ratio > 1.5) <= 5%",
                                                 "max(veto(0.5)) <= 0",
                                                 "max(clipped(0.8, 2)) <= 0",
                                                 "rate(clipped(0.8, 1.3)) <= 0",
                                                 "max(seq_veto(0.7)) <= 0",
                                                 "min(seq_geo_ratio) >= 0.9",
                                                 "max(seq_geo_ratio) <= 1.1",
                                                 "quantile(seq_geo_ratio, 0.1) >= 0.95",
                                                 "rms(ratio) <= 1.02",
                                                 "rms(seq_ratio) <= 1.1",
                                                 "effective_share(ratio) >= 0.95",
                                                 "effective_share(seq_ratio) >= 0.8",
                                                 "max(capped_ratio(0, 2)) <= 1.2",
                                                 "min(capped_ratio(0.5, 2)) >= 0.9",
                                                 "mean(capped_ratio(0, 1)) >= 0.97",
                                                 "mean(capped_ratio(0, 0.9)) >= 0.85",
                                                 "quantile(seq_capped_ratio(0.5, 2), 0.1) >= 0.8",
                                                 "mean(seq_capped_ratio(0, 1)) >= 0.95",
                                                 "max(seq_ratio) <= 1.3",
                                                 "min(seq_ratio) >= 0.8",
                                                 "mean(seq_log_ratio) >= -0.05",
                                                 "max(seq_clipped(0.8, 1.3)) <= 0",
                                                 "max(seq_geo_clipped(0.9, 1.1)) <= 0"};
    static const std::vector<std::string> aggregates{"max", "max", "max", "mean", "p90", "p99"};
    std::string scope = out_.setting.slices.size() > 1 && dice_.chance(0.2) ? " on all" : "";
    if (dice_.chance(0.12))
      return dice_.pick(floors) + scope;
    if (dice_.chance(0.3))
      return fmt::format("{} <= {:.4f}{}", dice_.pick(sampled), dice_.sized(1e-3, 0.5), scope);
    std::string metric = dice_.pick(rows);
    bool isDrift = metric.starts_with("log");
    double size = isDrift                                        ? dice_.sized(0.01, 3)
                  : metric == "chi2" || metric.starts_with("kl") ? dice_.sized(1e-4, 1)
                                                                 : dice_.sized(1e-3, 0.6);
    return fmt::format("{}({}) <= {:.5f}{}", dice_.pick(aggregates), metric, size, scope);
  }

  std::string claim() {
    if (recipe_ && !std::exchange(isAsked_, true))
      return recipe_->claim;
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
                                                 "top1_flip <= 0.5",
                                                 "max(top1_flip) <= 0.5",
                                                 "quantile(ratio, 0.9) <= 2",
                                                 "quantile(ratio, 0.1) >= 0.5",
                                                 "quantile(seq_ratio, 0.1) >= 0.5",
                                                 "max(js) <= 0.5",
                                                 "quantile(seq_ratio, 0.9) <= 2",
                                                 "min(seq_ratio) >= 0.5",
                                                 "seq_tv <= 0.5",
                                                 "seq_kl <= 0.5",
                                                 "seq_ess >= 50%",
                                                 "max(seq_ratio) <= 2",
                                                 "reward_drift <= 0.5",
                                                 "discounted_reward_drift <= 0.5",
                                                 "pg_bias <= 0.5",
                                                 "pg_bias <= 0.5"};
    std::string scope = out_.setting.slices.size() > 1 && dice_.chance(0.3) ? " on all" : "";
    return dice_.pick(claims) + scope;
  }

  Dice& dice_;
  Dice ofLengths_;
  const bool isPlain_;
  const Recipe* recipe_ = nullptr;
  std::string recipeLink_;
  std::size_t said_ = 0; // of its clauses
  bool isAsked_ = false;
  Sampled out_;
  std::size_t vocabulary_ = 2, leastHorizon_ = 1;
};

} // namespace tikc::tests
