#include "ProverFixture.h"

#include "bounds/prove/Solver.h"

#include <fmt/ranges.h>

#include <gmock/gmock.h>

#include <cmath>

namespace tikc::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

Written said(std::string clauses, std::string assumptions = "support: full, reward: [0, 1]",
             std::string model = "vocabulary: 1000, horizon: 64 tokens") {
  return {std::move(model), std::move(assumptions), std::move(clauses)};
}

bounds::Advice adviceOn(const Written& written, const std::string& claim) {
  Decided decided(written, claim);
  EXPECT_FALSE(decided.isProved()) << claim;
  return bounds::Solver(bounds::WhatIf(decided.contract(), 0)).advise();
}

// Tolerances.

TEST(Advice, NamesTheLargestToleranceThatWorks) {
  const std::string claim = "max(tv) <= 0.1";
  bounds::Advice advice = adviceOn(said("  drift: max(logit_osc) <= 1\n"), claim);
  ASSERT_EQ(advice.leeways.size(), 1u);
  EXPECT_EQ(advice.leeways[0].input.origin->name, "drift");
  ASSERT_TRUE(advice.leeways[0].extent.largest);
  double largest = advice.leeways[0].extent.largest->get_d();
  EXPECT_NEAR(largest, 4 * std::atanh(0.1), 0.01);
  EXPECT_TRUE(proves(said(fmt::format("  drift: max(logit_osc) <= {}\n", largest)), claim));
  EXPECT_FALSE(proves(said(fmt::format("  drift: max(logit_osc) <= {}\n", largest * 1.01)), claim));
}

/// Ratios are never below 1 everywhere: that is where they leave no drift.
TEST(Advice, GoesDownToARatioOfOne) {
  for (auto [clause, claim, most] :
       {std::tuple{"max(ratio) <= 2", "max(ratio) <= 1.5", 1.5},
        {"max(seq_geo_ratio) <= 1.1", "max(seq_ratio) <= 1.5", std::pow(1.5, 1.0 / 64)}}) {
    bounds::Advice advice = adviceOn(said(fmt::format("  c: {}\n", clause)), claim);
    ASSERT_EQ(advice.leeways.size(), claim == std::string("max(ratio) <= 1.5") ? 1u : 2u);
    ASSERT_TRUE(advice.leeways[0].extent.largest) << clause;
    EXPECT_NEAR(advice.leeways[0].extent.largest->get_d(), most, 1e-4);
    EXPECT_FALSE(advice.isInfeasible);
  }
}

/// What a rate counts by is not its limit, so moving it writes nothing; and how high a limit from
/// below can be, nobody knows.
TEST(Advice, MovesNoThreshold) {
  for (auto [clause, claim] : {std::pair{"rate(tv > 0.1) <= 1%", "tv <= 5%"},
                               {"mean(clipped(0.5, 2)) <= 1%", "p99(ratio) <= 1.5"},
                               {"min(ratio) >= 0.5", "tv <= 30%"}}) {
    bounds::Advice advice = adviceOn(said(fmt::format("  c: {}\n", clause)), claim);
    EXPECT_TRUE(advice.leeways.empty()) << clause;
    EXPECT_FALSE(advice.isInfeasible) << clause;
  }
}

TEST(Advice, SpeaksOfEachClauseByItself) {
  const std::string claim = "tv <= 5%";
  bounds::Advice advice =
      adviceOn(said("  worst: max(logit_osc) <= 2\n  usual: p90(logit_osc) <= 0.1\n"), claim);
  ASSERT_EQ(advice.leeways.size(), 2u);
  for (const bounds::Leeway& tolerance : advice.leeways) {
    ASSERT_TRUE(tolerance.extent.largest) << tolerance.input.origin->name;
    double largest = tolerance.extent.largest->get_d();
    bool isWorst = tolerance.input.origin->name == "worst";
    auto at = [&](double share) {
      return said(fmt::format("  worst: max(logit_osc) <= {}\n  usual: p90(logit_osc) <= {}\n",
                              isWorst ? largest * share : 2, isWorst ? 0.1 : largest * share));
    };
    EXPECT_TRUE(proves(at(1), claim)) << tolerance.input.origin->name << " at " << largest;
    EXPECT_FALSE(proves(at(1.01), claim)) << tolerance.input.origin->name << " at " << largest;
  }
}

