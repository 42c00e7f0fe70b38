#include "gate/Means.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <vector>

namespace tikc::gate {
namespace {

/// More of them where the environment says so.
int runs(int usual) {
  const char* more = std::getenv("TIKC_GATE_RUNS");
  return more == nullptr ? usual : std::atoi(more);
}

constexpr double alpha = 0.05;

/// A kernel whose tokens are beyond a bound at a rate that differs from response to response.
struct Kernel {
  double rate;
  bool isBursty;
  unsigned longest;

  void respond(std::mt19937_64& draw, measure::UnitSums& into) const {
    const unsigned size = 1 + static_cast<unsigned>(draw() % longest);
    // All or nothing, which is the worst that responses can be for a count of tokens.
    const bool isBad = std::bernoulli_distribution(rate)(draw);
    const double sum = isBursty
                           ? (isBad ? size : 0)
                           : std::binomial_distribution<int>(static_cast<int>(size), rate)(draw);
    into.add(sum, size, true);
  }
};

struct Seen {
  int promoted = 0, broken = 0, missed = 0;
};

/// Looks after every batch, as gates do: who is shown to be kept once goes on.
Seen looked(const Kernel& kernel, double bound, int count, int looks, bool byMeans) {
  std::mt19937_64 draw(7);
  Seen out;
  for (int run = 0; run < count; ++run) {
    measure::UnitSums sums;
    bool isPromoted = false, isBroken = false, isMissed = false;
    for (int look = 0; look < looks; ++look) {
      for (int i = 0; i < 25; ++i)
        kernel.respond(draw, sums);
      const MeanEvidence is(byMeans ? MeanEvidence::ofMeans(sums)
                                    : MeanEvidence::ofObservations(sums, kernel.longest),
                            {0, 1}, bound, 1);
      isPromoted = isPromoted || is.againstAtLeast(bound) >= -std::log(alpha);
      isBroken = isBroken || is.againstAtMost(bound) >= -std::log(alpha);
      if (look % 20 == 0) {
        const ValueEnds at = is.limits(alpha / 2);
        isMissed = isMissed || !(at.low <= kernel.rate && kernel.rate <= at.high);
      }
    }
    out.promoted += isPromoted;
    out.broken += isBroken;
    out.missed += isMissed;
  }
  return out;
}

/// So many of n are seen once in a million, where the chance of each is alpha at most.
double most(int n) { return n * alpha + 5 * std::sqrt(n * alpha * (1 - alpha)); }

TEST(MeansTest, ATruthAtTheBoundIsHardlyEverPromotedWhoeverLooks) {
  const int n = runs(120);
  for (bool isBursty : {false, true})
    for (bool byMeans : {false, true}) {
      const Seen is = looked({0.05, isBursty, 40}, 0.05, n, 100, byMeans);
      EXPECT_LE(is.promoted, most(n)) << isBursty << byMeans;
      EXPECT_LE(is.broken, most(n)) << isBursty << byMeans;
      EXPECT_LE(is.missed, most(n)) << isBursty << byMeans;
      RecordProperty(std::string(isBursty ? "bursty" : "even") + (byMeans ? "_means" : "_tokens"),
                     std::to_string(is.promoted) + "/" + std::to_string(is.broken) + "/" +
                         std::to_string(is.missed));
    }
}

TEST(MeansTest, ATruthAtHalfTheBoundIsPromotedAndOneAtTwiceIsBroken) {
  const int n = runs(20);
  EXPECT_GE(looked({0.025, true, 40}, 0.05, n, 160, true).promoted, n * 0.95);
  EXPECT_EQ(looked({0.025, true, 40}, 0.05, n, 160, true).broken, 0);
  EXPECT_GE(looked({0.1, true, 40}, 0.05, n, 160, true).broken, n * 0.95);
  EXPECT_EQ(looked({0.1, true, 40}, 0.05, n, 160, true).promoted, 0);
}

TEST(MeansTest, SumsNeverSayMoreThanTheProductsThatTheyStandFor) {
  std::mt19937_64 draw(3);
  const Kernel kernel{0.03, true, 20};
  measure::UnitSums sums;
  for (int i = 0; i < 900; ++i)
    kernel.respond(draw, sums);
  const MeanEvidence of(MeanEvidence::ofMeans(sums), {0, 1}, 0.06, 1);
  draw.seed(3);
  std::vector<double> means;
  for (int i = 0; i < 900; ++i) {
    measure::UnitSums one;
    kernel.respond(draw, one);
    means.push_back(one.means);
  }
  for (double mean : {0.04, 0.05, 0.06, 0.1, 0.2}) {
    double best = -1e300; // no mean over stakes is above the best of a fine grid
    for (double stake = 0.0005; stake < 1; stake += 0.0005) {
      double product = 0;
      for (double each : means)
        product += std::log1p(stake * (mean - each));
      best = std::max(best, product);
    }
    EXPECT_LE(of.againstAtLeast(mean), best + 1e-9) << mean;
  }
}

TEST(MeansTest, WithoutAnEndThereIsNoLimitButAlarms) {
  measure::UnitSums sums;
  for (int i = 0; i < 1000; ++i)
    sums.add(2 + i % 2, 1, true);
  const double none = std::numeric_limits<double>::infinity();
  const MeanEvidence is(MeanEvidence::ofMeans(sums), {0, none}, 1, 1);
  EXPECT_EQ(is.againstAtLeast(100), -none);
  EXPECT_EQ(is.limits(alpha).high, none);
  EXPECT_GT(is.againstAtMost(1), 100);
  EXPECT_GT(is.limits(alpha).low, 2);
}

TEST(MeansTest, OfSomeThatAreAlikeItTakesAsManyTimes) {
  measure::UnitSums sums, more;
  for (int i = 0; i < 500; ++i) {
    sums.add(i % 50 == 0 ? 1 : 0, 1, true);
    for (int j = 0; j < 8; ++j)
      more.add(i % 50 == 0 ? 1 : 0, 1, true);
  }
  const MeanEvidence one(MeanEvidence::ofMeans(sums), {0, 1}, 0.05, 1);
  const MeanEvidence eight(MeanEvidence::ofMeans(more), {0, 1}, 0.05, 8);
  EXPECT_NEAR(eight.againstAtLeast(0.05), one.againstAtLeast(0.05), 1e-6);
}

TEST(MeansTest, WhatIsNeededIsEnough) {
  measure::UnitSums sums;
  for (int i = 0; i < 400; ++i)
    sums.add(i % 40 == 0 ? 1 : 0, 1, true);
  const MeanEvidence is(MeanEvidence::ofMeans(sums), {0, 1}, 0.05, 1);
  const auto needed = is.unitsToShowBelow(0.05, 0.001);
  ASSERT_TRUE(needed);
  measure::UnitSums more;
  for (int i = 0; i < static_cast<int>(*needed) + 40; ++i)
    more.add(i % 40 == 0 ? 1 : 0, 1, true);
  EXPECT_GE(MeanEvidence(MeanEvidence::ofMeans(more), {0, 1}, 0.05, 1).againstAtLeast(0.05),
            -std::log(0.001));
  EXPECT_FALSE(is.unitsToShowBelow(0.02, 0.001));
  const auto fewest = fewestBelow(0.05, {0, 1}, 1, 0.001);
  ASSERT_TRUE(fewest);
  EXPECT_LT(*fewest, *needed);
  EXPECT_GE(*fewest, std::log(0.001) / std::log1p(-0.05));
}

} // namespace
} // namespace tikc::gate
