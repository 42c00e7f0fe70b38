#include "runtime/RowReference.h"
#include "tikc/checker.h"

#include <gtest/gtest.h>

#include <memory>

namespace tikc::tests {
namespace {

constexpr check largest(const char* text, std::uint16_t signal, double bound) {
  return {text,   estimator::largest,
          signal, {signal, 0},
          {0, 1}, {{comparator::at_most, bound}},
          1,      0,
          1,      0,
          0,      0,
          0,      false,
          false};
}

/// The largest total variation and the largest missing mass of rows.
struct RowFigures {
  static constexpr std::size_t slices = 1, signals = 2, vocabulary = 64;
  static constexpr bool is_empty[slices] = {};
  static constexpr stream streams[] = {{1, 1, row_want::tv | row_want::missing_mass}};
  static constexpr signal signal_table[] = {{source::rows, figure::tv, 0, false, 0, 1},
                                            {source::rows, figure::missing_mass, 0, false, 0, 1}};
  static constexpr keeper keepers[] = {
      {0, reading::cell, fold::largest, comparator::at_most, true, 0, 0, -1, -1, -1},
      {1, reading::cell, fold::largest, comparator::at_most, true, 0, 1, -1, -1, -1}};
  struct token_plan {
    static constexpr std::uint32_t wants = 0;
    static constexpr std::array<float, 0> above{}, below{}, beyond{};
  };
  static constexpr window windows[] = {{window_unit::stage, 1}};
  static constexpr check checks[] = {largest("max(tv) <= 1", 0, 1),
                                     largest("max(missing_mass) <= 1", 1, 1)};
  static constexpr bool binds[2][slices] = {{true}, {true}};
  static constexpr clause clauses[] = {{"tv", "", 0, 1}, {"missing", "", 1, 1}};
};

TEST(RowFigures, ARowReducedElsewhereIsObservedAlike) {
  Random random(41);
  auto whole = std::make_unique<tally<RowFigures>>(),
       figures = std::make_unique<tally<RowFigures>>();
  std::vector<float> scratch(row_scratch_floats(RowFigures::vocabulary));
  for (std::uint64_t id = 0; id < 5; ++id) {
    const std::vector<float> from = logits(random, RowFigures::vocabulary, Shape::usual);
    std::vector<float> to = drifted(random, from, 0.1F);
    if (id == 2)
      to[7] = masked;
    const Row train = encode(number_format::fp32, from), infer = encode(number_format::fp32, to);
    whole->observe_row(0, train.view(), infer.view(), scratch.data(), id);
    figures->observe_row_figures(0, measure(detail::rows::best_instruction_set(), train, infer),
                                 id);
  }
  auto expected = std::make_unique<checker<RowFigures>>(),
       found = std::make_unique<checker<RowFigures>>();
  expected->merge(*whole);
  found->merge(*figures);
  expected->evaluate(1);
  found->evaluate(1);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(expected->result(i, 0).value, 0) << i;
    EXPECT_EQ(found->result(i, 0).value, expected->result(i, 0).value) << i;
    EXPECT_EQ(found->result(i, 0).is, expected->result(i, 0).is) << i;
  }
  EXPECT_EQ(figures->observed(0).through[0].rows, 5);
}

} // namespace
} // namespace tikc::tests