TEST(Advice, SaysWhichClauseCannotHelpAlone) {
  bounds::Advice advice = adviceOn(
      said("  usual: p99(logit_osc) <= 0.1\n  worst: max(logit_osc) <= 4\n"), "tv <= 0.1%");
  ASSERT_EQ(advice.leeways.size(), 2u);
  for (const bounds::Leeway& tolerance : advice.leeways)
    if (tolerance.input.origin->name == "usual") {
      EXPECT_FALSE(tolerance.extent.largest) << "the other percent alone is 0.76%";
    }
}

TEST(Advice, TakesTheHorizonApart) {
  const std::string clauses = "  near: mean(tv) <= 0.1%\n", claim = "reward_drift <= 0.05";
  bounds::Advice advice = adviceOn(said(clauses), claim);
  ASSERT_TRUE(advice.leeways.back().isHorizon());
  EXPECT_EQ(advice.leeways.back().extent.largest, 50);
  auto until = [&](int tokens) {
    return said(clauses, "support: full, reward: [0, 1]",
                fmt::format("horizon: {} tokens", tokens));
  };
  EXPECT_TRUE(proves(until(50), claim));
  EXPECT_FALSE(proves(until(51), claim));
}

TEST(Advice, KnowsHopelessBudgets) {
  EXPECT_TRUE(adviceOn(said("  usual: p99(logit_osc) <= 0.1\n"), "tv <= 0.5%").isInfeasible)
      << "a percent may be anything";
  EXPECT_FALSE(adviceOn(said("  usual: p99(logit_osc) <= 0.1\n"), "tv <= 1.5%").isInfeasible);
  EXPECT_TRUE(adviceOn(said("  drift: max(logit_osc) <= 0.1\n", "support: { missing_mass: 1% }"),
                       "tv <= 0.9%")
                  .isInfeasible)
      << "what is missing stays so";
  EXPECT_TRUE(adviceOn(said("  g: p99(abs(logprob_gap)) <= 0.1\n"), "seq_tv <= 63%").isInfeasible);
}

TEST(Advice, IsNoneWhereNothingLeadsToTheClaim) {
  bounds::Advice advice = adviceOn(said("  near: max(tv) <= 1%\n"), "max(ratio) <= 2");
  EXPECT_TRUE(advice.leeways.empty());
}

TEST(Advice, SaysWhyAClauseIsNotUsed) {
  auto whyOf = [](const std::string& clause) {
    Decided decided(said("  drift: " + clause + "\n"), "tv <= 0.1");
    const auto& told = decided.proof().problems.front().passedOver;
    return fmt::format("{}", fmt::join(told, "; "));
  };
  EXPECT_EQ(
      whyOf("mean(logit_osc) >= 0.01"),
      "`drift` is not used: it is a lower bound, and only an upper bound would lead to a claim");
  EXPECT_EQ(
      whyOf("min(top1_margin) <= 3"),
      "`drift` is not used: it is an upper bound, and only a lower bound would lead to a claim");
  EXPECT_EQ(whyOf("mean(tv) <= 0.2"), "");
  EXPECT_EQ(whyOf("std(tv) <= 0.2"), "`drift` is not used: a spread does not bound the mean");
}

// Largest, by itself.

TEST(Advice, FindsTheLargestOfAnyScale) {
  for (const char* limit : {"0.5", "0.333333333333", "0.00000000001", "1e-40"}) {
    Rational most = *parseDecimal(limit);
    auto found = bounds::largest(1, [&](const Rational& value) { return value <= most; });
    ASSERT_TRUE(found) << limit;
    EXPECT_LE(*found, most);
    EXPECT_GE(*found, most * Rational(99, 100)) << limit;
  }
  EXPECT_FALSE(bounds::largest(1, [](const Rational&) { return false; }));
  EXPECT_EQ(bounds::largest(1, [](const Rational& value) { return value == 0; }), Rational(0));
}

// What is missing.

struct Lack {
  const char* name;
  Written of;
  const char* claim;
  const char* wish;
};

void PrintTo(const Lack& lack, std::ostream* out) { *out << lack.name; }

class Missing : public testing::TestWithParam<Lack> {};

