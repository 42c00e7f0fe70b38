#include "tikc/checker.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace tikc {
namespace {

constexpr check mean(const char* text, std::uint16_t signal, std::uint16_t total) {
  return {text,       estimator::mean,
          signal,     {total},
          {0, 1},     {{comparator::at_most, 1}},
          1,          0,
          1,          0,
          0,          0,
          0,          false,
          false,      static_cast<std::uint16_t>(total + 1),
          input::rows};
}
constexpr check counted(const char* text, std::uint16_t keeper, comparator than) {
  return {text,       estimator::nonzero,
          0,          {keeper},
          {0, 1},     {{than, 1}},
          1,          0,
          1,          0,
          0,          0,
          0,          false,
          false,      no_keeper,
          input::rows};
}
constexpr check sampled(const char* text, input of, double rate) {
  return {text,   estimator::sampled,
          0,      {},
          {0, 1}, {{comparator::at_least, rate}},
          1,      0,
          1,      0,
          0,      0,
          0,      false,
          false,  no_keeper,
          of};
}

/// Two clauses that say which observations stand out, three about what is served, and two that
/// count.
struct Plan {
  static constexpr std::size_t slices = 2, signals = 2;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {{1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0},
                                            {source::tokens, figure::logprob_gap, 0, true, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::tokens, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::nonzero, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::cell, fold::nonzero, comparator::at_most, false, 0, 1, -1, -1, -1},
      {0, reading::cell, fold::share, comparator::above, true, 2, 2, -1, -1, -1},
      {0, reading::cell, fold::share, comparator::above, false, 2, 3, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants =
        token_want::gap_size | token_want::range | token_want::places;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};

  static constexpr check checks[] = {mean("mean(latency) <= 1 s", 0, 0),
                                     mean("mean(abs(logprob_gap)) <= 1", 1, 2),
                                     sampled("sample(requests, 10%)", input::requests, 0.1),
                                     sampled("sample(logprobs, 100%)", input::tokens, 1),
                                     sampled("replay(batch, 1%)", input::batch_replays, 0.01),
                                     counted("count(latency) <= 1", 4, comparator::at_most),
                                     counted("count(latency) >= 1", 5, comparator::at_least),
                                     counted("count(latency > 2 s) <= 1", 6, comparator::at_most),
                                     counted("count(latency > 2 s) >= 1", 7, comparator::at_least)};
  static constexpr bool binds[9][slices] = {{true, true}, {true, true}, {true, true},
                                            {true, true}, {true, true}, {true, true},
                                            {true, true}, {true, true}, {true, true}};
  static constexpr clause clauses[] = {
      {"latency", "", 0, 1}, {"gap", "", 1, 1},      {"requests", "", 2, 1},
      {"tokens", "", 3, 1},  {"replays", "", 4, 1},  {"few", "", 5, 1},
      {"some", "", 6, 1},    {"few_slow", "", 7, 1}, {"some_slow", "", 8, 1}};
};

class Judge : public testing::Test {
protected:
  void request(double latency, std::uint64_t id) {
    request_times times;
    times.latency = latency;
    tally_->observe_request(0, times, id);
  }
  const finding& finds(std::size_t check) {
    checker_->merge(*tally_);
    checker_->evaluate(++now_);
    tally_->clear();
    return checker_->result(check, 0);
  }

