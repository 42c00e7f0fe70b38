#include "measure/Rounds.h"

#include <gtest/gtest.h>

namespace tikc::measure {
namespace {

using By = Rounds::By;

TEST(RoundsTest, ReadsWhatPeopleWrite) {
  struct Written {
    const char* text;
    By by;
    double amount;
  };
  for (const Written& each : {Written{"all", By::All, 0},
                              {"file", By::File, 0},
                              {"step", By::Step, 0},
                              {"50_000 tokens", By::Tokens, 50'000},
                              {"50,000tokens", By::Tokens, 50'000},
                              {"1 response", By::Responses, 1},
                              {"1.5 min", By::Seconds, 90}}) {
    const auto rounds = Rounds::read(each.text);
    ASSERT_TRUE(rounds) << each.text;
    EXPECT_EQ(rounds->by, each.by) << each.text;
    EXPECT_EQ(rounds->amount, each.amount) << each.text;
  }
  for (const char* each :
       {"", "tokens", "0 tokens", "-1 tokens", "10", "10 parsecs", "1.2.3 s", "all of it",
        "1e400 tokens", "_ tokens", "1.5 tokens", "0.5 responses", "99999999999999999999 tokens"})
    EXPECT_FALSE(Rounds::read(each)) << each;
}

TEST(RoundsTest, AreWhatTheContractsWindowsAskFor) {
  plan::Plan plan;
  EXPECT_EQ(Rounds::of(plan, nullptr).by, By::All);
  plan.windows = {
      {window_unit::stage, 1}, {window_unit::tokens, 5000}, {window_unit::tokens, 2000}};
  EXPECT_EQ(Rounds::of(plan, nullptr).amount, 2000);
  plan.windows.push_back({window_unit::sequences, 64});
  EXPECT_EQ(Rounds::of(plan, nullptr).by, By::Responses);
  plan.windows.push_back({window_unit::steps, 1});
  EXPECT_EQ(Rounds::of(plan, nullptr).by, By::Step);
  plan::Stage stage;
  stage.window = {window_unit::seconds, 60};
  EXPECT_EQ(Rounds::of(plan, &stage).by, By::Seconds);
}

} // namespace
} // namespace tikc::measure