TEST_P(Missing, IsSaidAndNothingElse) {
  const Lack& lack = GetParam();
  Decided decided(lack.of, lack.claim);
  EXPECT_FALSE(decided.hasBound());
  ASSERT_EQ(decided.entries().size(), 1u);
  ASSERT_EQ(decided.entries()[0].decision.missing.size(), 1u) << decided.wishes();
  EXPECT_THAT(decided.wishes(), HasSubstr(lack.wish));
}

const std::string smallDrift = "  drift: max(logit_osc) <= 0.1\n";
const std::string withGradient =
    "support: full, advantage: 2, score_norm: 4, estimator: step, correction: none";

INSTANTIATE_TEST_SUITE_P(
    Wishes, Missing,
    testing::Values(
        Lack{"Horizon", said(smallDrift, "support: full", "vocabulary: 10"), "seq_ess >= 1%",
             "`horizon` under `model`"},
        Lack{"Vocabulary", said(smallDrift, "support: full", "horizon: 10 tokens"),
             "entropy_gap <= 1", "`vocabulary` under `model`"},
        Lack{"ScoreNorm",
             said(smallDrift, "support: full, advantage: 2, estimator: step, correction: none"),
             "pg_bias <= 1", "`score_norm`"},
        Lack{"Advantage",
             said(smallDrift, "support: full, score_norm: 2, estimator: step, correction: none"),
             "pg_bias <= 1", "`advantage`"},
        Lack{"Reward", said(smallDrift, "support: full"), "reward_drift <= 1",
             "the range `reward`"},
        Lack{"StepReward", said(smallDrift, "support: full"), "step_reward_drift <= 1",
             "the range `step_reward`"},
        Lack{"Discount", said(smallDrift, "support: full, step_reward: [0, 1]"),
             "discounted_reward_drift <= 1", "`discount`"},
        Lack{"FullSupport", said(smallDrift, "reward: [0, 1]"), "ess >= 1%", "`support: full`"},
        Lack{"LogitBound", said("  d: max(logit_rel) <= 0.1\n"), "max(ratio) <= 100",
             "`logit_bound` under `model`"},
        Lack{"HeadNorm",
             said("  finite: count(nonfinite) == 0\n", "support: full, layers: [{ error: 0.1 }]"),
             "max(ratio) <= 100", "`head_norm`"},
        Lack{"Margin", said(smallDrift), "top1_flip <= 1%", "min(top1_margin)"},
        Lack{"WorstDrift", said("  usual: p99(logit_osc) <= 0.1\n"), "ess >= 1%",
             "caps the drift in every context"},
        Lack{"Estimator", said(smallDrift, "support: full, advantage: 2, score_norm: 4"),
             "pg_bias <= 1", "`estimator` and `correction`"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST(Missing, OfTheGradientIsWhatIsNotSaidYet) {
  const std::string given = "support: full, advantage: 2, score_norm: 4, ";
  for (std::string_view estimator : {"step", "token", "token_mc", "sequence"}) {
    Decided decided(said(smallDrift, given + "estimator: " + std::string(estimator)),
                    "pg_bias <= 1");
    EXPECT_THAT(decided.wishes(), HasSubstr("`correction`"));
    EXPECT_THAT(decided.wishes(), Not(HasSubstr("`estimator`"))) << estimator;
  }
  for (std::string_view correction : {"none", "is", "tis(2)", "mis(0.5, 2)"}) {
    Decided decided(said(smallDrift, given + "correction: '" + std::string(correction) + "'"),
                    "pg_bias <= 1");
    EXPECT_THAT(decided.wishes(), HasSubstr("`estimator`"));
    EXPECT_THAT(decided.wishes(), Not(HasSubstr("`correction`"))) << correction;
  }
}

TEST(Missing, ListsAllThatIsNeededAtOnce) {
  Decided decided(said("  near: max(tv) <= 1%\n", "support: full", "vocabulary: 10"),
                  "discounted_reward_drift <= 1");
  EXPECT_THAT(decided.wishes(), HasSubstr("`discount`"));
  EXPECT_THAT(decided.wishes(), HasSubstr("`step_reward`"));
  EXPECT_THAT(decided.wishes(), Not(HasSubstr("`horizon`")));
  EXPECT_EQ(Decided(said(smallDrift), "max(tv) <= 0.000001").wishes(), "")
      << "a bound that is too large lacks nothing";
}

} // namespace
} // namespace tikc::tests
