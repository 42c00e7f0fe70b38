#include "tikc/checker.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

namespace tikc {
namespace {

constexpr check share(const char* text, std::uint16_t signal) {
  const auto squares = static_cast<std::uint16_t>(2 * signal);
  return {text,   estimator::effective_share,
          signal, {squares, static_cast<std::uint16_t>(squares + 1)},
          {0, 1}, {{comparator::at_least, 0.5}},
          1,      0,
          1,      0,
          0,      0,
          0,      false,
          false};
}

/// Of the ratios of tokens, and of the weights of responses.
struct Shares {
  static constexpr std::size_t slices = 1, signals = 2;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {{1, 1, 0}};
  static constexpr signal signal_table[] = {{source::tokens, figure::ratio, 0, false, 0, 0},
                                            {source::sequences, figure::seq_ratio, 0, false, 0, 0}};
  static constexpr keeper keepers[] = {
      {0, reading::tokens, fold::squares, comparator::at_most, true, 0, 0, -1, -1, -1},
      {0, reading::tokens, fold::total, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::cell, fold::squares, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::cell, fold::total, comparator::at_most, true, 0, 1, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = token_want::ratio | token_want::gap | token_want::range;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};
  static constexpr check checks[] = {share("effective_share(ratio) >= 50%", 0),
                                     share("effective_share(seq_ratio) >= 50%", 1)};
  static constexpr bool binds[2][slices] = {{true}, {true}};
  static constexpr clause clauses[] = {{"tokens", "", 0, 1}, {"responses", "", 1, 1}};
};

/// Both shares of so many responses of one token, whose log-ratios begin at `first`.
std::array<finding, 2> sharesOf(float first, float step, std::size_t count = 64) {
  auto observed = std::make_unique<tally<Shares>>();
  auto judged = std::make_unique<checker<Shares>>();
  const float infer = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float train = first + step * static_cast<float>(i);
    sequence whole;
    observed->observe_tokens<0>(0, {&train, &infer, nullptr, 1, i}, whole);
    observed->end_sequence<0>(0, whole, i);
  }
  judged->merge(*observed);
  judged->evaluate(1);
  return {judged->result(0, 0), judged->result(1, 0)};
}

TEST(EffectiveShare, WeightsThatRoundToNothingAreNoEvenShare) {
  for (const float first : {-400.0F, -1000.0F})
    for (const finding& each : sharesOf(first, -1)) {
      EXPECT_EQ(each.is, verdict::violated) << first;
      EXPECT_EQ(each.low, 0);
      EXPECT_EQ(each.high, 1);
    }
  // Squares of which some are the smallest number there is, and the others nothing.
  for (const float first : {-360.0F, -371.5F, -372.0F, -372.4F}) {
    const finding found = sharesOf(first, -0.01F)[1];
    EXPECT_EQ(found.low, 0) << first;
    EXPECT_EQ(found.is, verdict::violated) << first;
  }
  for (const float first : {-33.0F, -50.0F, -90.0F, -200.0F}) {
    const auto [tokens, responses] = sharesOf(first, -1);
    EXPECT_EQ(tokens.is, verdict::violated) << first;
    EXPECT_EQ(tokens.low, 0);
    // Their own weights know it: of a geometric series.
    EXPECT_NEAR(responses.value, (1 + std::exp(-1)) / (1 - std::exp(-1)) / 64, 1e-6) << first;
  }
}

TEST(EffectiveShare, WeightsThatAreKnownHaveTheirShare) {
  for (const float first : {0.0F, -3.0F, -20.0F})
    for (const finding& each : sharesOf(first, -1))
      EXPECT_NEAR(each.value, (1 + std::exp(-1)) / (1 - std::exp(-1)) / 64, 1e-5) << first;
  for (const finding& each : sharesOf(-20, 0)) {
    EXPECT_NEAR(each.value, 1, 1e-6);
    EXPECT_EQ(each.is, verdict::satisfied);
  }
}

} // namespace
} // namespace tikc
