#include "runtime/TokensReference.h"

namespace tikc::tests::tokens {
namespace {

std::vector<float> everySize() {
  std::vector<float> out = {0.0F,   std::numeric_limits<float>::denorm_min(),
                            1e-40F, 20.5F,
                            30,     64.5F,
                            84.5F,  89,
                            700,    720,
                            32768,  65536};
  for (int exponent = -38; exponent <= 38; ++exponent)
    out.push_back(static_cast<float>(std::pow(10.0, exponent)));
  out.push_back(std::numeric_limits<float>::max());
  out.push_back(infinity);
  out.push_back(notANumber);
  return out;
}

/// Every `among`-th token is the one; the others are usual, and far below what it adds.
Tokens with(float train, float infer, std::size_t among) {
  Tokens out = drawTokens(among == 1 ? 1U : 2U, 100, 0.05);
  for (std::size_t i = 3; i < out.size(); i += among) {
    out.train[i] = train;
    out.infer[i] = infer;
  }
  if (among == 1)
    for (std::size_t i = 0; i < 3; ++i) {
      out.train[i] = train;
      out.infer[i] = infer;
    }
  return out;
}

TEST(TokensExtremes, AgreeAtEverySizeOfX) {
  for (float size : everySize())
    for (float x : {size, -size})
      for (std::size_t among : {1U, 7U, 90U})
        for (float base : {0.0F, -1.5F, -100.0F}) {
          const Tokens lower = with(base + x, base, among), upper = with(base, base - x, among);
          for (const Tokens* tokens : {&lower, &upper}) {
            const Reference want = referenceOf(*tokens);
            for (auto isa : machines()) {
              SCOPED_TRACE(testing::Message()
                           << nameOf(isa) << " x " << x << " base " << base << " one in " << among);
              expectSame(observed<Everything>(isa, *tokens), want);
            }
          }
        }
}

TEST(TokensExtremes, EqualWeightsAreWorthAllOfTheirTokens) {
  for (float x : {-30.0F, -25.0F, -20.5F, -20.0F, -10.0F, -3.0F, -0.6F, -0.4F, 0.0F, 5.0F, 10.0F,
                  20.5F, 30.0F, 100.0F})
    for (std::size_t count : {1U, 100U, 5000U}) {
      Tokens tokens;
      tokens.infer.assign(count, std::min(-2.0F, -2 - x));
      tokens.train.assign(count, tokens.infer[0] + x);
      for (auto isa : machines()) {
        const Stats got = observed<Everything>(isa, tokens);
        EXPECT_NEAR(got.ess(), 1, 1e-4) << nameOf(isa) << " " << x << " of " << count;
        const double weight = std::exp(static_cast<double>(x));
        EXPECT_NEAR(got.weights() / static_cast<double>(count) / weight, 1, 1e-4) << x;
      }
    }
}

TEST(TokensExtremes, TheWorthOfWeightsOfAnySizeIsRightOrTheWorst) {
  std::mt19937_64 random(4);
  for (double centre :
       {-700.0, -60.0, -33.0, -28.0, -15.0, -7.0, -1.0, 0.0, 3.0, 25.0, 200.0, 700.0})
    for (double spread : {0.0, 0.3, 2.0, 10.0}) {
      Tokens tokens;
      long double total = 0, squares = 0;
      for (int i = 0; i < 3000; ++i) {
        const auto x =
            static_cast<float>(centre + std::normal_distribution<double>(0, spread + 1e-9)(random));
        tokens.train.push_back(std::min(x, 0.0F));
        tokens.infer.push_back(std::min(-x, 0.0F));
        total += std::exp(static_cast<long double>(x));
        squares += std::exp(2 * static_cast<long double>(x));
      }
      const auto want = static_cast<double>(total * total / squares / 3000);
      for (auto isa : machines()) {
        const double got = observed<Everything>(isa, tokens).ess();
        EXPECT_TRUE(got == 0 || std::abs(got / want - 1) < 1e-3)
            << nameOf(isa) << " " << centre << " " << spread << " " << got << " for " << want;
        if (centre >= -28 && centre <= 200 && spread < 10) {
          EXPECT_GT(got, 0) << centre << " " << spread;
        }
      }
    }
}

TEST(TokensExtremes, PartsOfAnySizeMergeToTheWhole) {
  Tokens tokens = drawTokens(8, 4000, 0.2, Masks::Random);
  for (std::size_t i = 0; i < tokens.size(); i += 3)
    tokens.train[i] = tokens.infer[i] - static_cast<float>(i % 31);
  for (auto isa : machines()) {
    const Stats whole = observed<Everything>(isa, tokens);
    Stats merged;
    for (std::size_t i = 0; i < tokens.size(); i += 500) {
      Stats part;
      detail::observe_with<Everything>(isa, part, tokens.part(i, 500), nullptr);
      merged.merge(part);
    }
    EXPECT_EQ(merged.count, whole.count);
    EXPECT_NEAR(merged.ess(), whole.ess(), 1e-6);
    EXPECT_NEAR(merged.weights() / whole.weights(), 1, 1e-6);
  }
}

/// Responses see the same extremes.
TEST(TokensExtremes, ANumberAboveZeroIsNotALogProb) {
  for (auto isa : machines()) {
    for (float above : {0.0011F, 0.5F, 1.0F, 30.0F, 3e38F})
      for (bool isTrain : {false, true}) {
        SCOPED_TRACE(testing::Message() << nameOf(isa) << " " << above);
        const Stats got =
            observed<Everything>(isa, with(isTrain ? above : -1, isTrain ? -1 : above, 90));
        EXPECT_EQ(got.bad, 2U);
        EXPECT_EQ(got.least, -infinity);
        EXPECT_EQ(got.greatest, infinity);
        EXPECT_LE(got.total(token_sum::prob_gap), 100);
      }
    EXPECT_EQ(observed<Everything>(isa, with(1e-3F, 1e-3F, 90)).bad, 0U) << "rounding";
  }
}

TEST(TokensExtremes, TheServerDrawsNoTokenOfProbabilityZero) {
  for (auto isa : machines())
    for (float infer : {-infinity, std::numeric_limits<float>::lowest(), -1e38F})
      for (float train : {-infinity, -1e30F, -1.0F, 0.0F}) {
        SCOPED_TRACE(testing::Message() << nameOf(isa) << " " << train << " " << infer);
        const Stats got = observed<Everything>(isa, with(train, infer, 90));
        EXPECT_EQ(got.bad, 2U);
        EXPECT_EQ(got.least, -infinity);
        EXPECT_EQ(got.greatest, infinity);
        EXPECT_GE(got.total(token_sum::tv_sampled), 2);
      }
}

TEST(TokensExtremes, AResponseKnowsItsOddTokens) {
  for (auto isa : machines())
    for (float x : {-30.0F, 30.0F, -700.0F, -infinity, notANumber}) {
      Tokens tokens = with(std::min(x, 0.0F), std::min(-x, 0.0F), 90);
      sequence response;
      observed<Everything>(isa, tokens, &response);
      EXPECT_EQ(response.tokens, 100U);
      EXPECT_EQ(response.least, x != x ? -infinity : std::min(x, response.least));
      if (x != x)
        EXPECT_EQ(response.seq_tv(), 1);
      else if (std::isinf(x))
        EXPECT_EQ(response.seq_log_ratio(), -std::numeric_limits<double>::infinity());
      else
        EXPECT_NEAR(response.seq_log_ratio(), static_cast<double>(referenceOf(tokens).sums[0]),
                    1e-3);
    }
}

} // namespace
} // namespace tikc::tests::tokens
