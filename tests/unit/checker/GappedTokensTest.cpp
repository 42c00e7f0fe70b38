#include "checker/engine/LoadedTokens.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <vector>

namespace tikc::engine {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

struct DrawnTokens {
  std::vector<float> train, infer, gap;
  std::vector<std::uint8_t> mask;
};

/// Near and far, bad ones among them, and some that the mask takes out.
DrawnTokens drawn(std::size_t count) {
  std::mt19937_64 random(3);
  std::exponential_distribution<float> surprise(0.7F);
  std::normal_distribution<float> normal;
  constexpr float drifts[] = {1e-4F, 0.1F, 3, 40, 1e6F};
  constexpr float odd[] = {-infinite, infinite, std::numeric_limits<float>::quiet_NaN(), -90};
  DrawnTokens out;
  for (std::size_t i = 0; i < count; ++i) {
    out.infer.push_back(random() % 50 == 0 ? odd[random() % 4] : -surprise(random));
    out.train.push_back(random() % 50 == 0
                            ? odd[random() % 4]
                            : out.infer.back() + drifts[i * 5 / count] * normal(random));
    out.gap.push_back(out.train.back() - out.infer.back());
    out.mask.push_back(i % 400 < 200 ? 1 : random() % 3 != 0);
  }
  return out;
}

LoadedTokens planOf(std::uint32_t wants) {
  LoadedTokens out;
  out.wants = wants;
  out.above = {0.5F};
  out.below = {-3};
  out.beyond = {1e-4F, 30};
  return out;
}

void expectSameBits(const LoadedTokens::Stats& one, const LoadedTokens::Stats& other) {
  EXPECT_EQ(one.count, other.count);
  EXPECT_EQ(one.bad, other.bad);
  for (std::size_t i = 0; i < token_sum_count; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one.sums[i].value()),
              std::bit_cast<std::uint64_t>(other.sums[i].value()))
        << i;
  EXPECT_EQ(one.least, other.least);
  EXPECT_EQ(one.least_at, other.least_at);
  EXPECT_EQ(one.greatest, other.greatest);
  EXPECT_EQ(one.greatest_at, other.greatest_at);
  for (std::size_t i = 0; i < one.beyond.size(); ++i)
    EXPECT_EQ(one.beyond[i], other.beyond[i]) << i;
  EXPECT_EQ(one.above[0], other.above[0]);
  EXPECT_EQ(one.below[0], other.below[0]);
  if (one.sketch.is_kept()) {
    EXPECT_EQ(one.sketch.whole().counts, other.sketch.whole().counts);
  }
}

TEST(GappedTokens, AreThoseOfTheirLogProbsWhereFloatsHoldThese) {
  using namespace token_want;
  const DrawnTokens tokens = drawn(5003);
  for (std::uint32_t wants : {none, gap | range, gap_size | range | places, k3 | ratio | sketch,
                              mult_prob_error | gap, logprobs | gap, everything})
    for (const std::uint8_t* mask :
         {static_cast<const std::uint8_t*>(nullptr), tokens.mask.data()}) {
      SCOPED_TRACE(wants);
      const LoadedTokens plan = planOf(wants);
      LoadedTokens::Stats plain(plan), gapped(plan);
      observe(plain, token_batch{tokens.train.data(), tokens.infer.data(), mask, 5003, 70});
      observe(gapped, gapped_batch{tokens.train.data(), tokens.infer.data(), tokens.gap.data(),
                                   mask, 5003, 70});
      expectSameBits(plain, gapped);
    }
}

TEST(GappedTokens, AreReadWhereLogProbsDoNotTellThemApart) {
  const LoadedTokens plan = planOf(token_want::everything);
  LoadedTokens::Stats stats(plan);
  const std::vector<float> same(100, -10), gap(100, 1e-9F);
  observe(stats, gapped_batch{same.data(), same.data(), gap.data(), nullptr, 100});
  EXPECT_NEAR(stats.mean(token_sum::gap) / 1e-9, 1, 1e-6);
  EXPECT_NEAR(stats.mean(token_sum::k3) / 5e-19, 1, 1e-6);
  EXPECT_NEAR(stats.mean(token_sum::prob_gap) / (std::exp(-10.0) * 1e-9), 1, 1e-6);
  EXPECT_EQ(stats.least, 1e-9F);
}

} // namespace
} // namespace tikc::engine
