#include "data/inspect/Signs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace tikc::data {
namespace {

struct Drawn {
  std::vector<float> train, infer;
  std::vector<std::uint8_t> mask;
  double step = 0, version = 0;

  Response response() const {
    Response out;
    out.train = train;
    out.infer = infer;
    out.mask = mask;
    out.step = step;
    out.version = version;
    return out;
  }
};

std::vector<Drawn> drawnResponses(unsigned seed, std::size_t count) {
  std::mt19937 random(seed);
  std::exponential_distribution<double> surprise(1);
  std::normal_distribution<double> noise(0, 0.1);
  std::uniform_int_distribution<std::size_t> length(1, 60);
  std::uniform_int_distribution<int> number(-40, 400);
  std::vector<Drawn> out(count);
  for (Drawn& each : out) {
    each.step = number(random);
    each.version = each.step - number(random) % 6;
    for (std::size_t left = length(random); left != 0; --left) {
      each.infer.push_back(static_cast<float>(-surprise(random)));
      each.train.push_back(each.infer.back() + static_cast<float>(noise(random)));
      each.mask.push_back(number(random) < 300 ? 1 : 0);
    }
  }
  return out;
}

Signs signsOf(const std::vector<Drawn>& responses, std::size_t begin, std::size_t end) {
  Signs out;
  for (std::size_t i = begin; i < end; ++i)
    out.add(responses[i].response());
  return out;
}

void expectAlike(const Drift& a, const Drift& b) {
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.responses, b.responses);
  std::vector<double> ofA, ofB;
  Drift::eachNumber([&](double each) { ofA.push_back(each); }, a);
  Drift::eachNumber([&](double each) { ofB.push_back(each); }, b);
  for (std::size_t i = 0; i < ofA.size(); ++i)
    EXPECT_NEAR(ofA[i], ofB[i], 1e-12 * (1 + std::abs(ofA[i]))) << i;
}

void expectAlike(const SteppedDrift& a, const SteppedDrift& b) {
  EXPECT_EQ(a.least(), b.least());
  EXPECT_EQ(a.greatest(), b.greatest());
  EXPECT_EQ(a.width(), b.width());
  for (std::size_t i = 0; i < SteppedDrift::most; ++i)
    expectAlike(a.bins()[i], b.bins()[i]);
}

TEST(SignsTest, AddUpInAnyPartsAndOrder) {
  const std::vector<Drawn> all = drawnResponses(1, 300);
  const Signs whole = signsOf(all, 0, all.size());
  Signs parts = signsOf(all, 200, 300), middle = signsOf(all, 50, 200);
  middle.add(signsOf(all, 0, 50));
  parts.add(middle);
  parts.add(Signs());
  expectAlike(parts.whole, whole.whole);
  expectAlike(parts.steps, whole.steps);
  expectAlike(parts.versions, whole.versions);
  for (std::size_t i = 0; i < Signs::lagBins; ++i)
    expectAlike(parts.lags[i], whole.lags[i]);
  for (std::size_t i = 0; i < Signs::positionBins; ++i)
    expectAlike(parts.positions[i], whole.positions[i]);
  expectAlike(parts.first, whole.first);
  for (std::size_t i = 0; i < Signs::lengthBins; ++i)
    expectAlike(parts.lengths[i], whole.lengths[i]);
  EXPECT_EQ(parts.tail.tokens, whole.tail.tokens);
  EXPECT_EQ(parts.kept.tokens, whole.kept.tokens);
  EXPECT_EQ(parts.masked, whole.masked);
  EXPECT_NEAR(parts.line.line().slope, whole.line.line().slope, 1e-12);
  EXPECT_NEAR(parts.products.errorOfGain(0), whole.products.errorOfGain(0), 1e-12);
}

