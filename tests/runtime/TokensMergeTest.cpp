#include "runtime/TokensReference.h"

namespace tikc::tests::tokens {
namespace {

void expectEqualEnough(const Stats& a, const Stats& b, double tolerance) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.bad, b.bad);
  EXPECT_EQ(a.above, b.above);
  EXPECT_EQ(a.below, b.below);
  EXPECT_EQ(a.beyond, b.beyond);
  EXPECT_EQ(a.least, b.least);
  EXPECT_EQ(a.least_at, b.least_at);
  EXPECT_EQ(a.greatest, b.greatest);
  EXPECT_EQ(a.greatest_at, b.greatest_at);
  EXPECT_EQ(a.sketch.whole().counts, b.sketch.whole().counts);
  EXPECT_EQ(a.sketch.whole().tiny, b.sketch.whole().tiny);
  const double scale = static_cast<double>(a.count);
  for (std::size_t i = 0; i < plainSums; ++i) {
    const double value = a.sums[i].value();
    EXPECT_NEAR(value, b.sums[i].value(), tolerance * (std::abs(value) + scale)) << i;
  }
  EXPECT_NEAR(a.pearson(), b.pearson(), tolerance * 10);
}

TEST(Tokens, MergesInAnyOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Tokens tokens[3];
    Stats stats[3];
    for (unsigned i = 0; i < 3; ++i) {
      // Different surprises give different centres.
      tokens[i] = drawTokens(seed * 3 + i, 50 + 400 * i, 0.1);
      for (float& log : tokens[i].infer) {
        log = log * (static_cast<float>(i) + 0.1F) - 0.06F;
      }
      for (std::size_t j = 0; j < tokens[i].size(); ++j) {
        tokens[i].train[j] = tokens[i].infer[j] + static_cast<float>(j % 7) * 0.01F;
      }
      token_batch batch = tokens[i].batch();
      batch.first = 1000 * i;
      observe(stats[i], batch);
    }
    const auto merged = [](Stats left, const Stats& right) {
      left.merge(right);
      return left;
    };
    const Stats forth = merged(merged(stats[0], stats[1]), stats[2]);
    expectEqualEnough(forth, merged(stats[0], merged(stats[1], stats[2])), 1e-13);
    expectEqualEnough(forth, merged(merged(stats[2], stats[0]), stats[1]), 1e-13);
    expectEqualEnough(forth, merged(Stats{}, merged(forth, Stats{})), 0);

    Tokens whole;
    for (const Tokens& part : tokens) {
      whole.train.insert(whole.train.end(), part.train.begin(), part.train.end());
      whole.infer.insert(whole.infer.end(), part.infer.begin(), part.infer.end());
    }
    const double r = forth.pearson();
    const auto unexplained = static_cast<double>(referenceOf(whole).unexplained());
    EXPECT_NEAR((1 - r * r) / unexplained, 1, 1e-4);
  }
}

