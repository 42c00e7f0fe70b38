#include "tikc/json.h"
#include "tikc/openmetrics.h"
#include "tikc/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace tikc {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Of rewards from 0 to 0.1, advantages, lengths and ratios; what no number contradicts is last.
struct WatchedPlan {
  static constexpr std::uint64_t fingerprint = 1;
  static constexpr std::size_t slices = 2, signals = 1;
  static constexpr const char* contract = "c";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* build = "";
  static constexpr const char* digest = "";
  static constexpr const char* metric_prefix = "tikc";
  static constexpr bool is_draft = false;
  static constexpr const char* slice_names[] = {"math", "other"};
  static constexpr bool is_empty[] = {false, false};
  static constexpr stream streams[] = {{1, 1, 0}, {1, 1, 0}};
  static constexpr signal signal_table[] = {{source::requests, figure::latency, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1}};
  struct token_plan : plan_of_nothing {
    static constexpr std::uint32_t wants = token_want::range | token_want::places;
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};
  static constexpr check checks[] = {{"max(latency) <= 1 s",
                                      estimator::largest,
                                      0,
                                      {0},
                                      {0, 1},
                                      {{comparator::at_most, 1}},
                                      1,
                                      0,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      false,
                                      false}};
  static constexpr bool binds[1][slices] = {{true, true}};
  static constexpr clause clauses[] = {{"latency", "", 0, 1}};
  static constexpr quantity watched[] = {quantity::reward, quantity::advantage, quantity::length,
                                         quantity::ratio};
  static constexpr assumption assumptions[] = {
      {"reward", "reward: [0, 0.1]", quantity::reward, 0, 0.1},
      {"advantage", "advantage: 4", quantity::advantage, -4, 4},
      {"horizon", "horizon: 3", quantity::length, -inf, 3},
      {"ratio_cap", "ratio_cap: 2", quantity::ratio, -inf, 2},
      {"estimator", "estimator", quantity::unseen, 0, 0}};
  static constexpr claim claims[] = {{"far", "reward_drift <= 0.4", true},
                                     {"near", "tv <= 0.1", true},
                                     {"open", "seq_tv <= 0.1", false}};
  static constexpr bool rests_on[3][5] = {{true, false, true, false, false},
                                          {false, false, false, true, true},
                                          {true, true, true, true, true}};
};

/// `far` was proved from the check on `other`, `near` from the one on `math`.
struct GroundedPlan : WatchedPlan {
  static constexpr claim_ground grounds[] = {{0, 0, 1}, {1, 0, 0}, {2, 0, 0}};
};

using Tally = tally<WatchedPlan>;
using Checker = checker<WatchedPlan>;

enum { Reward, Advantage, Horizon, RatioCap, Estimator };

class Watch : public testing::Test {
protected:
  watch_result after(quantity of, const std::vector<double>& values, std::size_t which) {
    auto tally = std::make_unique<Tally>();
    std::uint64_t id = 0;
    for (double value : values)
      tally->hand_in(of, value, id++);
    judged_->merge(*tally);
    return judged_->assumed(which);
  }

  std::unique_ptr<Checker> judged_ = std::make_unique<Checker>();
};

TEST_F(Watch, NothingIsUnwatchedAndEachClaimIsShown) {
  judged_->merge(*std::make_unique<Tally>());
  judged_->evaluate(1);
  for (std::size_t i = 0; i < std::size(WatchedPlan::assumptions); ++i) {
    EXPECT_EQ(judged_->assumed(i).is, assumption_state::unwatched);
    EXPECT_EQ(judged_->assumed(i).count, 0U);
    EXPECT_TRUE(std::isnan(judged_->assumed(i).outside));
  }
  EXPECT_EQ(judged_->claimed(0), claim_state::shown);
  EXPECT_EQ(judged_->claimed(2), claim_state::not_shown);
}

TEST_F(Watch, WhatIsAtTheBoundHoldsAndOneStepFurtherDoesNot) {
  watch_result found = after(quantity::reward, {0, 0.1, 0.05}, Reward);
  EXPECT_EQ(found.is, assumption_state::held);
  EXPECT_EQ(found.least, 0);
  EXPECT_EQ(found.greatest, 0.1);
  EXPECT_EQ(found.worst.count, 0U);
  // The largest p with (1 - p)^3 >= 5%.
  EXPECT_NEAR(std::pow(1 - found.outside, 3), 0.05, 1e-12);
  found = after(quantity::reward, {std::nextafter(0.1, 1.0)}, Reward);
  EXPECT_EQ(found.is, assumption_state::broken);
  ASSERT_EQ(found.worst.count, 1U);
  EXPECT_EQ(found.worst.each[0].value, std::nextafter(0.1, 1.0));
}