TEST(SignsTest, EachTokenIsInOneBinOfEach) {
  const std::vector<Drawn> all = drawnResponses(2, 100);
  const Signs signs = signsOf(all, 0, all.size());
  auto total = [](const auto& bins) {
    return std::accumulate(bins.begin(), bins.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Drift& each) { return sum + each.tokens; });
  };
  EXPECT_EQ(total(signs.positions), signs.whole.tokens);
  EXPECT_EQ(total(signs.probabilities), signs.whole.tokens);
  EXPECT_EQ(total(signs.lags), signs.whole.tokens);
  EXPECT_EQ(total(signs.steps.bins()), signs.whole.tokens);
  EXPECT_EQ(signs.counted + signs.masked,
            std::accumulate(all.begin(), all.end(), std::uint64_t{0},
                            [](auto sum, const Drawn& each) { return sum + each.train.size(); }));
}

TEST(SignsTest, SomeOfALongPieceAreTheFirstAndThenOneOfSoMany) {
  Drawn drawn;
  drawn.train.assign(Signs::firstTokens / 16, -1);
  drawn.infer.assign(Signs::firstTokens / 16, -1);
  Signs signs;
  for (std::uint64_t i = 0; i < 16 + 2 * Signs::oneOf; ++i)
    signs.addSome(drawn.response());
  EXPECT_EQ(signs.responses, 18U);
  EXPECT_EQ(signs.responses + signs.passedOver, 16 + 2 * Signs::oneOf);
}

TEST(SignsTest, LengthsHaveTheFirstTokensOfResponsesThatHaveSoMany) {
  Signs signs;
  for (const std::size_t size : {31, 32, 63, 64, 5000}) {
    Drawn drawn;
    drawn.train.assign(size, -2);
    drawn.infer.assign(size, -1);
    drawn.mask.assign(size + 100, 0); // padding around what counts
    std::fill_n(drawn.mask.begin() + 50, size, 1);
    drawn.train.insert(drawn.train.begin(), 50, 0);
    drawn.infer.insert(drawn.infer.begin(), 50, 0);
    drawn.train.resize(size + 100);
    drawn.infer.resize(size + 100);
    signs.add(drawn.response());
  }
  std::vector<std::uint64_t> tokens, responses;
  for (const Drift& each : signs.lengths) {
    tokens.push_back(each.tokens);
    responses.push_back(each.responses);
  }
  std::vector<std::uint64_t> wanted(Signs::lengthBins);
  wanted[logBinOf(32)] = 2;
  wanted[logBinOf(64)] = 1;
  wanted[logBinOf(5000)] = 1;
  EXPECT_EQ(responses, wanted);
  for (std::uint64_t& each : wanted)
    each *= Signs::firstOfLength;
  EXPECT_EQ(tokens, wanted);
}

TEST(SignsTest, KeptMassIsTheSmallerRatioOfEachSide) {
  KeptMass kept;
  for (int i = 1; i <= 1000; ++i) { // w of 1/1000 to 1, and 1/w of 1/2
    kept.addToken(TokenDrift::of(std::log(i / 1000.0), -1));
    kept.addToken(TokenDrift::of(std::log(2.0), -1));
  }
  for (const double share : {0.01, 0.1, 0.3}) {
    EXPECT_NEAR(kept.exceededAtAllBut(share, 2000, KeptMass::server), 2 * share, 0.02);
    EXPECT_NEAR(kept.exceededAtAllBut(share, 2000, KeptMass::trainer), 0.5, 0.02);
  }
  EXPECT_EQ(kept.exceededAtAllBut(0.6, 2000, KeptMass::server), 1);
  KeptMass none;
  none.addToken(TokenDrift::of(0, -1));
  none.addToken(TokenDrift::of(-1e30, -1));
  none.addToken(TokenDrift::of(1e30, -1));
  EXPECT_EQ(none.tokens[KeptMass::server][0], 1U);
  EXPECT_EQ(none.tokens[KeptMass::trainer][0], 1U);
}

