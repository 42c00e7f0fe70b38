#include "data/inspect/Summary.h"

#include "data/pairing/Assembler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tikc::data {
namespace {

/// Log-ratios of tokens drawn from q, of p, both of three tokens that are near each other.
double drawnRatio(std::mt19937& random, double tilt) {
  const double q[] = {0.2, 0.3, 0.5};
  const double p[] = {0.2 * (1 - tilt), 0.3, 0.5 + 0.2 * tilt};
  std::discrete_distribution<std::size_t> draw(std::begin(q), std::end(q));
  const std::size_t token = draw(random);
  return p[token] / q[token];
}

TEST(BetsTest, CoherentDataSeldomLoseTheBet) {
  std::mt19937 random(1);
  int disproved = 0;
  for (int run = 0; run < 400; ++run) {
    Bets bets;
    double most = 0;
    for (int i = 0; i < 500; ++i) {
      bets.add(drawnRatio(random, 0.5));
      most = std::max(most, bets.logCapital());
    }
    disproved += most > std::log(100.0);
  }
  // At most 1% of runs, whenever one stops: 4 are expected at most.
  EXPECT_LE(disproved, 11);
}

TEST(BetsTest, IncoherentDataLoseIt) {
  std::mt19937 random(2);
  Bets bets;
  for (int i = 0; i < 5000; ++i)
    bets.add(1.1 * drawnRatio(random, 0.5));
  EXPECT_GT(bets.logCapital(), std::log(100.0));
}

TEST(BetsTest, AddUpInAnyParts) {
  std::mt19937 random(3);
  Bets whole, left, right;
  for (int i = 0; i < 101; ++i) {
    const double ratio = drawnRatio(random, 0.9);
    whole.add(ratio);
    (i < 37 ? left : right).add(ratio);
  }
  left.add(right);
  EXPECT_NEAR(left.logCapital(), whole.logCapital(), 1e-9);
  Bets huge;
  for (int i = 0; i < 100; ++i)
    huge.add(1e300);
  EXPECT_TRUE(std::isfinite(huge.logCapital()));
}

/// A token of x = log p - log q.
TokenDrift tokenOf(double x) { return {x, std::expm1(x), 0.5}; }

TEST(DriftTest, IsWhatItsSumsSay) {
  Drift tokens, drift;
  for (const double x : {0.1, -0.2, 0.3})
    tokens.add(tokenOf(x));
  drift.addResponse(tokens);
  EXPECT_NEAR(drift.k3() - drift.k1(), drift.meanWeight() - 1, 1e-15);
  EXPECT_NEAR(drift.meanAbsolute(), 0.2, 1e-15);
  EXPECT_NEAR(drift.level(), 0.4, 1e-15);
  EXPECT_NEAR(drift.meanWeight(), (std::exp(0.1) + std::exp(-0.2) + std::exp(0.3)) / 3, 1e-15);
  // One response alone: as if its tokens were independent.
  double square = 0;
  for (const double x : {0.1, -0.2, 0.3})
    square += std::pow(std::exp(x) - drift.meanWeight(), 2);
  EXPECT_NEAR(drift.standardError(), std::sqrt(square) / 3, 1e-15);
}

TEST(DriftTest, ErrorsAreOfResponses) {
  Drift drift;
  // Tokens of a response are all alike: so many responses are so many observations.
  for (int i = 0; i < 100; ++i) {
    Drift tokens;
    for (int j = 0; j < 50; ++j)
      tokens.add(tokenOf(i % 2 == 0 ? 0.1 : -0.3));
    drift.addResponse(tokens);
  }
  const double spread = (std::exp(0.1) - std::exp(-0.3)) / 2;
  EXPECT_NEAR(drift.standardError(), spread / 10, 1e-12);
  EXPECT_NEAR(drift.absoluteError(), 0.1 / 10, 1e-12);
  EXPECT_NEAR(drift.levelError(), 0.2 / 10, 1e-12);
}

TEST(ShiftTest, MovesTheTrainer) {
  const std::vector<float> train = {1, 2, 3, 4}, infer = {5, 6, 7, 8};
  const std::vector<std::uint8_t> mask = {1, 0, 1, 0};
  for (const std::int64_t shift : {1, -1, 4, 9, -9}) {
    Response response;
    PieceReport report;
    response.train = train;
    response.infer = infer;
    response.mask = mask;
    applyShift(shift, response, report);
    const std::size_t left = shift == 1 || shift == -1 ? 3 : 0;
    ASSERT_EQ(response.size(), left);
    EXPECT_EQ(response.mask.size(), left);
    EXPECT_EQ(report.skipped, 4 - left);
    if (left == 0)
      continue;
    EXPECT_EQ(response.train[0], shift == 1 ? 2 : 1);
    EXPECT_EQ(response.infer[0], shift == 1 ? 5 : 6);
    EXPECT_EQ(response.mask[0], shift == 1 ? 1 : 0);
  }
}

} // namespace
} // namespace tikc::data
