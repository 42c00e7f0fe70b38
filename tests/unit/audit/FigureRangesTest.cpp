#include "trainers/BatchTally.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace tikc::trainers {
namespace {

/// Log-probs of few tokens, near one another or not at all.
std::vector<float> logProbs(std::mt19937& random, std::size_t size) {
  std::uniform_real_distribution<double> spread(-3, 1);
  std::exponential_distribution<double> surprise(std::pow(10, spread(random)));
  std::vector<float> out(size);
  for (float& each : out)
    each = -static_cast<float>(std::min(surprise(random), 15.0));
  return out;
}

/// What is said never to fire is so only where no batch leaves the range.
TEST(FigureRangesTest, NoBatchLeavesTheRangeOfAFigure) {
  std::mt19937 random(7);
  std::exponential_distribution<double> draw(0.5); // of rows
  std::size_t seen = 0;
  for (std::size_t trainer = 0; trainer < trainerRows().size(); ++trainer)
    for (double cap : {2.0, 3.0, 1.5})
      for (int round = 0; round < 60; ++round) {
        BatchTally tally(static_cast<Trainer>(trainer), cap);
        for (std::size_t responses = 1 + random() % 4; responses > 0; --responses) {
          const std::size_t size = 1 + random() % 5;
          tally.add(logProbs(random, size), logProbs(random, size), {});
          const double train = -draw(random), infer = -draw(random);
          tally.add({std::abs(infer - train), train, infer, random() % 2 == 0});
        }
        for (const TrainerFigure& figure : figuresOf(static_cast<Trainer>(trainer))) {
          const double value = tally.value(figure);
          if (std::isnan(value)) // a correlation of nothing that varies
            continue;
          const FigureRange range = figure.range(Rational(cap));
          const double slack = 1e-6 * (1 + std::abs(value));
          ++seen;
          EXPECT_GE(value, range.low ? range.low->get_d() - slack : value) << figure.name;
          EXPECT_LE(value, range.high ? range.high->get_d() + slack : value) << figure.name;
        }
      }
  EXPECT_GT(seen, 5000U);
}

/// A range that is too wide calls no dead gate dead: each end that is there is nearly reached.
TEST(FigureRangesTest, SpreadsReachHalfOfTheCap) {
  BatchTally tally(Trainer::Verl, 2.0);
  const std::vector<float> train{-10, 0}, infer{0, -10}; // weights of 0 and of the cap
  tally.add(train, infer, {});
  for (const TrainerFigure& figure : figuresOf(Trainer::Verl))
    if (figure.reduction == Reduction::Spread) {
      EXPECT_NEAR(tally.value(figure), figure.range(Rational(2)).high->get_d(), 1e-3);
    }
}

} // namespace
} // namespace tikc::trainers
