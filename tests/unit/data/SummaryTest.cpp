#include "data/inspect/Summary.h"

#include "data/pairing/Assembler.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tikc::data {
namespace {

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
  const std::vector<std::uint8_t> mask = {1, 1, 0, 1};
  for (const std::int64_t shift : {1, -1, 4, 9, -9}) {
    Response response;
    PieceReport report;
    std::vector<std::uint8_t> shifted;
    response.train = train;
    response.infer = infer;
    response.mask = mask;
    applyShift(shift, response, shifted, report);
    const std::size_t left = shift == 1 || shift == -1 ? 3 : 0;
    ASSERT_EQ(response.size(), left);
    EXPECT_EQ(response.mask.size(), left);
    EXPECT_EQ(report.skipped, 4 - left);
    if (left == 0)
      continue;
    EXPECT_EQ(response.train[0], shift == 1 ? 2 : 1);
    EXPECT_EQ(response.infer[0], shift == 1 ? 5 : 6);
    EXPECT_EQ(response.offset, shift == 1 ? 0U : 1U);
    // A pair counts where both of its values do.
    EXPECT_EQ(std::vector<std::uint8_t>(response.mask.begin(), response.mask.end()),
              (std::vector<std::uint8_t>{1, 0, 0}));
  }
}

} // namespace
} // namespace tikc::data