  std::unique_ptr<tally<Plan>> tally_ = std::make_unique<tally<Plan>>();
  std::unique_ptr<checker<Plan>> checker_ = std::make_unique<checker<Plan>>();
  double now_ = 0;
};

TEST_F(Judge, AMeanTellsWhichObservationsStandOut) {
  const double latencies[] = {0.5, 9, 0.25, 7, 8, 0.5, 6};
  for (std::uint64_t i = 0; i < 7; ++i)
    request(latencies[i], 100 + i);
  const finding found = finds(0);
  EXPECT_EQ(found.is, verdict::violated);
  std::vector<std::pair<double, std::uint64_t>> worst;
  for (const offender& each : found.worst)
    worst.emplace_back(each.value, each.id);
  EXPECT_EQ(worst, (std::vector<std::pair<double, std::uint64_t>>{
                       {9, 101}, {8, 104}, {7, 103}, {6, 106}}));
}

TEST_F(Judge, TheWorstTokenIsTheFarthestOnEitherSide) {
  const float train[] = {-1, -1, -4, -1}, infer[] = {-1, -2, -1, -1};
  tally_->observe_tokens(0, {train, infer, nullptr, 4, 50});
  const finding found = finds(1);
  EXPECT_EQ(found.is, verdict::satisfied);
  ASSERT_EQ(found.worst.count, 1U);
  EXPECT_EQ(found.worst.each[0].id, 52U);
  EXPECT_FLOAT_EQ(static_cast<float>(found.worst.each[0].value), 3);
}

TEST_F(Judge, NothingStandsOutOfNothing) {
  EXPECT_EQ(finds(0).worst.count, 0U);
  EXPECT_EQ(finds(1).worst.count, 0U);
}

TEST_F(Judge, NothingServedDecidesNothing) {
  request(0.5, 1);
  EXPECT_EQ(finds(2).is, verdict::undecided);
  EXPECT_EQ(finds(2).observations, 0U);
  EXPECT_EQ(checker_->of(2, 0), verdict::undecided);
}

TEST_F(Judge, AShareThatChanceExplainsIsNotShort) {
  // Of a thousand 10%: 85 are likely enough, 60 are not.
  auto observed = [&](int requests) {
    tally_->serve(0, 0, 1000);
    for (int i = 0; i < requests; ++i)
      request(0.5, 1);
    return finds(2);
  };
  EXPECT_EQ(observed(100).is, verdict::satisfied);
  EXPECT_EQ(observed(85).is, verdict::satisfied);
  EXPECT_EQ(observed(60).is, verdict::violated);
  EXPECT_EQ(observed(60).value, 0.06);
  EXPECT_EQ(observed(0).is, verdict::violated);
  EXPECT_EQ(observed(0).observations, 1000U);
}

TEST_F(Judge, ACountOfWhatWasServedStaysAtTheMostThereIs) {
  constexpr std::uint64_t most = ~std::uint64_t{0};
  tally_->serve(0, most - 5, most);
  tally_->serve(0, 7, 2);
  EXPECT_EQ(tally_->observed(0).served_tokens, most);
  EXPECT_EQ(tally_->observed(0).served_requests, most);
  tally<Plan> other;
  other.serve(0, 100, 100);
  tally_->merge(other);
  EXPECT_EQ(tally_->observed(0).served_requests, most);
  request(0.5, 1);
  EXPECT_EQ(finds(2).is, verdict::violated);
}

TEST_F(Judge, OfEverythingNothingIsMissing) {
  const std::vector<float> logprobs(100000, -1.0F);
  auto observed = [&](std::size_t tokens) {
    tally_->serve(0, logprobs.size());
    tally_->observe_tokens(0, {logprobs.data(), logprobs.data(), nullptr, tokens, 0});
    return finds(3).is;
  };
  EXPECT_EQ(observed(logprobs.size()), verdict::satisfied);
  EXPECT_EQ(observed(logprobs.size() - 1), verdict::violated);
}

TEST_F(Judge, WhatIsNoNumberCountsAgainstTheClause) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (double latency : {3.0, 0.0, nan, nan})
    request(latency, 1);
  finds(5);
  for (std::size_t most : {5U, 7U})
    EXPECT_EQ(checker_->result(most, 0).value, 3) << most;
  for (std::size_t least : {6U, 8U})
    EXPECT_EQ(checker_->result(least, 0).value, 1) << least;
}

TEST_F(Judge, WhatCannotBeIsNoNumber) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (double latency : {-5.0, -1e-9, inf, -inf}) {
    for (int i = 0; i < 1000; ++i)
      request(0.5, 1);
    request(latency, 7);
    const finding found = finds(0);
    EXPECT_EQ(found.is, verdict::violated) << latency;
    EXPECT_EQ(found.observations, 1001U);
    EXPECT_EQ(found.worst.each[0].id, 7U) << latency;
    EXPECT_EQ(found.worst.each[0].value, inf) << latency;
  }
  request(request_times::absent, 1);
  EXPECT_EQ(finds(0).is, verdict::undecided);
}

