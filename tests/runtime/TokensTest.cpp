#include "runtime/TokensReference.h"
#include "tikc/kept.h"

namespace tikc::tests::tokens {
namespace {

TEST(Tokens, AgreeWithLongDoubleAtEveryDriftLengthAndMask) {
  const std::size_t lengths[] = {0, 1, 3, 4, 15, 16, 17, 100, 1023, 1024, 1025, 5000};
  unsigned seed = 0;
  for (double drift : {1e-7, 1e-6, 1e-4, 0.003, 0.03, 0.2, 0.7, 3.0, 20.0}) {
    for (std::size_t length : lengths) {
      for (Masks masks : {Masks::None, Masks::Random, Masks::Runs}) {
        const Tokens tokens = drawTokens(++seed, length, drift, masks);
        const Reference want = referenceOf(tokens);
        for (auto isa : machines()) {
          SCOPED_TRACE(testing::Message() << nameOf(isa) << " drift " << drift << " of " << length
                                          << " masked " << static_cast<int>(masks));
          expectSame(observed<Everything>(isa, tokens), want);
        }
      }
    }
  }
}

TEST(Tokens, EachStatisticOfOneTokenKeepsItsDigits) {
  for (auto isa : machines()) {
    for (double exponent = -7; exponent <= 1.3; exponent += 0.01) {
      for (double sign : {-1.0, 1.0}) {
        Tokens token;
        const auto x = static_cast<float>(sign * std::pow(10, exponent));
        token.infer = {x < 2.9F ? -3.0F : -25.0F};
        token.train = {token.infer[0] + x};
        const Stats got = observed<Everything>(isa, token);
        const Reference want = referenceOf(token);
        EXPECT_GE(got.total(token_sum::k3), 0);
        for (std::size_t i = 0; i < plainSums; ++i) {
          const auto value = static_cast<double>(want.sums[i]);
          // A square has twice the error of its root.
          const bool isSquare = i == static_cast<std::size_t>(token_sum::prob_gap_square);
          EXPECT_LE(std::abs(got.sums[i].value() - value),
                    (isSquare ? 14e-7 : 7e-7) * std::abs(value))
              << nameOf(isa) << " " << x << " " << i;
        }
      }
    }
  }
}

TEST(Tokens, DerivedStatisticsKeepTheirDigitsAtSmallDrift) {
  for (double drift : {1e-5, 1e-3, 0.05, 0.5}) {
    const Tokens tokens = drawTokens(77, 20000, drift, Masks::Random);
    const Reference want = referenceOf(tokens);
    const auto n = static_cast<long double>(want.count);
    const long double e = want.sums[static_cast<std::size_t>(token_sum::excess)] / n;
    const long double e2 = want.sums[static_cast<std::size_t>(token_sum::excess_square)] / n;
    const auto lost = static_cast<double>((e2 - e * e) / (1 + 2 * e + e2));
    const auto unexplained = static_cast<double>(want.unexplained());
    for (auto isa : machines()) {
      SCOPED_TRACE(testing::Message() << nameOf(isa) << " " << drift);
      const Stats got = observed<Everything>(isa, tokens);
      EXPECT_NEAR(got.ess_lost() / lost, 1, 1e-5);
      EXPECT_NEAR(got.ess(), 1 - lost, 1e-6);
      EXPECT_NEAR(got.ratio_square_excess(), static_cast<double>(2 * e + e2),
                  1e-6 * static_cast<double>(e2 + 2 * std::abs(e)) + 1e-8 * drift);
      EXPECT_NEAR((1 - got.pearson() * got.pearson()) / unexplained, 1, 1e-4 + 1e-15 / unexplained);
      EXPECT_NEAR(got.perplexity_ratio(),
                  static_cast<double>(
                      std::exp((want.sums[static_cast<std::size_t>(token_sum::infer_logprob)] -
                                want.sums[static_cast<std::size_t>(token_sum::train_logprob)]) /
                               n)),
                  1e-6);
    }
  }
}

TEST(Tokens, PearsonSurvivesProbabilitiesThatHardlyVary) {
  std::mt19937_64 random(5);
  Tokens tokens;
  for (int i = 0; i < 30000; ++i) {
    const auto infer = static_cast<float>(-1e-3 * static_cast<double>(random() % 1000) / 1000);
    tokens.infer.push_back(infer);
    tokens.train.push_back(infer + static_cast<float>(random() % 100) * 1e-6F);
  }
  const auto unexplained = static_cast<double>(referenceOf(tokens).unexplained());
  for (auto isa : machines()) {
    const double r = observed<Everything>(isa, tokens).pearson();
    EXPECT_NEAR((1 - r * r) / unexplained, 1, 0.01) << nameOf(isa);
  }
}

TEST(Tokens, PearsonOfOpposedProbabilitiesIsNegativeAndOfConstantsIsNan) {
  Tokens opposed;
  Tokens constant;
  for (int i = 1; i < 100; ++i) {
    opposed.train.push_back(std::log(static_cast<float>(i) / 100));
    opposed.infer.push_back(std::log(1 - static_cast<float>(i) / 100));
    constant.train.push_back(-1);
    constant.infer.push_back(-1);
  }
  for (auto isa : machines()) {
    EXPECT_NEAR(observed<Everything>(isa, opposed).pearson(), -1, 1e-6);
    EXPECT_TRUE(std::isnan(observed<Everything>(isa, constant).pearson()));
  }
}

TEST(Tokens, PearsonOfWhatRoundingLeavesIsNan) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 200; ++round) {
    const float at = -static_cast<float>(random() % 4000) / 1000;
    Tokens nearly, onOneSide;
    for (std::uint64_t i = 0, count = 1 + random() % 5; i < count; ++i) {
      const auto step = static_cast<float>(random() % 3) * 1e-7F;
      nearly.train.push_back(at - step);
      nearly.infer.push_back(at + step - 2e-7F);
      onOneSide.train.push_back(at);
      onOneSide.infer.push_back(-static_cast<float>(random() % 5000) / 1000);
    }
    for (auto isa : machines())
      for (const Tokens* each : {&nearly, &onOneSide})
        EXPECT_TRUE(std::isnan(observed<Everything>(isa, *each).pearson())) << at;
  }
}

