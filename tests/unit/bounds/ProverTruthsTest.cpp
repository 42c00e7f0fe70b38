#include "ProverFixture.h"

#include "bounds/prove/Readings.h"
#include "model/Metrics.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace tikc::tests {
namespace {

/// What follows from clauses, and what is just beyond it.
struct Truth {
  std::vector<std::string> clauses;
  std::string follows;
  std::string beyond; // empty: nothing is
  std::string assumptions = "support: full";
  std::string horizon = "8";
};

void PrintTo(const Truth& truth, std::ostream* out) {
  *out << testing::PrintToString(truth.clauses) << " |- " << truth.follows;
}

class ProverTruth : public testing::TestWithParam<Truth> {};

TEST_P(ProverTruth, IsProved) {
  const Truth& truth = GetParam();
  Written of;
  of.model = "vocabulary: 1000, horizon: " + truth.horizon + " tokens";
  of.assumptions = truth.assumptions;
  for (std::size_t i = 0; i < truth.clauses.size(); ++i)
    of.clauses += fmt::format("  c{}: {}\n", i, truth.clauses[i]);
  EXPECT_TRUE(proves(of, truth.follows));
  if (!truth.beyond.empty()) {
    EXPECT_FALSE(proves(of, truth.beyond));
  }
}

/// Said of two kernels whose gradient is taken in this way.
Truth gradientOf(std::string clause, const std::string& how, std::string follows,
                 std::string beyond, std::string horizon = "8") {
  return {{std::move(clause)},
          std::move(follows),
          std::move(beyond),
          "support: full, advantage: 1, score_norm: 1, " + how,
          std::move(horizon)};
}

const std::string missingOnePercent = "support: { missing_mass: 1% }";

INSTANTIATE_TEST_SUITE_P(
    Identities, ProverTruth,
    testing::Values(
        Truth{{"max(ratio) <= 2"}, "max(ratio) <= 2", "max(ratio) <= 1.999"},
        Truth{{"max(ratio) <= 2"}, "quantile(ratio, 0.9) <= 2", ""},
        Truth{{"p99(ratio) <= 2"}, "p99(ratio) <= 2", "max(ratio) <= 1e12"},
        Truth{{"min(ratio) >= 0.5"}, "min(ratio) >= 0.5", "min(ratio) >= 0.501"},
        Truth{{"min(ratio) > 0.5"}, "min(ratio) > 0.5", ""},
        Truth{{"min(ratio) >= 0.5"}, "min(ratio) >= 0.5", "min(ratio) > 0.5"},
        Truth{
            {"quantile(ratio, 0.01) >= 0.5"}, "quantile(ratio, 0.01) >= 0.5", "min(ratio) >= 1e-9"},
        Truth{{"mean(js) <= 0.5 bit"}, "js <= 0.5 bit", "js <= 0.4999999999999 bit"},
        Truth{{"mean(kl_infer_train) <= 0.5 bit"},
              "kl_infer_train <= 0.5 bit",
              "kl_infer_train < 0.5 bit"},
        Truth{{"max(logprob_linf) <= 1 bit"}, "max(ratio) <= 2", "max(ratio) < 2"},
        Truth{{"max(logprob_linf) <= 1 bit"}, "min(ratio) >= 0.5", "min(ratio) > 0.5"},
        Truth{{"max(logprob_linf) < 1 bit"}, "max(ratio) < 2", "max(ratio) < 1.999999"},
        Truth{{"max(logprob_linf) <= 1 bit"}, "max(seq_ratio) <= 256", "max(seq_ratio) <= 255.9"},
        Truth{{"mean(tv) <= 0.5"}, "quantile(seq_ratio, 0.9) <= 10", ""}));

INSTANTIATE_TEST_SUITE_P(
    PromisesOfTokens, ProverTruth,
    testing::Values(
        Truth{{"max(ratio) <= 2"}, "max(tv) <= 0.5", "max(tv) <= 0.499"},
        Truth{{"max(ratio) <= 2"}, "max(chi2) <= 1", "max(chi2) <= 0.999"},
        Truth{{"max(ratio) <= 2"}, "max(kl_train_infer) <= 1 bit", "max(kl_train_infer) <= 0.69"},
        Truth{{"max(ratio) <= 2"}, "max(seq_ratio) <= 256", "max(seq_ratio) <= 255"},
        Truth{{"min(ratio) >= 0.5"}, "max(tv) <= 0.5", "max(tv) <= 0.499"},
        Truth{{"min(ratio) >= 0.5"}, "max(kl_infer_train) <= 1 bit", "max(kl_infer_train) <= 0.69"},
        Truth{{"min(ratio) >= 0.5"},
              "max(tv) <= 0.5",
              "max(kl_train_infer) <= 100",
              missingOnePercent},
        Truth{{"min(ratio) >= 0.5", "max(ratio) <= 2"}, "max(tv) <= 0.33334", "max(tv) <= 0.333"},
        Truth{{"max(abs(logprob_gap)) <= 0.1"}, "max(tv) <= 0.04996", "max(tv) <= 0.0499"},
        Truth{{"max(abs(logprob_gap)) <= 0.1"}, "ess >= 0.98", "ess >= 0.9905"},
        Truth{{"max(abs(logprob_gap)) <= 0.1"}, "max(ratio) <= 1.1052", "max(ratio) <= 1.1051"},
        Truth{{"max(logprob_gap) <= 0.1"}, "max(ratio) <= 1.1052", "min(ratio) >= 1e-9"},
        Truth{{"max(k1) <= 0.1"}, "max(tv) <= 0.09517", "max(ratio) <= 1e12"},
        Truth{{"min(k1) >= -0.1"}, "max(ratio) <= 1.1052", "min(ratio) >= 1e-9"},
        Truth{{"p99(k1) <= 0.1"}, "tv <= 0.1043", "tv <= 0.104"},
        Truth{{"max(abs(k1)) <= 0.1"}, "max(tv) <= 0.04996", "max(tv) <= 0.0499"},
        Truth{{"max(abs(k1)) <= 0.1"}, "max(ratio) <= 1.1052", "max(ratio) <= 1.1051"},
        Truth{{"max(k2) <= 0.005"}, "max(tv) <= 0.04996", "max(tv) <= 0.0499"},
        Truth{{"p99(k2) <= 0.005"}, "tv <= 0.1043", "tv <= 0.104"},
        Truth{{"max(k3) <= 0.005"}, "max(kl_infer_train) <= 0.005", "max(kl_infer_train) <= 0.004"},
        Truth{{"max(k3) <= 0.005"}, "max(ratio) <= 1.1036", "max(ratio) <= 1.1"},
        Truth{{"p99(k3) <= 0.005"}, "tv <= 0.11", "tv <= 0.1"},
        Truth{{"max(tv_sampled) <= 0.1"}, "max(tv) <= 0.1", "max(tv) <= 0.099"},
        Truth{{"max(tv_sampled) <= 0.1"}, "min(ratio) >= 0.9", "min(ratio) >= 0.91"},
        Truth{{"rms(tv_sampled) <= 0.1"}, "tv <= 0.1", "tv <= 0.099"},
        Truth{{"rms(k3) <= 0.005"}, "kl_infer_train <= 0.005", "kl_infer_train <= 0.0049"},
        Truth{{"mean(mult_prob_error) <= 1.05"}, "tv <= 0.0247", "tv <= 0.0246"},
        Truth{{"mean(mult_prob_error) <= 1.05"}, "tv <= 0.0477", "tv <= 0.0476", missingOnePercent},
        Truth{{"rms(mult_prob_error) <= 1.05"}, "tv <= 0.0247", "tv <= 0.0246"},
        Truth{{"max(mult_prob_error) <= 2"}, "max(ratio) <= 2.0001", "max(ratio) <= 1.99"},
        Truth{{"p99(mult_prob_error) <= 1.1"}, "tv <= 0.1001", "tv <= 0.0999"},
        Truth{{"rms(logprob_gap) <= 0.1"}, "tv <= 0.1", "max(tv) <= 0.9"},
        Truth{{"p99(tv_sampled) <= 0.1"}, "tv <= 0.109", "tv <= 0.1089"}));

/// What ratios say in other forms.
INSTANTIATE_TEST_SUITE_P(
    Ratios, ProverTruth,
    testing::Values(
        Truth{{"rms(ratio) <= 1.01"}, "chi2 <= 0.0201", "chi2 <= 0.02009"},
        Truth{{"rms(ratio) <= 1.01"}, "ess >= 98.02%", "ess >= 98.04%"},
        Truth{{"std(ratio) <= 0.1"}, "chi2 <= 0.01", "chi2 <= 0.0099"},
        Truth{{"std(ratio) <= 0.1"}, "tv <= 0.05", "tv <= 0.049"},
        Truth{{"effective_share(ratio) >= 98%"}, "ess >= 98%", "ess >= 98.01%"},
        Truth{{"rms(seq_ratio) <= 1.01"}, "seq_ess >= 98.02%", "seq_ess >= 98.04%"},
        Truth{{"std(seq_ratio) <= 0.1"}, "seq_tv <= 0.05", "seq_tv <= 0.049"},
        Truth{{"effective_share(seq_ratio) >= 98%"}, "seq_ess >= 98%", "seq_ess >= 98.01%"},
        Truth{{"max(capped_ratio(0, 2)) <= 1.5"}, "max(ratio) <= 1.5", "max(ratio) <= 1.49"},
        Truth{{"min(capped_ratio(0.5, 2)) >= 0.9"}, "min(ratio) >= 0.9", "min(ratio) >= 0.91"},
        Truth{{"p99(capped_ratio(0, 2)) <= 1.5"}, "p99(ratio) <= 1.5", "max(ratio) <= 1e12"},
        Truth{{"max(seq_capped_ratio(0, 2)) <= 1.5"},
              "max(seq_ratio) <= 1.5",
              "max(seq_ratio) <= 1.49"},
        Truth{{"mean(capped_ratio(0, 1)) >= 0.99"}, "tv <= 1%", "tv <= 0.99%"},
        Truth{{"mean(capped_ratio(0, 0.9)) >= 0.89"}, "tv <= 11%", "tv <= 10.9%"},
        Truth{{"mean(seq_capped_ratio(0, 1)) >= 0.99"}, "seq_tv <= 1%", "seq_tv <= 0.99%"},
        Truth{{"mean_by_response(tv_sampled) <= 0.01"}, "seq_tv <= 8%", "seq_tv <= 7.99%"},
        Truth{{"mean_by_response(k3) <= 0.01"}, "seq_kl <= 0.08", "seq_kl <= 0.0799"},
        Truth{{"mean_by_response(abs(logprob_gap)) <= 0.01"}, "seq_kl <= 0.08", "seq_kl <= 0.0799"},
        Truth{{"mean_by_response(abs(k1)) <= 0.01"}, "seq_tv <= 0.077", "seq_tv <= 0.03"},
        Truth{{"mean(seq_log_ratio) >= -0.1"}, "seq_kl <= 0.1", "seq_kl <= 0.099"},
        Truth{{"max(seq_ratio) <= 1.5"}, "max(seq_ratio) <= 1.5", "max(seq_ratio) <= 1.49"},
        Truth{{"min(seq_ratio) >= 0.9"}, "min(seq_ratio) >= 0.9", "min(seq_ratio) >= 0.91"},
        Truth{{"min(seq_ratio) >= 0.9"}, "seq_tv <= 10%", "seq_tv <= 9.9%"},
        Truth{{"p99(seq_ratio) <= 2"}, "quantile(seq_ratio, 0.99) <= 2", "max(seq_ratio) <= 1e12"},
        Truth{
            {"max(seq_clipped(0.9, 1.1)) <= 0"}, "max(seq_ratio) <= 1.1", "max(seq_ratio) <= 1.09"},
        Truth{{"max(seq_geo_clipped(0.9, 1.1)) <= 0"},
              "max(seq_ratio) <= 2.144",
              "max(seq_ratio) <= 2.143"},
        Truth{{"mean(seq_clipped(0.9, 1.1)) <= 1%"}, "seq_tv <= 10.9%", "seq_tv <= 10.89%"},
        Truth{{"mean(seq_veto(0.99)) <= 1%"}, "seq_tv <= 8.7%", "seq_tv <= 8.6%"},
        Truth{{"max(seq_veto(0.99)) <= 0"}, "max(tv) <= 1%", "max(tv) <= 0.99%"}));

/// Squares of sampled ratios say nothing of tokens that are never sampled.
TEST(ProverTruths, SquaresOfRatiosNeedFullSupport) {
  for (const char* clause : {"rms(ratio) <= 1.01", "std(ratio) <= 0.1",
                             "effective_share(ratio) >= 98%", "rms(seq_ratio) <= 1.01"})
    for (const std::string& support : {missingOnePercent, std::string()}) {
      Written of{.assumptions = support, .clauses = fmt::format("  a: {}\n", clause)};
      EXPECT_FALSE(proves(of, "ess >= 1%")) << clause;
      EXPECT_FALSE(proves(of, "seq_ess >= 1%")) << clause;
    }
}

/// `abs` of what is never negative changes nothing, and does not make it a log-ratio.
TEST(ProverTruths, TheSizeOfWhatIsNeverNegativeIsTheValue) {
  using model::Aggregate;
  auto told = [](const model::Measure& measure, bounds::QuantityInfo::Side side) {
    model::Amount limit;
    limit.value = Rational(3, 4);
    std::vector<std::string> out;
    for (const bounds::Promise& each : bounds::promisesOf(measure, {limit, side}, 64))
      out.push_back(fmt::format("{} {} {}", bounds::info(each.key.quantity).symbol,
                                static_cast<int>(each.key.quantifier), each.value.get_str()));
    return out;
  };
  for (const model::MetricInfo& metric : model::metrics())
    for (Aggregate aggregate :
         {Aggregate::Max, Aggregate::Min, Aggregate::Mean, Aggregate::MeanByResponse,
          Aggregate::RootMeanSquare, Aggregate::Deviation, Aggregate::EffectiveShare,
          Aggregate::Quantile})
      for (auto side : {bounds::QuantityInfo::Side::Upper, bounds::QuantityInfo::Side::Lower}) {
        if (metric.range.low.empty() || metric.range.low.starts_with('-'))
          continue;
        model::Measure value;
        value.metric = metric.id;
        value.aggregate = aggregate;
        value.level = Rational(1, 2);
        if (!metric.parameters.empty())
          value.parameters = {Rational(1, 2), Rational(2)};
        model::Measure size = value;
        size.absolute = true;
        EXPECT_EQ(told(size, side), told(value, side)) << metric.symbol;
      }
}

/// Of a size that is at least so much, either sign may be.
TEST(ProverTruths, ASizeFromBelowPromisesNothing) {
  for (const char* metric : {"logprob_gap", "k1", "seq_log_ratio"})
    for (const char* clause : {"min(abs({})) >= 0.5", "p50(abs({})) >= 0.5", "mean(abs({})) >= 0.5",
                               "rate(abs({}) < 0.5) <= 1%"}) {
      std::string text = fmt::format(fmt::runtime(clause), metric);
      Decided of(Written{.clauses = "  a: " + text + "\n"}, "max(ratio) <= 0.7");
      EXPECT_FALSE(of.hasBound()) << text;
      for (const std::string& found : of.findings())
        EXPECT_FALSE(found.starts_with("TK6105")) << text;
    }
}

/// Clauses that leave no drift, and one that asks for some, whatever it measures.
TEST(ProverTruths, NothingFollowsFromClausesThatContradictEachOther) {
  for (auto [none, some] : std::initializer_list<std::pair<const char*, const char*>>{
           {"max(logit_osc) <= 0", "mean(k3) >= 0.1"},
           {"max(logit_osc) <= 0", "max(ratio) >= 2"},
           {"max(logit_osc) <= 0", "mean(seq_tv) >= 0.5"},
           {"max(logit_osc) <= 0", "max(top1_flip) >= 1"},
           {"max(tv) <= 0", "rms(tv) >= 0.1"},
           {"max(k3) <= 0", "mean(mult_prob_error) >= 2"},
           {"max(ratio) <= 1", "min(capped_ratio(0, 2)) >= 1.5"},
           {"max(ratio) <= 1", "mean(clipped(0, 1.5)) >= 0.5"},
           {"min(ratio) >= 1", "std(ratio) >= 1"},
           {"min(ratio) >= 1", "mean(veto(0.5)) >= 0.5"},
           // And those that leave less than what a figure of samples asks for.
           {"max(logprob_linf) <= 0.01", "max(abs(logprob_gap)) >= 0.5"},
           {"mean(tv) <= 0.01", "p50(tv) >= 0.1"},
           {"max(tv) <= 0.01", "mean(tv_sampled) >= 0.1"},
           {"max(kl_infer_train) <= 1e-3", "mean(k3) >= 0.01"},
           {"mean(k3) <= 0.001", "mean(k1) >= 0.1"}}) {
    Decided of(Written{.clauses = fmt::format("  a: {}\n  b: {}\n", none, some)}, "tv <= 0.04");
    EXPECT_FALSE(of.isProved()) << some;
    EXPECT_THAT(of.findings(), testing::Contains(testing::StartsWith("TK6105"))) << some;
    Decided alone(Written{.clauses = fmt::format("  a: {}\n", none)}, "tv <= 0.04");
    EXPECT_TRUE(alone.isProved()) << none;
  }
}

/// Tokens that another kernel draws say nothing of the mean over what the second one would draw,
/// and a share of samples is no size.
TEST(ProverTruths, FiguresOfOtherSamplesContradictNothing) {
  auto isRefused = [](const std::string& none, const std::string& some) {
    Decided of(Written{.clauses = "  a: { require: " + none +
                                  ", link: [trainer, middle] }\n  b: { "
                                  "require: " +
                                  some + ", link: [trainer, middle] }\n",
                       .kernels = "  trainer: { engine: fsdp2 }\n  middle: { engine: vllm }\n"
                                  "  rollout: { engine: vllm }\n",
                       .pair = "chain: [trainer, middle, rollout]\n"},
               "tv <= 0.9");
    auto found = of.findings();
    return std::any_of(found.begin(), found.end(),
                       [](const std::string& each) { return each.starts_with("TK6105"); });
  };
  EXPECT_FALSE(isRefused("max(tv) <= 0.01", "mean(tv_sampled) >= 0.1"));
  EXPECT_FALSE(isRefused("max(kl_infer_train) <= 0.001", "mean(k3) >= 0.1"));
  EXPECT_TRUE(isRefused("max(logprob_linf) <= 0.1", "max(abs(logprob_gap)) >= 0.5"));
  Decided share(Written{.clauses = "  a: max(logprob_linf) <= 0.1\n  b: "
                                   "effective_share(ratio) >= 0.5\n"},
                "tv <= 0.9");
  EXPECT_TRUE(share.isProved());
}

/// Figures of samples bound little without it; a contract that forgot it needs no stricter clauses.
TEST(ProverTruths, FollowUnderAFullSupportThatIsMissing) {
  const Written sampled{.assumptions = "reward: [0, 1]",
                        .clauses = "  gap: mean(abs(logprob_gap)) <= 0.05\n"
                                   "  k: mean(k3) <= 0.001\n"};
  constexpr const char* missing = "`support: full` under `assumptions`\n";
  EXPECT_EQ(Decided(sampled, "mean(tv) <= 0.04").wishes(), missing);
  EXPECT_EQ(Decided(sampled, "mean(tv) <= 0.02").wishes(), "") << "it does not follow then either";
  EXPECT_EQ(Decided(sampled, "mean(tv) <= 0.05").wishes(), "") << "it follows without it";

  Written cut = sampled;
  cut.kernels = "  trainer: { engine: fsdp2 }\n"
                "  rollout: { engine: vllm, sampling: { top_p: 0.9 } }\n";
  EXPECT_EQ(Decided(cut, "mean(tv) <= 0.04").wishes(), "") << "the support cannot be full";
  Written assumed = sampled;
  assumed.assumptions = "support: { missing_mass: 1% }";
  EXPECT_EQ(Decided(assumed, "mean(tv) <= 0.04").wishes(), "") << "the author chose another";
  Written contradictory = sampled;
  contradictory.clauses += "  r: mean(ratio) <= 0.9\n";
  EXPECT_EQ(Decided(contradictory, "mean(tv) <= 0.04").wishes(), "") << "clauses would contradict";
}

/// What the second kernel draws has ratios p/q whose mean is 1.
TEST(ProverTruths, NothingFollowsFromRatiosThatHaveNoMeanOfOne) {
  auto isRefused = [](const std::string& clause, const char* assumptions) {
    Decided of(Written{.assumptions = assumptions,
                       .clauses = "  a: max(tv) <= 0.02\n  b: " + clause + "\n"},
               "max(tv) <= 0.03");
    auto found = of.findings();
    return std::any_of(found.begin(), found.end(),
                       [](const std::string& each) { return each.starts_with("TK6105"); });
  };
  const char *full = "support: full", *missing = "support: { missing_mass: 0.1 }";
  for (const char* clause : {"max(seq_ratio) <= 0.5", "min(seq_ratio) >= 1.5", "rms(ratio) <= 0.99",
                             "mean(ratio) <= 0.9999", "mean(seq_ratio) <= 0.5",
                             "max(capped_ratio(0, 2)) <= 0.9", "max(seq_clipped(2, 3)) <= 0"}) {
    EXPECT_TRUE(isRefused(clause, full)) << clause;
    EXPECT_FALSE(isRefused(clause, missing)) << clause;
  }
  for (const char* clause :
       {"max(seq_ratio) <= 1", "min(seq_ratio) >= 1", "rms(ratio) <= 1", "mean(ratio) in [0.9, 1]",
        "max(capped_ratio(0, 0.9)) <= 0.9", "max(seq_clipped(0.5, 3)) <= 0"})
    EXPECT_FALSE(isRefused(clause, full)) << clause;
}

INSTANTIATE_TEST_SUITE_P(
    Rates, ProverTruth,
    testing::Values(
        Truth{{"rate(tv > 0.1) <= 1%"}, "p99(tv) <= 0.1", "max(tv) <= 0.9"},
        Truth{{"rate(tv > 0.1) <= 1%"}, "tv <= 0.109", "tv <= 0.1089"},
        Truth{{"rate(tv >= 0.1) <= 1%"}, "p99(tv) < 0.1", "p99(tv) < 0.0999"},
        Truth{{"rate(tv > 0.1) <= 1%"}, "p99(tv) <= 0.1", "p99(tv) < 0.1"},
        Truth{{"rate(tv <= 0.1) >= 99%"}, "p99(tv) <= 0.1", "p999(tv) <= 0.1"},
        Truth{{"rate(abs(logprob_gap) > 0.1) <= 1%"}, "tv <= 0.1043", "tv <= 0.104"},
        Truth{{"rate(ratio < 0.9) <= 1%"}, "tv <= 0.109", "tv <= 0.1089"},
        Truth{{"rate(ratio > 2) <= 1%"}, "p99(ratio) <= 2", "tv <= 0.9"},
        Truth{{"rate(kl_train_infer > 1 bit) <= 10%"}, "p90(kl_train_infer) <= 1 bit", ""},
        Truth{{"max(veto(0.9)) <= 0"}, "max(tv) <= 0.1", "max(tv) <= 0.099"},
        Truth{{"mean(veto(0.9)) <= 0"}, "max(tv) <= 0.1", "max(tv) <= 0.099"},
        Truth{{"mean(veto(0.9)) <= 1%"}, "tv <= 0.109", "max(tv) <= 0.9"},
        Truth{{"max(clipped(0.5, 2)) <= 0"}, "max(tv) <= 0.33334", "max(tv) <= 0.333"},
        Truth{{"max(seq_veto(0.9)) <= 0"}, "max(tv) <= 0.1", "max(tv) <= 0.099"},
        Truth{{"mean(clipped(0.5, 2)) <= 1%"}, "p99(ratio) <= 2", "max(ratio) <= 1e12"}));

INSTANTIATE_TEST_SUITE_P(
    Responses, ProverTruth,
    testing::Values(
        Truth{{"max(seq_tv) <= 0.1"}, "seq_tv <= 0.1", "seq_tv <= 0.099"},
        Truth{{"max(seq_tv) <= 0.1"}, "min(seq_ratio) >= 0.9", "min(seq_ratio) >= 0.91"},
        Truth{{"p99(seq_tv) <= 0.1"}, "seq_tv <= 0.109", "seq_tv <= 0.1089"},
        Truth{{"max(abs(seq_log_ratio)) <= 0.1"},
              "max(seq_ratio) <= 1.1052",
              "max(seq_ratio) <= 1.1"},
        Truth{{"max(abs(seq_log_ratio)) <= 0.1"},
              "min(seq_ratio) >= 0.9048",
              "min(seq_ratio) >= 0.905"},
        Truth{{"max(abs(seq_log_ratio)) <= 0.1"}, "seq_tv <= 0.04996", "seq_tv <= 0.04995"},
        Truth{{"max(abs(seq_log_ratio)) <= 0.1"}, "seq_ess >= 99.009%", "seq_ess >= 99.01%"},
        Truth{{"max(abs(seq_log_ratio)) <= 0.1"}, "seq_kl <= 0.004996", "seq_kl <= 0.004995"},
        Truth{{"max(seq_log_ratio) <= 0.1"}, "max(seq_ratio) <= 1.1052", "min(seq_ratio) >= 1e-9"},
        Truth{{"max(seq_log_ratio) <= 0.1"}, "seq_tv <= 0.0952", "seq_tv <= 0.095"},
        Truth{{"min(seq_log_ratio) >= -0.1"}, "seq_kl <= 0.1", "seq_kl <= 0.099"},
        Truth{{"rate(seq_log_ratio < -0.1) <= 1%"}, "seq_tv <= 0.1043", "seq_tv <= 0.104"},
        Truth{{"min(seq_geo_ratio) >= 0.99"}, "min(seq_ratio) >= 0.922", "min(seq_ratio) >= 0.923"},
        Truth{{"max(seq_geo_ratio) <= 1.01"}, "max(seq_ratio) <= 1.083", "max(seq_ratio) <= 1.082"},
        Truth{{"mean(tv) <= 0.001"},
              "quantile(seq_ratio, 0.9) <= 1.08",
              "quantile(seq_ratio, 0.9) <= 1.079"},
        Truth{{"mean(tv) <= 0.001"},
              "quantile(ratio, 0.1) >= 0.9899",
              "quantile(ratio, 0.1) >= 0.991"},
        Truth{{"max(chi2) <= 0.0001"},
              "quantile(seq_ratio, 0.9) <= 1.0849",
              "quantile(seq_ratio, 0.9) <= 1.08"},
        Truth{{"mean(chi2) <= 0.0001"},
              "quantile(ratio, 0.1) >= 0.9699",
              "quantile(ratio, 0.1) >= 0.971"}));

INSTANTIATE_TEST_SUITE_P(
    Distances, ProverTruth,
    testing::Values(
        Truth{{"mean(hellinger) <= 0.01"}, "js <= 0.00999", "js <= 0.00998"},
        Truth{{"max(kl_infer_train) <= 0.01"}, "js <= 0.003466", "js <= 0.003465"},
        Truth{{"mean(kl_train_infer) <= 0.01"}, "js <= 0.003466", "js <= 0.003465"},
        Truth{{"max(logit_osc) <= 0.15", "min(top1_margin) >= 0.1"}, "max(top1_flip) <= 0", ""},
        Truth{{"p90(tv) <= 2"}, "tv <= 1", "tv <= 0.999"},
        Truth{{"mean(tv) <= 0.5"}, "p90(tv) <= 1", "p90(tv) <= 0.999"},
        Truth{{"mean(logit_osc) <= 0.1"}, "tv <= 0.035", "tv <= 0.0349", missingOnePercent},
        Truth{{"max(tv) <= 0.5"}, "reward_drift <= 0", "", "support: full, reward: [1, 1]"},
        Truth{{"mean(tv) < 0.01"}, "seq_tv < 0.08", ""},
        Truth{{"mean(tv) <= 0.01"}, "seq_tv <= 0.08", "seq_tv < 0.08"},
        Truth{{"max(tv) < 0.01"}, "reward_drift < 0.08", "", "support: full, reward: [0, 1]"}));

/// One divergence from another, where a ratio is bounded on the side that counts.
INSTANTIATE_TEST_SUITE_P(
    DivergencesFromEachOther, ProverTruth,
    testing::Values(
        Truth{{"mean(k3) <= 0.001", "max(ratio) <= 2"}, "chi2 <= 0.00326", "chi2 <= 0.00325"},
        Truth{
            {"mean(k3) <= 0.001", "max(logit_osc) <= 1 bit"}, "chi2 <= 0.00326", "chi2 <= 0.00325"},
        Truth{
            {"mean(k3) <= 0.001", "min(ratio) >= 0.5"}, "kl_infer_train <= 0.001", "chi2 <= 0.02"},
        Truth{{"mean(k3) <= 0.001", "max(ratio) <= 2"},
              "kl_train_infer <= 0.00126",
              "kl_train_infer <= 0.00125"},
        Truth{{"mean(k3) <= 0.001", "max(ratio) <= 2"},
              "hellinger <= 0.000280",
              "hellinger <= 0.000279"},
        Truth{{"mean(kl_train_infer) <= 0.001", "max(ratio) <= 2"},
              "chi2 <= 0.00259",
              "chi2 <= 0.00258"},
        Truth{{"mean(kl_train_infer) <= 0.001", "min(ratio) >= 0.5"},
              "kl_infer_train <= 0.00126",
              "kl_infer_train <= 0.00125"},
        Truth{{"mean(kl_train_infer) <= 0.001", "min(ratio) >= 0.5"},
              "hellinger <= 0.000280",
              "hellinger <= 0.000279"},
        Truth{{"mean(hellinger) <= 0.001", "max(ratio) <= 2"}, "chi2 <= 0.0117", "chi2 <= 0.0116"},
        Truth{{"mean(hellinger) <= 0.001", "max(ratio) <= 2"},
              "kl_train_infer <= 0.00451",
              "kl_train_infer <= 0.00450"},
        Truth{{"mean(hellinger) <= 0.001", "min(ratio) >= 0.5"},
              "kl_infer_train <= 0.00451",
              "kl_infer_train <= 0.00450"},
        Truth{{"mean(chi2) <= 0.001", "min(ratio) >= 0.5"},
              "kl_infer_train <= 0.000773",
              "kl_infer_train <= 0.000772"},
        Truth{{"mean(chi2) <= 0.001", "min(ratio) >= 0.5"},
              "kl_train_infer <= 0.000614",
              "kl_train_infer <= 0.000613"},
        Truth{{"mean(chi2) <= 0.001", "min(ratio) >= 0.5"},
              "hellinger <= 0.000172",
              "hellinger <= 0.000171"}));

INSTANTIATE_TEST_SUITE_P(
    Gradients, ProverTruth,
    testing::Values(
        gradientOf("mean(tv) <= 0.01", "estimator: token, correction: is", "pg_bias <= 1.12",
                   "pg_bias <= 1.11"),
        gradientOf("mean(tv) <= 0.01", "estimator: token, correction: is", "pg_bias <= 0", "", "1"),
        gradientOf("mean(tv) <= 0.01", "estimator: token_mc, correction: is", "pg_bias <= 0", "",
                   "1"),
        gradientOf("max(ratio) <= 2", "estimator: step, correction: tis(2)", "pg_bias <= 0", ""),
        gradientOf("max(clipped(0.5, 2)) <= 0", "estimator: step, correction: 'mis(0.5, 2)'",
                   "pg_bias <= 0", ""),
        gradientOf("max(clipped(0.5, 2)) <= 0", "estimator: step, correction: clip(1)",
                   "pg_bias <= 0", ""),
        gradientOf("max(logprob_linf) <= 0.1", "estimator: step, correction: clip(0.2)",
                   "pg_bias <= 0", ""),
        gradientOf("max(logprob_linf) <= 0.1", "estimator: sequence, correction: tis(2.3)",
                   "pg_bias <= 0", ""),
        gradientOf("max(logprob_linf) <= 0.1", "estimator: sequence, correction: 'mis(0.4, 2.3)'",
                   "pg_bias <= 0", ""),
        gradientOf("max(logprob_linf) <= 0.1", "estimator: sequence, correction: clip(1.3)",
                   "pg_bias <= 0", ""),
        gradientOf("max(chi2) <= 0.0001", "estimator: sequence, correction: clip(0.2)",
                   "pg_bias <= 0.0081", "pg_bias <= 0.008")));

/// As much as its level may lie below a limit of a rate, and there the quantile from below is.
INSTANTIATE_TEST_SUITE_P(
    QuantilesFromBelow, ProverTruth,
    testing::Values(Truth{{"rate(ratio < 0.5) <= 1%"},
                          "quantile(ratio, 0.0101) >= 0.5",
                          "quantile(ratio, 0.01) >= 0.5"},
                    Truth{{"rate(ratio < 0.5) < 1%"},
                          "quantile(ratio, 0.01) >= 0.5",
                          "quantile(ratio, 0.0099) >= 0.5"},
                    Truth{{"rate(ratio >= 0.5) > 99%"}, "quantile(ratio, 0.01) >= 0.5", ""},
                    Truth{{"rate(ratio >= 0.5) >= 99%"},
                          "quantile(ratio, 0.011) >= 0.5",
                          "quantile(ratio, 0.01) >= 0.5"},
                    Truth{{"rate(ratio <= 0.5) <= 1%"},
                          "quantile(ratio, 0.011) > 0.5",
                          "quantile(ratio, 0.01) > 0.5"},
                    Truth{{"mean(veto(0.5)) <= 1%"},
                          "quantile(ratio, 0.011) >= 0.5",
                          "quantile(ratio, 0.01) >= 0.5"},
                    Truth{{"mean(veto(0.5)) < 1%"}, "quantile(ratio, 0.01) >= 0.5", ""},
                    Truth{{"p99(tv_sampled) <= 0.5"},
                          "quantile(ratio, 0.011) >= 0.5",
                          "quantile(ratio, 0.01) >= 0.5"},
                    Truth{{"p50(k1) <= 0"}, "quantile(ratio, 0.51) >= 1", "p50(ratio) >= 1"},
                    Truth{{"p99(seq_tv) <= 0.5"},
                          "quantile(seq_ratio, 0.011) >= 0.5",
                          "quantile(seq_ratio, 0.01) >= 0.5"},
                    Truth{{"quantile(seq_log_ratio, 0.01) >= -0.1"},
                          "quantile(seq_ratio, 0.01) >= 0.9",
                          "quantile(seq_ratio, 0.0099) >= 0.1"}));

TEST(ProverTruths, AddRootsOfHellingerDistancesAlongAChain) {
  Written of;
  of.kernels = "  a: { engine: fsdp2 }\n  b: { engine: transformers }\n  c: { engine: vllm }\n";
  of.pair = "chain: [a, b, c]\n";
  of.clauses = "  one: { require: mean(hellinger) <= 0.01, link: [a, b] }\n"
               "  two: { require: mean(hellinger) <= 0.04, link: [b, c] }\n";
  EXPECT_TRUE(proves(of, "hellinger <= 0.09"));
  EXPECT_FALSE(proves(of, "hellinger <= 0.0899"));
}

TEST(ProverTruths, AreNoneOfClausesThatNothingKeeps) {
  Written of;
  for (const char* clause : {"max(ratio) <= 0.9", "max(seq_geo_ratio) <= 0.9",
                             "min(seq_geo_ratio) >= 1.1", "max(logprob_gap) <= -0.1"}) {
    of.clauses = fmt::format("  c: {}\n", clause);
    EXPECT_FALSE(proves(of, "seq_tv <= 0.99")) << clause << ": ratios have mean 1";
  }
}

} // namespace
} // namespace tikc::tests