TEST_F(Judge, ReplaysAreOfRequests) {
  tally_->serve(0, 1000000, 200);
  tally_->observe_request_replay(0, 0); // of another kind
  EXPECT_EQ(finds(4).value, 0);
  tally_->serve(0, 1000000, 200);
  for (int i = 0; i < 4; ++i)
    tally_->observe_batch_replay(0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(finds(4).is, verdict::satisfied);
  EXPECT_EQ(checker_->result(4, 0).value, 0.02);
}

constexpr check over_tokens(std::uint16_t link) {
  check out = mean("mean(abs(logprob_gap)) <= 1 over 4 tokens", link, link);
  out.window = 1;
  out.worst = no_keeper;
  return out;
}

/// A chain whose clauses are about its inner links, one of which is also measured on text; nothing
/// asks of its ends.
struct Chain {
  static constexpr std::size_t slices = 1, signals = 3;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {
      {1, 1, 0},
      {1, 1, 0},
      {1, 1, 0},
      {1, 1, 0, mask_rule::strict, {}, false},
  };
  static constexpr signal signal_table[] = {{source::tokens, figure::logprob_gap, 1, true, 0, 0},
                                            {source::tokens, figure::logprob_gap, 2, true, 0, 0},
                                            {source::tokens, figure::logprob_gap, 3, true, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {2, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = token_want::gap_size;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}, {window_unit::tokens, 4}};
  static constexpr check checks[] = {over_tokens(0), over_tokens(1), over_tokens(2),
                                     sampled("sample(logprobs, 100%)", input::tokens, 1)};
  static constexpr bool binds[4][slices] = {{true}, {true}, {true}, {true}};
  static constexpr clause clauses[] = {
      {"near", "", 0, 1}, {"far", "", 1, 1}, {"text", "", 2, 1}, {"tokens", "", 3, 1}};
};

class Links : public testing::Test {
protected:
  template <std::size_t Stream> void observe(std::size_t tokens) {
    const std::vector<float> train(tokens, -1), infer(tokens, -1.5F);
    tally_->observe_tokens<Stream>(0, {train.data(), infer.data(), nullptr, tokens, 0});
  }
  void evaluate() {
    checker_->merge(*tally_);
    checker_->evaluate(++now_);
  }
  verdict of(std::size_t clause) const { return checker_->of(clause, 0); }

  std::unique_ptr<tally<Chain>> tally_ = std::make_unique<tally<Chain>>();
  std::unique_ptr<checker<Chain>> checker_ = std::make_unique<checker<Chain>>();
  double now_ = 0;
};

TEST_F(Links, AWindowEndsWhenAnyLinkWasShownItsTokens) {
  observe<1>(3);
  observe<2>(3); // the same again: no more tokens than before
  evaluate();
  EXPECT_EQ(of(0), verdict::undecided);
  tally_->clear();
  observe<2>(1);
  evaluate();
  EXPECT_EQ(of(0), verdict::satisfied);
  EXPECT_EQ(checker_->result(0, 0).observations, 3U);
  EXPECT_EQ(of(1), verdict::satisfied);
}

TEST_F(Links, WhatTheServerDidNotDrawIsNoTraffic) {
  observe<3>(9);
  evaluate();
  EXPECT_EQ(of(2), verdict::undecided);
  EXPECT_EQ(tally_->observed(0).tokens(), 0U);
}

TEST_F(Links, TheLinkThatIsShownTheLeastSaysWhatWasSampled) {
  tally_->serve(0, 4);
  observe<1>(4);
  observe<2>(3);
  evaluate();
  EXPECT_EQ(of(3), verdict::violated);
  EXPECT_DOUBLE_EQ(checker_->result(3, 0).value, 0.75);
  tally_->clear();
  tally_->serve(0, 4);
  observe<1>(4); // and nothing of the ends, which no clause is about
  observe<2>(4);
  evaluate();
  EXPECT_EQ(of(3), verdict::satisfied);
}

constexpr check with_squares(std::uint16_t squares) {
  check out = mean("mean(tv_sampled) <= 3% with confidence 99%", 0, 0);
  out.limits[0].bound = 0.03;
  out.alpha = 0.01;
  out.high = 1;
  out.worst = no_keeper;
  out.squares = squares;
  return out;
}

/// A mean of tokens by an interval, without and with their squares.
struct Spread {
  static constexpr std::size_t slices = 1, signals = 1;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {{1, 1, 0}};
  static constexpr signal signal_table[] = {{source::tokens, figure::tv_sampled, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::tokens, fold::squares, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = token_want::tv_sampled | token_want::tv_square;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};
  static constexpr check checks[] = {with_squares(no_keeper), with_squares(1)};
  static constexpr bool binds[2][slices] = {{true}, {true}};
  static constexpr clause clauses[] = {{"without", "", 0, 1}, {"with", "", 1, 1}};
};

class Spreads : public testing::Test {
protected:
  /// Shifts every second token by `drift`; the first `unknown` tokens are NaN.
  void observe(std::size_t tokens, float drift, std::size_t unknown = 0) {
    std::vector<float> infer(tokens, -1), train(tokens, -1);
    for (std::size_t i = 0; i < tokens; i += 2)
      train[i] -= drift;
    for (std::size_t i = 0; i < unknown; ++i)
      train[i] = std::numeric_limits<float>::quiet_NaN();
    auto observed = std::make_unique<tally<Spread>>();
    observed->observe_tokens<0>(0, {train.data(), infer.data(), nullptr, tokens, 0});
    checker_->merge(*observed);
    checker_->evaluate(1);
  }
  const finding& of(std::size_t check) const { return checker_->result(check, 0); }

  std::unique_ptr<checker<Spread>> checker_ = std::make_unique<checker<Spread>>();
};

TEST_F(Spreads, NarrowTheIntervalOfAMean) {
  observe(10'000, 0.04F);
  const double value = -std::expm1(-0.04) / 2;
  for (std::size_t i : {0, 1}) {
    EXPECT_NEAR(of(i).value, value, 1e-6);
    EXPECT_LT(of(i).low, value);
    EXPECT_GT(of(i).high, value);
  }
  EXPECT_FALSE(of(0).about);
  ASSERT_TRUE(of(1).about);
  EXPECT_EQ(of(1).about->centre, 0.03);
  const double squares = 5'000 * (std::pow(2 * value - 0.03, 2) + 0.03 * 0.03);
  EXPECT_GE(of(1).about->squares, squares * (1 - 1e-9));
  EXPECT_LE(of(1).about->squares, squares * (1 + 1e-4));
  EXPECT_LT(of(1).high - of(1).low, (of(0).high - of(0).low) / 3);
  EXPECT_EQ(of(1).is, verdict::satisfied);
}

TEST_F(Spreads, TakeWhatIsNoNumberForTheWorst) {
  observe(10'000, 0.0F, 200); // anything from 0 to 2%
  EXPECT_NEAR(of(1).value, 0.02, 1e-6);
  EXPECT_LT(of(1).low, 1e-9);
  EXPECT_GT(of(1).high, 0.0225);
  ASSERT_TRUE(of(1).about);
  EXPECT_GE(of(1).about->squares, 200 * 0.97 * 0.97 + 9'800 * 0.03 * 0.03);
}

/// Of two slices, the second has a weight of 0.
struct Weighed : Plan {
  static constexpr bool is_empty[slices] = {false, true};
};

TEST(Weights, NothingIsAskedOfASliceWithoutWeightWhileNothingComes) {
  auto observed = std::make_unique<tally<Weighed>>();
  auto judged = std::make_unique<checker<Weighed>>();
  auto evaluate = [&, now = 0.0]() mutable {
    judged->merge(*observed);
    judged->evaluate(++now);
    observed->clear();
    return judged->of(0, 1);
  };
  EXPECT_EQ(evaluate(), verdict::unasked);
  EXPECT_EQ(judged->of(0, 0), verdict::undecided); // a slice with weight is asked all the same
  EXPECT_FALSE(judged->is_unexpected(1));

  observed->serve(1, 5); // served and not observed
  EXPECT_EQ(evaluate(), verdict::undecided);
  EXPECT_TRUE(judged->is_unexpected(1));

  request_times times;
  times.latency = 0.5;
  observed->observe_request(1, times);
  observed->observe_request(0, times);
  EXPECT_EQ(evaluate(), verdict::satisfied);
  EXPECT_TRUE(judged->is_unexpected(1));
  EXPECT_FALSE(judged->is_unexpected(0));

  EXPECT_EQ(evaluate(), verdict::unasked);
  EXPECT_FALSE(judged->is_unexpected(1));
}

} // namespace
} // namespace tikc