TEST_F(Watch, WhatSinglePrecisionMakesOfABoundMeetsIt) {
  ASSERT_GT(static_cast<double>(0.1F), 0.1);
  EXPECT_EQ(after(quantity::reward, {static_cast<double>(0.1F)}, Reward).is,
            assumption_state::held);
  EXPECT_EQ(after(quantity::reward, {static_cast<double>(std::nextafter(0.1F, 1.0F))}, Reward).is,
            assumption_state::broken);
}

TEST_F(Watch, AnAdvantageIsBoundedOnBothSides) {
  EXPECT_EQ(after(quantity::advantage, {-4, 4, 0}, Advantage).is, assumption_state::held);
  const watch_result found = after(quantity::advantage, {4.5, -5}, Advantage);
  EXPECT_EQ(found.is, assumption_state::broken);
  ASSERT_EQ(found.worst.count, 1U); // of the side that is further out
  EXPECT_EQ(found.worst.each[0].value, -5);
  EXPECT_EQ(found.worst.each[0].id, 1U);
}

TEST_F(Watch, NoNumberIsWithinARange) {
  const watch_result found = after(quantity::reward, {0.05, nan}, Reward);
  EXPECT_EQ(found.is, assumption_state::broken);
  EXPECT_EQ(found.unknown, 1U);
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(after(quantity::advantage, {-inf}, Advantage).is, assumption_state::broken);
}

TEST_F(Watch, WhatIsBrokenStaysSoAndSuspendsWhatRestsOnItAlone) {
  after(quantity::reward, {2}, Reward);
  judged_->evaluate(1);
  EXPECT_EQ(after(quantity::reward, {0.05}, Reward).is, assumption_state::broken);
  judged_->evaluate(2);
  EXPECT_EQ(judged_->claimed(0), claim_state::suspended);
  EXPECT_EQ(judged_->claimed(1), claim_state::shown);
  EXPECT_EQ(judged_->claimed(2), claim_state::not_shown);
}

