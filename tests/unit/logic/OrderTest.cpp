#include "unit/logic/Requirements.h"

#include "logic/Order.h"
#include "logic/Separation.h"

#include <gtest/gtest.h>

namespace tikc::tests {
namespace {

using logic::Stands;

struct Row {
  std::string strong, weak;
  bool isImplied;
};

void holdTo(const std::vector<Row>& rows, Stands stands = Stands::InClause) {
  for (const Row& row : rows) {
    Requirements said({row.strong, row.weak}, stands == Stands::InClaim);
    ASSERT_EQ(said.size(), 2U) << row.strong << " and " << row.weak;
    EXPECT_EQ(logic::implies(said[0], said[1], stands), row.isImplied)
        << row.strong << " => " << row.weak;
  }
}

TEST(Order, LimitsOfOneStatistic) {
  holdTo({{"max(tv) <= 0.1", "max(tv) <= 0.1", true},
          {"max(tv) <= 0.1", "max(tv) <= 0.2", true},
          {"max(tv) <= 0.2", "max(tv) <= 0.1", false},
          {"max(tv) < 0.1", "max(tv) <= 0.1", true},
          {"max(tv) <= 0.1", "max(tv) < 0.1", false},
          {"max(tv) <= 0.1", "min(tv) >= 0.1", false},
          {"mean(ratio) in [0.9, 1.1]", "mean(ratio) in [0.8, 1.2]", true},
          {"mean(ratio) in [0.9, 1.1]", "mean(ratio) <= 1.1", true},
          {"mean(ratio) <= 1.1", "mean(ratio) in [0.9, 1.1]", false},
          {"mean(ratio) in [0.8, 1.1]", "mean(ratio) in [0.9, 1.2]", false},
          {"max(tv) <= 0.1", "max(hellinger) <= 0.1", false},
          {"max(veto(0.5)) <= 0", "max(seq_veto(0.5)) <= 0", false}});
}

TEST(Order, Units) {
  holdTo({{"max(logit_osc) <= 1 bit", "max(logit_osc) <= 0.6931471805599454 nat", true},
          {"max(logit_osc) <= 1 bit", "max(logit_osc) <= 0.6931471805599452 nat", false},
          {"max(logit_osc) <= 0.6931471805599452 nat", "max(logit_osc) <= 1 bit", true},
          {"max(logit_osc) <= 0 bit", "max(logit_osc) <= 0 nat", true},
          {"p99(latency) <= 45 s", "p99(latency) <= 45000 ms", true},
          {"p99(latency) <= 46 s", "p99(latency) <= 45000 ms", false},
          {"mean(tv) <= 10%", "mean(tv) <= 0.1", true},
          {"max(logit_osc) <= 1", "max(logit_osc) <= 1 nat", true}});
}

TEST(Order, FiguresOfTwoNames) {
  holdTo({{"max(k1) <= 0.1", "min(logprob_gap) >= -0.1", true},
          {"min(logprob_gap) >= -0.1", "max(k1) <= 0.2", true},
          {"max(k1) <= 0.1", "max(logprob_gap) <= 0.1", false},
          {"mean(k1) in [-0.1, 0.2]", "mean(logprob_gap) in [-0.2, 0.1]", true},
          {"mean(k1) in [-0.1, 0.2]", "mean(logprob_gap) in [-0.1, 0.2]", false},
          {"p99(abs(k1)) <= 0.1", "p99(abs(logprob_gap)) <= 0.1", true},
          {"rate(k1 > 0.1) <= 1%", "rate(logprob_gap < -0.1) <= 1%", true},
          {"rate(abs(logprob_gap) > 0.1) <= 1%", "rate(k1 > 0.1) <= 1%", true},
          {"max(abs(logprob_gap)) <= 0.1", "max(k1) <= 0.1", true},
          {"std(k1) <= 0.1", "std(logprob_gap) <= 0.1", true},
          {"sum(k1) <= 3 over 100 tokens", "sum(logprob_gap) >= -3 over 100 tokens", true},
          // A quantile is the lower of what could stand at its level.
          {"p90(k1) <= 0.1", "quantile(logprob_gap, 0.1) >= -0.1", false},
          {"ess_sample >= 80%", "effective_share(ratio) >= 70%", true},
          {"effective_share(ratio) >= 80%", "ess_sample >= 80%", true},
          {"effective_share(capped_ratio(0, 2)) >= 80%", "ess_sample >= 70%", false}});
}

TEST(Order, WhatAFigureAlwaysKeeps) {
  holdTo({{"max(tv) <= 2", "max(tv) <= 1", true},
          {"max(tv) <= 2", "max(tv) < 1", false},
          {"mean(tv) <= 0.5", "p99(tv) < 1.5", true},
          {"mean(tv) <= 0.5", "min(tv) >= 0", true},
          {"max(js) <= 3 bit", "max(js) <= 1 bit", true},
          {"max(js) <= 3 bit", "max(js) <= 0.6931471805599454 nat", true},
          {"max(js) <= 3 bit", "max(js) <= 0.6931471805599453 nat", false},
          {"max(k3) <= 3", "rate(k3 > 1) <= 1", true},
          {"max(k3) <= 3", "max(tv) <= 2", false},
          {"std(prob_gap) <= 3", "std(prob_gap) <= 2", false}});
}

TEST(Order, StatisticsOfOneFigure) {
  holdTo({{"max(k3) <= 0.1", "p99(k3) <= 0.1", true},
          {"max(k3) <= 0.1", "mean(k3) <= 0.1", true},
          {"max(k3) <= 0.1", "mean_by_response(k3) <= 0.1", true},
          {"max(k3) <= 0.1", "rms(k3) <= 0.1", true},
          {"max(k3) <= 0.1", "rate(k3 > 0.1) <= 0", true},
          {"max(k3) <= 0.1", "rate(k3 >= 0.1) <= 0", false},
          {"max(k3) < 0.1", "rate(k3 >= 0.1) <= 0", true},
          {"mean(k3) <= 0.1", "mean_by_response(k3) <= 0.1", false},
          {"mean_by_response(k3) <= 0.1", "mean(k3) <= 0.1", false},
          {"p99(k3) <= 0.1", "p90(k3) <= 0.1", true},
          {"p90(k3) <= 0.1", "p99(k3) <= 0.1", false},
          {"p99(k3) <= 0.1", "mean(k3) <= 0.1", false},
          {"mean(k3) <= 0.1", "p90(k3) <= 0.1", false},
          {"min(ratio) >= 0.8", "mean(ratio) >= 0.8", true},
          {"min(ratio) >= 0.8", "quantile(ratio, 0.01) >= 0.8", true},
          {"quantile(ratio, 0.01) >= 0.8", "quantile(ratio, 0.1) >= 0.8", true},
          {"quantile(ratio, 0.1) >= 0.8", "quantile(ratio, 0.01) >= 0.8", false},
          {"rms(logprob_gap) <= 0.1", "mean(abs(logprob_gap)) <= 0.1", true},
          {"rms(logprob_gap) <= 0.1", "mean(logprob_gap) >= -0.1", true},
          {"mean(abs(logprob_gap)) <= 0.1", "rms(logprob_gap) <= 0.1", false},
          {"max(abs(logprob_gap)) <= 0.1", "rms(logprob_gap) <= 0.1", true},
          {"max(logprob_gap) <= 0.1", "rms(logprob_gap) <= 0.1", false},
          {"std(k3) <= 0.1", "std(k3) <= 0.2", true},
          {"max(k3) <= 0.1", "std(k3) <= 0.1", false}});
}

TEST(Order, SizesAndSigns) {
  holdTo({{"max(abs(logprob_gap)) <= 0.1", "max(logprob_gap) <= 0.1", true},
          {"max(abs(logprob_gap)) <= 0.1", "min(logprob_gap) >= -0.1", true},
          {"max(logprob_gap) <= 0.1", "max(abs(logprob_gap)) <= 0.1", false},
          {"mean(abs(logprob_gap)) <= 0.1", "mean(logprob_gap) in [-0.1, 0.1]", true},
          {"min(abs(logprob_gap)) <= 0.1", "min(logprob_gap) >= -0.1", false},
          {"p99(abs(logprob_gap)) <= 0.1", "rate(logprob_gap < -0.1) <= 1%", true},
          {"rate(abs(logprob_gap) < 0.1) <= 1%", "rate(logprob_gap < -0.1) <= 1%", false},
          {"p99(abs(logprob_gap)) <= 0.1", "quantile(logprob_gap, 0.02) >= -0.1", true},
          // A quantile is the lower of what could stand at its level.
          {"p99(abs(logprob_gap)) <= 0.1", "quantile(logprob_gap, 0.01) >= -0.1", false}});
}

TEST(Order, Tails) {
  holdTo({{"rate(k3 > 0.1) <= 1%", "p99(k3) <= 0.1", true},
          {"p99(k3) <= 0.1", "rate(k3 > 0.1) <= 1%", true},
          {"p99(k3) <= 0.1", "rate(k3 >= 0.1) <= 1%", false},
          {"p99(k3) < 0.1", "rate(k3 >= 0.1) <= 1%", true},
          {"rate(k3 >= 0.1) <= 1%", "p99(k3) < 0.1", false},
          {"rate(k3 >= 0.1) < 1%", "p99(k3) < 0.1", true},
          {"rate(k3 > 0.1) <= 1%", "rate(k3 > 0.2) <= 1%", true},
          {"rate(k3 > 0.2) <= 1%", "rate(k3 > 0.1) <= 1%", false},
          {"rate(k3 > 0.1) <= 1%", "rate(k3 <= 0.1) >= 99%", true},
          {"rate(k3 <= 0.1) >= 99%", "p99(k3) <= 0.1", true},
          {"rate(k3 <= 0.1) >= 99%", "p999(k3) <= 0.1", false},
          {"rate(ratio < 0.8) <= 1%", "quantile(ratio, 0.01) >= 0.8", false},
          {"rate(ratio < 0.8) < 1%", "quantile(ratio, 0.01) >= 0.8", true},
          {"quantile(ratio, 0.01) >= 0.8", "rate(ratio < 0.8) <= 1%", true},
          {"quantile(ratio, 0.01) > 0.8", "rate(ratio <= 0.8) < 1%", true},
          // A share of 0 is not nowhere.
          {"rate(k3 > 0.1) <= 0", "max(k3) <= 0.1", false},
          {"rate(nonfinite > 0) == 0", "count(nonfinite) == 0", true},
          {"count(nonfinite) == 0", "rate(nonfinite > 0) == 0", true},
          {"count(nonfinite) < 1", "count(nonfinite) == 0", true},
          {"count(nonfinite) < 2", "count(nonfinite) == 0", false}});
}

TEST(Order, EventsAreComparisons) {
  holdTo({{"mean(clipped(0, 2)) <= 1%", "rate(ratio > 2) <= 1%", true},
          {"rate(ratio > 2) <= 1%", "mean(clipped(0, 2)) <= 1%", true},
          {"p99(ratio) <= 2", "mean(clipped(0, 2)) <= 1%", true},
          {"mean(veto(0.5)) <= 1%", "rate(ratio < 0.5) <= 1%", true},
          {"mean(clipped(0.1, 2)) <= 1%", "rate(ratio > 2) <= 1%", false},
          // As events they are figures of their own, too.
          {"count(clipped(0, 2)) == 0", "mean(clipped(0, 2)) <= 1%", true},
          {"max(veto(0.5)) <= 0", "mean(veto(0.5)) <= 1%", true}});
}

TEST(Order, TailsOfMeans) {
  holdTo({{"mean(k3) <= 0.001", "p99(k3) <= 0.1", true},
          {"mean(k3) <= 0.001", "p999(k3) <= 0.1", false},
          {"rms(k3) <= 0.01", "p99(k3) <= 0.1", true},
          {"mean(logprob_gap) <= 0.001", "p99(logprob_gap) <= 0.1", false}});
}

TEST(Order, Events) {
  holdTo({{"mean(clipped(0.8, 1.2)) <= 1%", "mean(clipped(0.5, 2)) <= 1%", true},
          {"mean(clipped(0.5, 2)) <= 1%", "mean(clipped(0.8, 1.2)) <= 1%", false},
          {"mean(clipped(0.8, 2)) <= 1%", "mean(clipped(0.5, 1.5)) <= 1%", false},
          {"mean(veto(0.5)) <= 1%", "mean(veto(0.1)) <= 1%", true},
          {"mean(veto(0.5)) >= 1%", "mean(veto(0.1)) >= 1%", false},
          {"rate(top1_flip) <= 1%", "mean(top1_flip) <= 1%", true}});
}

TEST(Order, Windows) {
  holdTo({{"count(nonfinite) == 0 over 10 min", "count(nonfinite) == 0 over 1 h", true},
          {"max(nonfinite) <= 0", "count(nonfinite) == 0", true},
          {"count(nonfinite) <= 3 over 10 min", "count(nonfinite) <= 4 over 600 s", true},
          {"count(nonfinite) <= 3 over 10 min", "count(nonfinite) <= 4 over 1 h", false},
          {"count(nonfinite) <= 3 over 10 min", "count(nonfinite) <= 4", false},
          {"mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.1 over 1 h", true},
          {"ess_sample >= 80%", "ess_sample >= 70%", true},
          {"ess_sample >= 80% over 10 min", "ess_sample >= 70%", false}});
}

TEST(Order, Claims) {
  holdTo({{"max(tv) <= 0.1", "tv <= 0.1", true},
          {"tv <= 0.1", "mean(tv) <= 0.1", true},
          {"ess >= 80%", "ess >= 70%", true},
          {"max(ratio) <= 2", "quantile(ratio, 0.9) <= 2", true}},
         Stands::InClaim);
}

TEST(Order, SlackIsAShareOfTheWeakOnesLimit) {
  Requirements said({"max(k3) <= 0.09", "max(k3) <= 0.1", "min(ratio) >= 0.9", "min(ratio) >= 0.8",
                     "mean(k3) <= 0.1"});
  EXPECT_EQ(logic::slack(said[0], said[1], Stands::InClause), Rational(1, 10));
  EXPECT_EQ(logic::slack(said[2], said[3], Stands::InClause), Rational(1, 8));
  EXPECT_EQ(logic::slack(said[0], said[4], Stands::InClause), std::nullopt);
}

TEST(Separation, IsInFewDigitsOfTheUnit) {
  struct Case {
    std::string kept, broken, expected; // nothing where none is cheap, or possible
  };
  for (const Case& row : std::vector<Case>{
           {"p99(latency) <= 60 s", "p99(latency) <= 45000 ms", "50 s, 50000 ms"},
           {"p99(latency) <= 46 s", "p99(latency) <= 45 s", "45.5 s, 45.5 s"},
           {"p99(latency) <= 45 s", "p99(latency) <= 46 s", ""},
           {"max(k3) <= 0.1", "max(k3) < 0.1", "0.1, 0.1"},
           {"mean(tv) <= 7%", "mean(tv) <= 0.05", "6%, 0.06"},
           {"mean(ratio) in [0.8, 1.1]", "mean(ratio) in [0.9, 1.1]", "0.85, 0.85"},
           {"mean(ratio) <= 1.2", "mean(ratio) in [0.9, 1.1]", "0.4, 0.4"},
           {"mean(tv) <= 1", "mean(tv) <= 0.5", "0.7, 0.7"},
           {"mean(tv) <= 3", "mean(tv) <= 1", ""}, // none is above 1
           {"std(tv) <= 0.9", "std(tv) <= 0.5", ""},
           {"count(nonfinite) <= 2", "count(nonfinite) <= 0", "1, 1"},
           {"count(nonfinite) <= 1", "count(nonfinite) <= 0", "1, 1"},
           {"count(nonfinite) <= 0.5", "count(nonfinite) <= 0", ""}, // none between
           {"max(veto(0.5)) <= 0.5", "max(veto(0.5)) <= 0.2", ""},
           {"mean(veto(0.5)) <= 0.5", "max(veto(0.5)) <= 0", "0.2, 1"},
           {"p99(k3) <= 0.1", "max(k3) <= 0.1", "0.05, 0.15"},
           {"mean(k3) <= 0.1", "max(k3) <= 0.1", "0.05, 0.15"},
           {"p99(k3) <= 0.2", "p50(k3) <= 0.1", "0.15, 0.15"},
           {"quantile(ratio, 0.01) >= 0.8", "min(ratio) >= 0.8", "1, 0.4"},
           {"mean(k3) <= 0.1", "p99(k3) <= 0.1", ""}, // neither is always above the other
           {"max(k2) <= 0.1", "max(k3) <= 0.1", ""},
           {"max(logit_osc) <= 1 bit", "max(logit_osc) <= 0.5 nat", ""},
           {"max(logit_osc) <= 1 bit", "max(logit_osc) <= 0.5 bit", "0.7 bit, 0.7 bit"}}) {
    Requirements said({row.kept, row.broken});
    ASSERT_EQ(said.size(), 2U) << row.kept << " and " << row.broken;
    auto found = logic::separation(said[0], said[1], Stands::InClause);
    std::string text =
        found ? model::print(found->kept) + ", " + model::print(found->broken) : std::string();
    EXPECT_EQ(text, row.expected) << row.kept << " and not " << row.broken;
  }
}

} // namespace
} // namespace tikc::tests