TEST(Tokens, ManyTokensMayFallIntoOneBucket) {
  Tokens tokens = drawTokens(5, 150'000, 0.02, Masks::Random);
  for (std::size_t i = 0; i < tokens.size(); i += i % 3 == 0 ? 1 : 2) {
    tokens.train[i] = -1;
    tokens.infer[i] = -1.125F;
  }
  const Reference want = referenceOf(tokens);
  for (auto isa : machines()) {
    SCOPED_TRACE(nameOf(isa));
    const Stats whole = observed<Everything>(isa, tokens);
    expectSameCounts(whole, want);
    Stats parts;
    for (std::size_t from = 0; from < tokens.size(); from += 50'000) {
      Stats part;
      detail::observe_with<Everything>(isa, part, tokens.part(from, 50'000), nullptr);
      parts.merge(part);
    }
    expectSameCounts(parts, want);
  }
}

TEST(Tokens, BatchesMayBeCutAnywhere) {
  const Tokens tokens = drawTokens(4, 10000, 0.3, Masks::Runs);
  for (auto isa : machines()) {
    const Stats once = observed<Everything>(isa, tokens);
    std::mt19937_64 random(1);
    Stats parts;
    for (std::size_t from = 0; from < tokens.size();) {
      const std::size_t size = std::min<std::size_t>(random() % 700, tokens.size() - from);
      detail::observe_with<Everything>(isa, parts, tokens.part(from, size), nullptr);
      from += size;
    }
    expectEqualEnough(once, parts, 1e-6);
  }
}

TEST(Tokens, MachinesAgree) {
  const Tokens tokens = drawTokens(8, 100000, 0.05, Masks::Random);
  const Stats first = observed<Everything>(detail::token_isa::portable, tokens);
  for (auto isa : machines()) {
    expectEqualEnough(first, observed<Everything>(isa, tokens), 1e-6);
  }
}

TEST(Tokens, AConstantStreamDoesNotDrift) {
  // Equal addends round the same way every time: the worst case of sums in fp32.
  Tokens tokens;
  tokens.train.assign(100000, -0.7F);
  tokens.infer.assign(100000, -0.7371F);
  const Reference want = referenceOf(tokens);
  for (auto isa : machines()) {
    const Stats got = observed<Everything>(isa, tokens);
    for (std::size_t i = 0; i < plainSums; ++i) {
      const auto value = static_cast<double>(want.sums[i]);
      EXPECT_NEAR(got.sums[i].value(), value, token_sum_error * std::abs(value))
          << nameOf(isa) << " " << i;
    }
  }
}

TEST(TokenSequence, MultipliesRatios) {
  for (double drift : {1e-5, 0.01, 0.5}) {
    const Tokens tokens = drawTokens(31, 2500, drift, Masks::Runs);
    const Reference want = referenceOf(tokens);
    const auto log = static_cast<double>(want.sums[0]);
    for (auto isa : machines()) {
      sequence response;
      const Stats stats = observed<Everything>(isa, tokens, &response);
      const double error = 1e-6 * static_cast<double>(want.sizes[0]);
      EXPECT_EQ(response.tokens, want.count);
      EXPECT_EQ(response.least, want.least);
      EXPECT_NEAR(response.seq_log_ratio(), log, error);
      EXPECT_NEAR(response.seq_geo_ratio(), std::exp(log / static_cast<double>(want.count)), error);
      EXPECT_NEAR(response.seq_tv(), std::max(0.0, -std::expm1(log)), error);
      EXPECT_EQ(stats.count, want.count);
    }
  }
}

TEST(TokenSequence, IsTheWorstIfATokenIsBad) {
  Tokens tokens = drawTokens(32, 300, 0.01);
  tokens.infer[7] = notANumber;
  for (auto isa : machines()) {
    sequence response;
    observed<Everything>(isa, tokens, &response);
    EXPECT_TRUE(std::isnan(response.seq_log_ratio()));
    EXPECT_EQ(response.seq_tv(), 1);
    EXPECT_EQ(response.least, -infinity);
    EXPECT_EQ(response.tokens, 300U);
  }
}

TEST(TokenSequence, OfImpossibleTokensHasRatioZero) {
  Tokens tokens = drawTokens(33, 300, 0.01);
  tokens.train[7] = -infinity;
  sequence response;
  Stats stats;
  observe(stats, tokens.batch(), response);
  EXPECT_EQ(response.seq_tv(), 1);
  EXPECT_EQ(response.seq_geo_ratio(), 0);
  EXPECT_EQ(sequence{}.seq_geo_ratio(), 1);
  EXPECT_EQ(sequence{}.seq_tv(), 0);
}

TEST(SlicedTokens, AreWhatEachSliceWouldSeeAlone) {
  auto scratch = std::make_unique<token_scratch>();
  for (std::size_t slices : {1U, 2U, 16U, 256U}) {
    for (Masks masks : {Masks::None, Masks::Random}) {
      Tokens tokens = drawTokens(static_cast<unsigned>(slices), 40000, 0.2, masks);
      tokens.train[123] = notANumber;
      std::mt19937_64 random(slices);
      std::vector<std::uint8_t> slice;
      std::vector<Reference> want(slices);
      std::uint64_t strays = 0;
      for (std::size_t i = 0; i < tokens.size(); ++i) {
        // Some ids are past the last slice, unless there are as many slices as ids.
        slice.push_back(static_cast<std::uint8_t>(
            random() % std::min<std::size_t>(256, slices + slices / 16 + 1)));
        if (!tokens.keeps(i)) {
          continue;
        }
        if (slice[i] >= slices) {
          ++strays;
        } else {
          want[slice[i]].add(tokens.train[i], tokens.infer[i], i);
        }
      }
      for (auto isa : machines()) {
        std::vector<Stats> got(slices);
        EXPECT_EQ(detail::observe_sliced_with<Everything>(isa, got.data(), slices, tokens.batch(),
                                                          slice.data(), *scratch),
                  strays);
        for (std::size_t s = 0; s < slices; ++s) {
          SCOPED_TRACE(testing::Message() << nameOf(isa) << " slice " << s << " of " << slices);
          expectSame(got[s], want[s]);
        }
      }
    }
  }
}

TEST(SlicedTokens, SlicesMergeToTheWhole) {
  const Tokens tokens = drawTokens(50, 30000, 0.1);
  auto scratch = std::make_unique<token_scratch>();
  std::vector<std::uint8_t> slice(tokens.size());
  for (std::size_t i = 0; i < slice.size(); ++i) {
    slice[i] = static_cast<std::uint8_t>(i % 10);
  }
  std::vector<Stats> parts(10);
  EXPECT_EQ(observe_sliced(parts.data(), 10, tokens.batch(), slice.data(), *scratch), 0U);
  Stats merged;
  for (const Stats& part : parts) {
    merged.merge(part);
  }
  expectEqualEnough(merged, observed<Everything>(detail::best_token_isa(), tokens), 1e-6);
}

} // namespace
} // namespace tikc::tests::tokens