TEST(Tokens, NothingNonFiniteIsDropped) {
  const float values[] = {notANumber, infinity, -infinity, 1000.0F,  -1000.0F, -200.0F,
                          3e38F,      -3e38F,   0.0F,      -0.0001F, 70.0F,    -66.0F};
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    Tokens tokens =
        drawTokens(seed, 1 + random() % 300, 0.05, seed % 2 == 0 ? Masks::None : Masks::Random);
    for (std::size_t i = random() % 4; i > 0; --i) {
      const std::size_t at = random() % tokens.size();
      (random() % 2 == 0 ? tokens.train : tokens.infer)[at] = values[random() % 12];
      tokens.train[at] = random() % 4 == 0 ? values[random() % 12] : tokens.train[at];
    }
    const Reference want = referenceOf(tokens);
    for (auto isa : machines()) {
      SCOPED_TRACE(testing::Message() << nameOf(isa) << " seed " << seed);
      expectSame(observed<Everything>(isa, tokens), want);
    }
  }
}

TEST(Tokens, ABadTokenIsTheWorstOfEachStatistic) {
  for (auto isa : machines()) {
    Tokens tokens = drawTokens(3, 500, 0.01);
    const Stats clean = observed<Everything>(isa, tokens);
    tokens.train[100] = notANumber;
    const Stats got = observed<Everything>(isa, tokens);
    EXPECT_EQ(got.bad, 1U);
    EXPECT_TRUE(std::isnan(got.total(token_sum::gap)));
    EXPECT_TRUE(std::isinf(got.total(token_sum::k3)));
    EXPECT_TRUE(std::isinf(got.total(token_sum::gap_size)));
    EXPECT_NEAR(got.total(token_sum::tv_sampled), clean.total(token_sum::tv_sampled) + 1, 0.1);
    EXPECT_EQ(got.least, -infinity);
    EXPECT_EQ(got.greatest, infinity);
    EXPECT_EQ(got.least_at, 100U);
    EXPECT_EQ(got.ess(), 0);
    EXPECT_TRUE(std::isnan(got.pearson()));
    EXPECT_EQ((got.sketch.quantile({1, 1}).high), infinity);
  }
}

TEST(Tokens, WhatTheMaskTakesOutIsNotRead) {
  for (Masks masks : {Masks::Random, Masks::Runs}) {
    Tokens tokens = drawTokens(9, 3000, 0.1, masks);
    const Reference want = referenceOf(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!tokens.keeps(i)) {
        tokens.train[i] = i % 2 == 0 ? notANumber : 5e30F;
        tokens.infer[i] = i % 3 == 0 ? notANumber : -infinity;
      }
    }
    for (auto isa : machines()) {
      expectSame(observed<Everything>(isa, tokens), want);
    }
    tokens.mask.assign(tokens.size(), 0);
    for (auto isa : machines()) {
      const Stats none = observed<Everything>(isa, tokens);
      expectSame(none, Reference{});
      EXPECT_EQ(none.sketch.size(), 0U);
    }
  }
}

struct Bounds : plan_of_nothing {
  static constexpr std::array<float, 2> above{0.125F, 0.0F};
  static constexpr std::array<float, 2> below{-0.125F, 0.0F};
  static constexpr std::array<float, 2> beyond{0.125F, 0.0F};
};

