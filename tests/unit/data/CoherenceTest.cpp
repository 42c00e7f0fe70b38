#include "data/inspect/Coherence.h"

#include "tikc/tokens.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tikc::data {
namespace {

constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

struct SketchedPlan {
  static constexpr std::uint32_t wants = token_want::sketch;
  static constexpr std::array<float, 0> above{};
  static constexpr std::array<float, 0> below{};
  static constexpr std::array<float, 0> beyond{};
};

struct LoggedTokens {
  std::vector<float> train, infer;
  std::vector<double> trainWritten;
  std::vector<std::uint8_t> mask;

  Response response() const {
    Response out;
    out.train = train;
    out.infer = infer;
    out.trainWritten = trainWritten;
    out.mask = mask;
    return out;
  }
  Coherence coherence() const {
    Coherence out;
    out.add(response());
    return out;
  }
};

/// Tokens of which E w is `mean`.
LoggedTokens loggedTokens(unsigned seed, std::size_t count, double mean) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> surprise(0.5);
  std::normal_distribution<double> drift(std::log(mean) - 0.02, 0.2);
  LoggedTokens out;
  for (std::size_t i = 0; i < count; ++i) {
    out.infer.push_back(static_cast<float>(-3 - surprise(random)));
    out.train.push_back(out.infer.back() + static_cast<float>(drift(random)));
    out.mask.push_back(i % 7 != 0);
  }
  return out;
}

TEST(CoherenceTest, IsWhatACheckerSaysOfTheSameTokens) {
  unsigned seed = 0;
  std::array<int, 3> seen{};
  for (const double mean : {0.9, 1.0, 1.02, 1.1, 1.5})
    for (const std::size_t count : {3U, 100U, 1'000U, 20'000U}) {
      LoggedTokens tokens = loggedTokens(++seed, count, mean);
      if (seed % 3 == 0)
        tokens.train[1] = -infinite;
      if (seed % 5 == 0)
        tokens.mask.clear();
      const Coherence coherence = tokens.coherence();
      token_stats<SketchedPlan> checker;
      observe(checker, token_batch{tokens.train.data(), tokens.infer.data(),
                                   tokens.mask.empty() ? nullptr : tokens.mask.data(), count});
      const signed_sketch sketch = checker.sketch.whole();
      EXPECT_EQ(coherence.tokens(), checker.count);
      EXPECT_EQ(coherence.judged(), coherence_verdict(mean_of_ratios(sketch, 0.01))) << seed;
      EXPECT_EQ(coherence.logEvidence(), coherence_evidence(sketch)) << seed;
      ++seen[static_cast<std::size_t>(coherence.judged())];
    }
  for (const int each : seen)
    EXPECT_GT(each, 0);
}

TEST(CoherenceTest, AddsUpExactlyInAnyPartsAndOrder) {
  Coherence whole, parts;
  for (unsigned i = 0; i < 40; ++i)
    whole.add(loggedTokens(i, 10 + 13 * i, 1.01).response());
  for (unsigned i = 40; i-- > 0;)
    parts.add(loggedTokens(i, 10 + 13 * i, 1.01).coherence());
  EXPECT_EQ(whole.tokens(), parts.tokens());
  EXPECT_EQ(whole.judged(), parts.judged());
  EXPECT_EQ(whole.logEvidence(), parts.logEvidence());
}

TEST(CoherenceTest, OfNoTokensItSaysNothing) {
  EXPECT_EQ(Coherence().judged(), verdict::undecided);
  EXPECT_NEAR(Coherence().logEvidence(), 0, 1e-12);
}

TEST(CoherenceTest, DoublesAreSubtractedBeforeTheyAreRounded) {
  LoggedTokens tokens;
  tokens.train.assign(1000, -10);
  tokens.infer.assign(1000, -10);
  EXPECT_LE(tokens.coherence().logEvidence(), 0);
  tokens.trainWritten.assign(1000, -10 + 1e-7);
  EXPECT_GT(tokens.coherence().logEvidence(), 1e-6);
}

TEST(CoherenceTest, ATokenWithoutALogProbDisprovesIt) {
  const auto judged = [](float train, float infer, std::uint8_t counts) {
    LoggedTokens tokens = loggedTokens(1, 10'000, 1);
    tokens.train[3] = train;
    tokens.infer[3] = infer;
    tokens.mask[3] = counts;
    return tokens.coherence();
  };
  EXPECT_EQ(judged(-1, -1, 1).judged(), verdict::satisfied);
  for (const auto& [train, infer] :
       {std::pair(noNumber, -1.0F), std::pair(-1.0F, noNumber), std::pair(infinite, -1.0F),
        std::pair(-1.0F, infinite), std::pair(-1.0F, -infinite), std::pair(-infinite, -infinite)}) {
    EXPECT_EQ(judged(train, infer, 1).judged(), verdict::violated) << train << ' ' << infer;
    EXPECT_EQ(judged(train, infer, 1).unknown(), 1U);
    EXPECT_EQ(judged(train, infer, 0).judged(), verdict::satisfied);
  }
  EXPECT_EQ(judged(-infinite, -1, 1).judged(), verdict::satisfied);
}

TEST(CoherenceTest, AResponseWithALogProbAbove0IsLeftOut) {
  LoggedTokens tokens = loggedTokens(1, 10'000, 1);
  tokens.train[3] = 1;
  EXPECT_EQ(tokens.coherence().impossible(), 1U);
  EXPECT_EQ(tokens.coherence().tokens(), 0U);
  tokens.mask[3] = 0;
  EXPECT_EQ(tokens.coherence().judged(), verdict::satisfied);
}

} // namespace
} // namespace tikc::data
