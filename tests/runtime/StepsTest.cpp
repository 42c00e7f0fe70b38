#include "tikc/checker.h"

#include <gtest/gtest.h>

#include <memory>

namespace tikc {
namespace {

constexpr check latency(estimator how, std::uint16_t keeper, std::uint16_t window) {
  return {"", how,   0,     {keeper},  {0, 1},     {{comparator::at_most, 1}},
          1,  0,     1,     0,         0,          window,
          3,  false, false, no_keeper, input::rows};
}

/// Latencies of at most a second: on average between two evaluations, of one step and of two, at
/// most in two steps, and as a slope over steps.
struct Plan {
  static constexpr std::size_t slices = 1, signals = 1;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {{1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = 0;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {
      {window_unit::stage, 1}, {window_unit::steps, 1}, {window_unit::steps, 2}};
  static constexpr check checks[] = {latency(estimator::mean, 0, 0), latency(estimator::mean, 0, 1),
                                     latency(estimator::mean, 0, 2),
                                     latency(estimator::largest, 1, 2),
                                     latency(estimator::slope, 0, 1)};
  static constexpr bool binds[5][slices] = {{true}, {true}, {true}, {true}, {true}};
  static constexpr clause clauses[] = {{"stage", "", 0, 1},
                                       {"step", "", 1, 1},
                                       {"two", "", 2, 1},
                                       {"most", "", 3, 1},
                                       {"slope", "", 4, 1}};
};
enum : std::size_t { stage, step, two, most, slope };

class Steps : public testing::Test {
protected:
  void observe(double latency) {
    request_times times;
    times.latency = latency;
    tally_->observe_request(0, times);
    checker_->merge(*tally_);
    tally_->clear();
  }
  void end(double latency) {
    observe(latency);
    checker_->end_step();
  }
  const finding& of(std::size_t check) const { return checker_->result(check, 0); }

  std::unique_ptr<tally<Plan>> tally_ = std::make_unique<tally<Plan>>();
  std::unique_ptr<checker<Plan>> checker_ = std::make_unique<checker<Plan>>();
};

TEST_F(Steps, AWindowEndsByItsMarksAndByNothingElse) {
  for (double now = 1; now < 1e9; now *= 10) {
    observe(0.5);
    checker_->evaluate(now);
    EXPECT_EQ(of(step).is, verdict::undecided);
  }
  end(0.5);
  EXPECT_EQ(of(step).is, verdict::satisfied);
  EXPECT_EQ(of(step).observations, 10U);
  EXPECT_EQ(of(two).is, verdict::undecided);
  end(0.25);
  EXPECT_EQ(of(step).observations, 1U);
  EXPECT_EQ(of(step).value, 0.25);
  EXPECT_EQ(of(two).is, verdict::satisfied);
  EXPECT_EQ(of(two).observations, 11U);
}

/// What is merged after a mark is of the next step, even before anybody looked.
TEST_F(Steps, AStepHoldsWhatWasMergedBeforeItsEnd) {
  end(0.5);
  observe(0.75);
  checker_->evaluate(1);
  EXPECT_EQ(of(step).value, 0.5);
  EXPECT_EQ(of(stage).observations, 2U);
  end(0.25);
  checker_->evaluate(2);
  EXPECT_EQ(of(step).value, 0.5); // of 0.75 and 0.25
  EXPECT_EQ(of(step).observations, 2U);
}

TEST_F(Steps, AViolationIsKeptUntilSomebodyLooked) {
  for (double latency : {0.5, 3.0, 0.25, 0.5})
    end(latency);
  EXPECT_EQ(of(step).is, verdict::violated);
  checker_->evaluate(1);
  EXPECT_EQ(checker_->of(step, 0), verdict::violated);
  EXPECT_EQ(of(step).value, 3);
  end(0.5);
  EXPECT_EQ(of(step).is, verdict::satisfied);
  checker_->evaluate(2);
  EXPECT_EQ(of(step).value, 0.5);
  // Of several the last, and of a step that brought nothing, that.
  for (double latency : {4.0, 5.0})
    end(latency);
  checker_->evaluate(3);
  EXPECT_EQ(of(step).value, 5);
  checker_->end_step();
  EXPECT_EQ(of(step).is, verdict::undecided);
  EXPECT_EQ(of(step).observations, 0U);
}

TEST_F(Steps, WhatNothingTakesBackIsSaidBeforeTheEnd) {
  end(3);
  EXPECT_EQ(of(most).is, verdict::undecided); // nobody looked
  checker_->evaluate(1);
  EXPECT_EQ(of(most).is, verdict::violated);
  EXPECT_EQ(of(two).is, verdict::undecided);
  end(0.5);
  checker_->evaluate(2);
  EXPECT_EQ(of(most).is, verdict::violated);
  EXPECT_EQ(of(two).is, verdict::violated);
  end(0.5);
  end(0.5);
  checker_->evaluate(3);
  EXPECT_EQ(of(most).is, verdict::satisfied);
}

TEST_F(Steps, TheClockThatStartsLateForgetsNoStep) {
  end(0.5);
  checker_->evaluate(1e6); // the clock starts here
  end(0.75);
  EXPECT_EQ(of(two).observations, 2U);
}

TEST_F(Steps, ASlopeIsOneOverSteps) {
  for (double latency : {1.0, 3.0, 5.0})
    end(latency);
  EXPECT_EQ(of(slope).value, 2);
  EXPECT_EQ(of(slope).is, verdict::violated);
}

/// Where no stage names a window, and no clause either, it is as long as its evaluations are apart.
TEST_F(Steps, WithoutAWindowEachEvaluationEndsOne) {
  observe(0.5);
  checker_->evaluate(1);
  EXPECT_EQ(of(stage).value, 0.5);
  observe(0.25);
  checker_->end_step();
  EXPECT_EQ(of(stage).value, 0.5);
  observe(0.75);
  checker_->evaluate(1e9);
  EXPECT_EQ(of(stage).value, 0.5); // of 0.25 and 0.75
  EXPECT_EQ(of(stage).observations, 2U);
  checker_->evaluate(1e9);
  EXPECT_EQ(of(stage).is, verdict::undecided);
}

} // namespace
} // namespace tikc