TEST(Tokens, AValueAtTheBoundIsNotBeyondIt) {
  for (auto isa : machines()) {
    for (std::size_t repeat : {1U, 16U, 50U}) {
      Tokens tokens;
      for (std::size_t i = 0; i < repeat; ++i) {
        for (float x : {0.125F, std::nextafter(0.125F, 1.0F), -0.125F,
                        std::nextafter(-0.125F, -1.0F), 0.0F, -0.0F}) {
          tokens.train.push_back(std::min(x, 0.0F));
          tokens.infer.push_back(std::min(-x, 0.0F));
        }
      }
      const auto got = observed<Bounds>(isa, tokens);
      EXPECT_EQ(got.count, 6 * repeat);
      EXPECT_EQ(got.above[0], repeat);
      EXPECT_EQ(got.above[1], 2 * repeat);
      EXPECT_EQ(got.below[0], repeat);
      EXPECT_EQ(got.below[1], 2 * repeat);
      EXPECT_EQ(got.beyond[0], 2 * repeat);
      EXPECT_EQ(got.beyond[1], 4 * repeat);
    }
  }
}

template <std::uint32_t Wants>
void expectPart(detail::token_isa isa, const Tokens& tokens, const Stats& all) {
  const auto got = observed<Only<Wants>>(isa, tokens);
  EXPECT_EQ(got.count, all.count);
  for (std::size_t i = 0; i < plainSums; ++i) {
    const double value = all.sums[i].value();
    if (detail::wants_sum(Wants, static_cast<token_sum>(i))) {
      EXPECT_NEAR(got.sums[i].value(), value, 1e-6 * std::abs(value) + 1e-5) << Wants << " " << i;
    } else {
      EXPECT_EQ(got.sums[i].value(), 0) << Wants << " " << i;
    }
  }
  if ((Wants & token_want::pearson) != 0) {
    EXPECT_NEAR(got.pearson(), all.pearson(), 1e-7);
  }
  const bool ranges = (Wants & token_want::range) != 0;
  EXPECT_EQ(got.least, ranges ? all.least : infinity);
  EXPECT_EQ(got.greatest, ranges ? all.greatest : -infinity);
}

TEST(Tokens, EachWantAloneGivesTheSame) {
  Tokens tokens = drawTokens(21, 4321, 0.1, Masks::Random);
  tokens.infer[99] = tokens.train[99] - 21; // beyond the fast path
  for (auto isa : machines()) {
    const Stats all = observed<Everything>(isa, tokens);
    expectPart<0>(isa, tokens, all);
    expectPart<token_want::gap>(isa, tokens, all);
    expectPart<token_want::gap_size>(isa, tokens, all);
    expectPart<token_want::range>(isa, tokens, all);
    expectPart<token_want::tv_sampled>(isa, tokens, all);
    expectPart<token_want::tv_square>(isa, tokens, all);
    expectPart<token_want::k2>(isa, tokens, all);
    expectPart<token_want::k3>(isa, tokens, all);
    expectPart<token_want::mult_prob_error>(isa, tokens, all);
    expectPart<token_want::prob_gap>(isa, tokens, all);
    expectPart<token_want::prob_gap_square>(isa, tokens, all);
    expectPart<token_want::ratio>(isa, tokens, all);
    expectPart<token_want::logprobs>(isa, tokens, all);
    expectPart<token_want::pearson>(isa, tokens, all);
    const auto sketch = observed<Only<token_want::sketch>>(isa, tokens).sketch.whole();
    EXPECT_EQ(sketch.counts, all.sketch.whole().counts);
    EXPECT_EQ(sketch.tiny, all.sketch.whole().tiny);
  }
}

/// Two of three are no tokens: where a clause wants more, they rank below all sizes, and are shown
/// so.
TEST(Tokens, NoSizeIsShownAsTheWorstOnTheSideOfTheClause) {
  const float none = std::numeric_limits<float>::quiet_NaN();
  const float train[] = {none, -1, none}, infer[] = {-1, -2, -1};
  token_stats<Everything> stats;
  observe(stats, token_batch{train, infer, nullptr, 3});
  for (figure what : {figure::logprob_gap, figure::k2, figure::mult_prob_error}) {
    const signal size{source::tokens, what, 0, what == figure::logprob_gap, 0, 0};
    EXPECT_EQ(detail::quantile_of(size, stats, {1, 2}, nan_rank::lowest).high, -infinity);
    EXPECT_EQ(detail::quantile_of(size, stats, {1, 2}, nan_rank::highest).high, infinity);
  }
}

} // namespace
} // namespace tikc::tests::tokens