TEST(SignsTest, WhatIsNoNumberIsCountedAndNoMore) {
  Drawn drawn;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  drawn.train = {-1, infinity, -2, std::nanf(""), -3};
  drawn.infer = {-1, -1, -infinity, -1, -3};
  Signs signs;
  signs.add(drawn.response());
  EXPECT_EQ(signs.nonFinite, 3U);
  EXPECT_EQ(signs.whole.tokens, 2U);
  EXPECT_EQ(signs.equal, 2U);
  EXPECT_EQ(signs.products.pairs, 0U);
}

TEST(SignsTest, SumsOfTheLargestNumbersAreFinite) {
  Drawn drawn;
  for (int i = 0; i < 1000; ++i) {
    drawn.train.push_back(i % 2 == 0 ? 3e38F : -3e38F);
    drawn.infer.push_back(-3e38F);
  }
  Signs signs;
  signs.add(drawn.response());
  signs.add(signs);
  auto isFinite = [](double each) { EXPECT_TRUE(std::isfinite(each)); };
  Drift::eachNumber(isFinite, signs.whole);
  LineOfDrift::eachNumber(isFinite, signs.line);
  LagProducts::eachNumber(isFinite, signs.products);
}

TEST(SteppedDriftTest, HasTheLeastWidthThatHoldsAll) {
  Drift one;
  one.add(TokenDrift{0.5, 0.6, 0.5});
  SteppedDrift stepped;
  for (const double at : {-3.0, 60.5, 7.0})
    stepped.addResponse(at, one);
  EXPECT_EQ(stepped.width(), 1);
  EXPECT_EQ(stepped.beginOf(63), 60);
  EXPECT_EQ(stepped.bins()[63].responses, 1U);
  stepped.addResponse(61, one);
  EXPECT_EQ(stepped.width(), 2);
  EXPECT_EQ(stepped.beginOf(0), -4);
  stepped.addResponse(SteppedDrift::largest, one);
  stepped.addResponse(-SteppedDrift::largest, one);
  std::uint64_t sum = 0;
  for (const Drift& each : stepped.bins())
    sum += each.responses;
  EXPECT_EQ(sum, 6U);
  SteppedDrift again;
  EXPECT_TRUE(again.restore(stepped.least(), stepped.greatest(), stepped.bins()));
  expectAlike(again, stepped);
  EXPECT_FALSE(again.restore(1, 0, {}));
  EXPECT_FALSE(again.restore(0, 62, [&] {
    std::array<Drift, SteppedDrift::most> bins{};
    bins[63] = one;
    return bins;
  }()));
}

TEST(LineOfDriftTest, FindsALineAndHowFarOffItMayBe) {
  // Many times 40 responses along a line; the errors that are told are those that are made.
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  double square = 0, told = 0;
  constexpr int runs = 300;
  for (int run = 0; run < runs; ++run) {
    LineOfDrift all;
    for (int i = 0; i < 40; ++i) {
      LineOfDrift response;
      const double ofResponse = 0.3 * noise(random), tilt = 0.1 * noise(random);
      for (int j = 0; j < 20; ++j) {
        const double logQ = -std::abs(2 * noise(random));
        response.addToken(logQ, 0.2 + (0.1 + tilt) * logQ + ofResponse + 0.1 * noise(random));
      }
      all.addResponse(response);
    }
    const LineOfDrift::Line line = all.line();
    square += std::pow(line.slope - 0.1, 2) / runs;
    told += line.slopeError / runs;
  }
  EXPECT_NEAR(told, std::sqrt(square), 0.15 * told);
}

TEST(TailOfDriftTest, BinsAreQuartersOfOctaves) {
  EXPECT_EQ(TailOfDrift::binOf(0), 0U);
  EXPECT_EQ(TailOfDrift::binOf(1e300), TailOfDrift::bins - 1);
  for (std::size_t bin = 1; bin + 1 < TailOfDrift::bins; ++bin) {
    EXPECT_EQ(TailOfDrift::binOf(TailOfDrift::beginOf(bin) * 1.0001), bin);
    EXPECT_EQ(TailOfDrift::binOf(TailOfDrift::beginOf(bin) * 0.9999), bin - 1);
  }
}

} // namespace
} // namespace tikc::data