TEST_F(Watch, ExportersTellIt) {
  after(quantity::reward, {0.5}, Reward);
  after(quantity::advantage, {1, 2}, Advantage);
  judged_->evaluate(1);
  std::string text;
  auto sink = [&](const char* piece, std::size_t size) { text.append(piece, size); };
  const auto nothing = std::make_unique<Tally>();
  write_json(*judged_, *nothing, sink);
  write_prometheus(*judged_, *nothing, sink);
  for (const char* part :
       {R"("assumption":"reward","says":"reward: [0, 0.1]","state":"broken","observations":1)",
        R"("worst":[{"value":0.5,"id":0}])",
        R"("claim":"far","says":"reward_drift <= 0.4","state":"suspended")",
        R"("rests_on":[{"assumption":"reward","state":"broken"},)",
        R"(tikc_assumption_state{contract="c",assumption="reward: [0, 0.1]"} 2)",
        R"(tikc_assumption_state{contract="c",assumption="advantage: 4"} 1)",
        R"(tikc_assumption_state{contract="c",assumption="estimator"} 0)",
        R"(tikc_claim_state{contract="c",claim="far"} 2)",
        R"(tikc_claim_state{contract="c",claim="near"} 0)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Claims, FollowTheChecksThatProveThem) {
  const auto judged = std::make_unique<checker<GroundedPlan>>();
  const auto seen = std::make_unique<tally<GroundedPlan>>();
  auto judge = [&](double now, std::size_t slice, double latency) {
    seen->clear();
    request_times times;
    times.latency = latency;
    seen->observe_request(slice, times);
    judged->merge(*seen);
    judged->evaluate(now);
  };
  EXPECT_EQ(judged->claimed(0), claim_state::not_shown); // of no data nothing is shown
  judge(1, 0, 0.5);
  EXPECT_EQ(judged->claimed(0), claim_state::not_shown);
  EXPECT_EQ(judged->claimed(1), claim_state::shown);
  EXPECT_EQ(judged->claimed(2), claim_state::not_shown); // the contract does not prove it
  judge(2, 1, 0.5);
  EXPECT_EQ(judged->claimed(0), claim_state::shown);
  judge(3, 1, 2);
  EXPECT_EQ(judged->claimed(0), claim_state::withdrawn);
  seen->clear();
  seen->hand_in(quantity::reward, 7, 1);
  judged->merge(*seen);
  judge(4, 1, 0.5);
  EXPECT_EQ(judged->claimed(0), claim_state::suspended);
  std::string text;
  write_json(*judged, *seen,
             [&](const char* piece, std::size_t size) { text.append(piece, size); });
  EXPECT_NE(text.find(R"("checks":[{"check":"max(latency) <= 1 s","slice":"other","verdict":)"),
            std::string::npos)
      << text;
}

/// One response through a stream.
template <std::size_t Stream>
void respond(Tally& into, std::size_t slice, const std::vector<float>& gaps, std::uint64_t id) {
  std::vector<float> infer(gaps.size(), -3), train(gaps.size());
  std::transform(gaps.begin(), gaps.end(), infer.begin(), train.begin(), std::plus<>());
  sequence response;
  into.template observe_tokens<Stream>(
      slice, {train.data(), infer.data(), nullptr, gaps.size(), 100 * id}, response);
  into.template end_sequence<Stream>(slice, response, id);
}

TEST_F(Watch, LengthsAndRatiosAreThoseOfTheFirstStream) {
  auto tally = std::make_unique<Tally>();
  respond<0>(*tally, 0, {0, 0.5F, 0}, 1);
  respond<1>(*tally, 1, {9, 9, 9, 9}, 2);
  judged_->merge(*tally);
  EXPECT_EQ(judged_->assumed(Horizon).is, assumption_state::held);
  EXPECT_EQ(judged_->assumed(Horizon).count, 1U);
  EXPECT_EQ(judged_->assumed(RatioCap).is, assumption_state::held);
  EXPECT_EQ(judged_->assumed(RatioCap).count, 3U);
  EXPECT_NEAR(judged_->assumed(RatioCap).greatest, std::exp(0.5), 1e-12);
  tally->clear();
  respond<0>(*tally, 1, {0, 0, 0.75F, 0}, 3);
  judged_->merge(*tally);
  EXPECT_EQ(judged_->assumed(Horizon).is, assumption_state::broken);
  EXPECT_EQ(judged_->assumed(Horizon).worst.each[0].id, 3U);
  EXPECT_EQ(judged_->assumed(RatioCap).is, assumption_state::broken);
  EXPECT_EQ(judged_->assumed(RatioCap).worst.each[0].id, 302U);
  EXPECT_EQ(judged_->claimed(1), claim_state::suspended);
}

TEST_F(Watch, OrderAndMergingChangeNothing) {
  std::mt19937 random(7);
  std::vector<std::pair<double, std::uint64_t>> values;
  for (std::uint64_t id = 0; id < 200; ++id)
    values.emplace_back(static_cast<double>(random() % 12) - 6, id);
  std::string first;
  for (int round = 0; round < 20; ++round) {
    std::shuffle(values.begin(), values.end(), random);
    auto all = std::make_unique<Tally>();
    for (std::size_t i = 0; i < values.size();) {
      auto part = std::make_unique<Tally>();
      for (std::size_t end = i + 1 + random() % 70; i < values.size() && i < end; ++i)
        part->hand_in(quantity::advantage, values[i].first, values[i].second);
      if (random() % 2 == 0) {
        part->merge(*all);
        all = std::move(part);
      } else {
        all->merge(*part);
      }
    }
    std::string bytes;
    serialise(*all, [&](const char* piece, std::size_t size) { bytes.append(piece, size); });
    EXPECT_TRUE(first.empty() || bytes == first);
    first = bytes;
  }
  auto again = std::make_unique<Tally>();
  ASSERT_EQ(parse(first.data(), first.size(), *again), wire_error::none);
  judged_->merge(*again);
  const watch_result found = judged_->assumed(Advantage);
  EXPECT_EQ(found.count, 200U);
  ASSERT_EQ(found.worst.count, offenders::capacity);
  EXPECT_EQ(found.worst.each[0].value, -6);
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& [value, id] : values)
    least = value == -6 ? std::min(least, id) : least;
  EXPECT_EQ(found.worst.each[0].id, least);
}

static_assert(sizeof(Tally) == detail::tally_layout([] {
                                 plan_shape of;
                                 of.slices = 2;
                                 of.streams = 2;
                                 of.signals = of.largest = 1;
                                 of.assumptions = 4;
                                 return of;
                               }())
                                   .size());

} // namespace
} // namespace tikc
