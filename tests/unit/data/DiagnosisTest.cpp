#include "data/inspect/Diagnosis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace tikc::data {
namespace {

/// Responses of 40 or 80 tokens whose x a function makes of log q and the place.
template <class Gap> Signs signsOf(std::size_t responses, Gap&& gap) {
  std::mt19937 random(5);
  std::exponential_distribution<double> surprise(1);
  Signs out;
  for (std::size_t i = 0; i < responses; ++i) {
    std::vector<float> train, infer;
    for (int at = 0; at < (i % 2 == 0 ? 40 : 80); ++at) {
      infer.push_back(static_cast<float>(-surprise(random)));
      train.push_back(infer.back() +
                      static_cast<float>(gap(random, static_cast<double>(infer.back()), at)));
    }
    Response response;
    response.train = train;
    response.infer = infer;
    response.step = static_cast<double>(i % 8);
    out.add(response);
  }
  return out;
}

double rounding(std::mt19937& random, double logQ) {
  return std::normal_distribution<double>(0, 0.015)(random) * (1 - std::exp(logQ));
}

const CauseFinding& of(const Diagnosis& diagnosis, CauseId cause) {
  return *std::find_if(diagnosis.causes.begin(), diagnosis.causes.end(),
                       [&](const CauseFinding& each) { return each.cause == cause; });
}

TEST(DiagnosisTest, OfNothingAndOfLittleIsUndecided) {
  const auto nothing = Diagnosis::of(Signs());
  EXPECT_EQ(nothing.state, DiagnosisState::undecided);
  EXPECT_EQ(nothing.outcome(), "undecided");
  EXPECT_EQ(nothing.causes.size(), 12U);
  const auto little = Diagnosis::of(signsOf(49, [](auto&, double, int) { return 1.0; }));
  EXPECT_EQ(little.state, DiagnosisState::undecided);
  for (const CauseFinding& each : little.causes)
    EXPECT_EQ(each.state, CauseState::undecided);
}

TEST(DiagnosisTest, OfRoundingIsNone) {
  const auto diagnosis =
      Diagnosis::of(signsOf(200, [](auto& random, double q, int) { return rounding(random, q); }));
  EXPECT_EQ(diagnosis.outcome(), "no known cause stands out");
  for (const CauseFinding& each : diagnosis.causes)
    EXPECT_EQ(each.state, CauseState::unseen) << rowOf(each.cause).key;
}

TEST(DiagnosisTest, EqualSidesAreToldAsDeterministic) {
  const auto diagnosis = Diagnosis::of(signsOf(200, [](auto&, double, int) { return 0.0; }));
  EXPECT_EQ(diagnosis.state, DiagnosisState::none);
  ASSERT_EQ(diagnosis.notes.size(), 1U);
  EXPECT_NE(diagnosis.notes[0].find("deterministic"), std::string::npos);
}

TEST(DiagnosisTest, WeightsOfWholeResponsesHaveAHorizon) {
  const auto notesOf = [](double scale) {
    std::string out;
    for (const std::string& note : Diagnosis::of(signsOf(200, [&](auto&random, double, int) {
                                     return std::normal_distribution<double>(-scale * scale / 2,
                                                                             scale)(random);
                                   })).notes)
      out += note + "\n";
    return out;
  };
  EXPECT_EQ(notesOf(0.1), "");
  // χ² is exp(0.25) - 1 = 0.28 per token, and log(20)/0.28 tokens are 10.6.
  EXPECT_NE(
      notesOf(0.5).find("cannot be averaged: the mean of (w - 1)² is 0.28 per token, so beyond "
                        "about 10 tokens fewer than 10 of the 200 responses would count; "
                        "responses have 60 tokens on average"),
      std::string::npos)
      << notesOf(0.5);
}

TEST(DiagnosisTest, FiguresHaveThePlacesOfTheirErrors) {
  const auto textOf = [](double value, double error) {
    return SignFigure{"key", "it", value, error}.text();
  };
  EXPECT_EQ(textOf(0.1604, 0.0041), "it: 0.160 ± 0.004");
  EXPECT_EQ(textOf(17.9, 12), "it: 18 ± 12");
  EXPECT_EQ(textOf(0.25, 0), "it: 0.25");
  EXPECT_EQ(textOf(1e300, 1), "it: 1e+300 ± 1");
  EXPECT_EQ(textOf(1, std::numeric_limits<double>::infinity()), "it: 1 ± inf");
  EXPECT_EQ(textOf(1e-12, 1e-13), "it: 1e-12 ± 1e-13");
}

TEST(DiagnosisTest, NumbersAboveZeroAreNoLogProbs) {
  const auto diagnosis = Diagnosis::of(signsOf(200, [](auto&, double q, int) { return -2 * q; }));
  EXPECT_EQ(diagnosis.outcome(), "consistent with numbers that are not log-probs");
  const CauseFinding& scale = of(diagnosis, CauseId::Probabilities);
  EXPECT_NEAR(scale.figures.at(0).value, 1, 0.05);
  EXPECT_NEAR(scale.figures.at(1).value, -1, 0.05);
}

TEST(DiagnosisTest, WhatAnEarlierCauseHasAsWellIsAnEcho) {
  // A temperature alone is far above what rounding leaves.
  const auto diagnosis = Diagnosis::of(signsOf(
      200, [](auto& random, double q, int) { return 0.1 * (q + 1) + rounding(random, q); }));
  EXPECT_EQ(of(diagnosis, CauseId::Temperature).state, CauseState::named);
  EXPECT_EQ(of(diagnosis, CauseId::Quantisation).state, CauseState::echoed);
  EXPECT_EQ(diagnosis.outcome(), "consistent with a temperature on one side");
}

TEST(DiagnosisTest, WhatMayBeChanceSaysHowMuchMoreItTakes) {
  // A level above the floor by less than its errors.
  const auto diagnosis = Diagnosis::of(signsOf(60, [](auto& random, double, int at) {
    return at == 0 && std::uniform_real_distribution<double>(0, 1)(random) < 0.2 ? 4.1 : 0.0;
  }));
  const CauseFinding& level = of(diagnosis, CauseId::Quantisation);
  EXPECT_NE(level.state, CauseState::named);
  EXPECT_NE(diagnosis.state, DiagnosisState::none);
}

TEST(DiagnosisTest, AnyNumbersHaveOne) {
  // As evidence of strangers may have them: sums that no responses make.
  std::mt19937 random(6);
  std::uniform_int_distribution<int> pick(0, 5);
  auto any = [&](double& each) {
    constexpr double values[] = {0, -1e300, 1e300, 1, -1e-300, 5e307};
    each = values[pick(random)];
  };
  auto anyCount = [&] {
    constexpr std::uint64_t values[] = {0, 1, 60, 5000, std::uint64_t{1} << 52, 2};
    return values[pick(random)];
  };
  auto anyDrift = [&](Drift& each) {
    each.tokens = anyCount();
    each.responses = anyCount();
    Drift::eachNumber(any, each);
  };
  for (int round = 0; round < 500; ++round) {
    Signs signs = signsOf(2, [](auto&, double, int) { return 0.1; });
    for (Drift* each : {&signs.whole, &signs.first, &signs.last, &signs.undrawn})
      anyDrift(*each);
    for (std::size_t i = 0; i < Signs::positionBins; i += 7)
      anyDrift(signs.positions[i]);
    for (Drift& each : signs.lags)
      anyDrift(each);
    signs.products.pairs = anyCount();
    LagProducts::eachNumber(any, signs.products);
    LineOfDrift::eachNumber(any, signs.line);
    for (std::uint64_t& each : signs.tail.tokens)
      each = anyCount();
    for (double& each : signs.tail.square)
      any(each);
    Signs more = signs;
    more.add(signs);
    for (const CauseFinding& each : Diagnosis::of(more).causes)
      for (const SignFigure& figure : each.figures)
        EXPECT_FALSE(figure.text().empty());
  }
}

} // namespace
} // namespace tikc::data
