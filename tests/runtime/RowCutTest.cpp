#include "runtime/RowReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace tikc::tests {
namespace {

using detail::rows::instruction_set;

double measured(instruction_set set, const Row& train, const Row& infer, const row_cut& cut,
                double trainTemperature = 1, double inferTemperature = 1) {
  std::size_t vocabulary = train.values.size();
  std::vector<float> scratch(row_scratch_floats(vocabulary));
  return detail::rows::missing_mass_on(set, train.view(), infer.view(), vocabulary,
                                       trainTemperature, inferTemperature, cut, scratch.data());
}

std::vector<long double> softmax(const std::vector<float>& logits, double temperature) {
  const float top = *std::max_element(logits.begin(), logits.end());
  std::vector<long double> out;
  for (float each : logits)
    out.push_back(temperature == 0 ? (each == top ? 1 : 0)
                                   : std::exp((static_cast<long double>(each) - top) /
                                              static_cast<long double>(temperature)));
  long double total = std::accumulate(out.begin(), out.end(), 0.0L);
  for (long double& each : out)
    each /= total;
  return out;
}

/// By sorting the whole row; a nucleus is short of what is declared by the slack.
long double reference(const Row& train, const Row& infer, const row_cut& cut, double slack,
                      double trainTemperature = 1, double inferTemperature = 1) {
  const std::vector<float>& logits = infer.values;
  std::vector<long double> p = softmax(train.values, trainTemperature),
                           q = softmax(logits, inferTemperature);
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Of a tie, those come first that the trainer gives least to.
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : p[a] < p[b];
  });
  const long double peak = q[order[0]];
  std::size_t kept = 0;
  while (kept < order.size() && q[order[kept]] > 0 && (cut.top_k == 0 || kept < cut.top_k) &&
         (q[order[kept]] >= peak * cut.min_p * (1 + static_cast<long double>(slack)) ||
          q[order[kept]] == peak))
    ++kept;
  auto massOf = [](const std::vector<long double>& law, const std::vector<std::size_t>& tokens,
                   std::size_t first, std::size_t last) {
    long double out = 0;
    for (std::size_t i = first; i < last; ++i)
      out += law[tokens[i]];
    return out;
  };
  if (cut.top_p < 1) {
    const long double enough =
        (cut.top_p - static_cast<long double>(slack)) * massOf(q, order, 0, kept);
    long double before = q[order[0]];
    std::size_t nucleus = 1;
    while (nucleus < kept && before < enough)
      before += q[order[nucleus++]];
    kept = nucleus;
  }
  return massOf(p, order, kept, order.size());
}

/// Where rounding may move the boundary, so by no more than twice the slack.
void expectAgrees(const Row& train, const Row& infer, const row_cut& cut,
                  double trainTemperature = 1, double inferTemperature = 1) {
  constexpr double twice = 0x1p-19;
  const long double low = reference(train, infer, cut, 0, trainTemperature, inferTemperature),
                    high = reference(train, infer, cut, twice, trainTemperature, inferTemperature);
  for (instruction_set set : instructionSets()) {
    const double found = measured(set, train, infer, cut, trainTemperature, inferTemperature);
    SCOPED_TRACE(testing::Message()
                 << nameOf(set) << ", " << train.values.size() << " tokens, top_p " << cut.top_p
                 << ", top_k " << cut.top_k << ", min_p " << cut.min_p);
    EXPECT_GE(found, static_cast<double>(low * (1 - 1e-5L)));
    EXPECT_LE(found, static_cast<double>(high * (1 + 1e-5L)));
  }
}

const row_cut everyCut[] = {{0.9, 0, 0},   {0.999, 0, 0}, {0.1, 0, 0},      {1e-9, 0, 0},
                            {1, 0, 1},     {1, 0, 50},    {1, 0, 5000},     {1, 0.05, 0},
                            {1, 1e-7, 0},  {1, 1, 0},     {0.95, 0, 20},    {0.95, 0.02, 0},
                            {1, 0.01, 40}, {0.8, 0.1, 8}, {0.9999999, 0, 0}};

TEST(RowCut, AgreesWithSorting) {
  Random random(1);
  for (std::size_t vocabulary : {2, 3, 15, 16, 17, 100, 1024, 1040, 4099, 9000})
    for (Shape shape : everyShape)
      for (const row_cut& cut : everyCut) {
        std::vector<float> from = logits(random, vocabulary, shape);
        Row train = encode(number_format::fp32, from),
            infer = encode(number_format::fp32, drifted(random, from, 0.3F, 5));
        expectAgrees(train, infer, cut);
        expectAgrees(train, infer, cut, 0.6, 1.7);
      }
}

TEST(RowCut, AgreesOnTheLargestRows) {
  Random random(2);
  for (Shape shape : everyShape)
    for (const row_cut& cut :
         {row_cut{0.99, 0, 0}, row_cut{1, 0, 200}, row_cut{0.9, 1e-6, 100000}}) {
      std::vector<float> from = logits(random, 262'144, shape);
      expectAgrees(encode(number_format::fp32, from),
                   encode(number_format::fp32, drifted(random, from, 0.05F)), cut, 1, 0.8);
    }
}

/// Of formats of few digits, where the last logit is that of many tokens.
TEST(RowCut, TiesAreAnUpperBound) {
  Random random(3);
  for (number_format format : everyFormat)
    for (Shape shape : everyShape)
      for (const row_cut& cut : everyCut) {
        std::vector<float> from = logits(random, 4099, shape);
        Row train = encode(format, from), infer = encode(format, drifted(random, from, 0.1F));
        for (instruction_set set : instructionSets()) {
          SCOPED_TRACE(testing::Message()
                       << nameOf(set) << " " << nameOf(format) << ", top_p " << cut.top_p
                       << ", top_k " << cut.top_k << ", min_p " << cut.min_p);
          EXPECT_GE(measured(set, train, infer, cut),
                    static_cast<double>(reference(train, infer, cut, 0) * (1 - 1e-5L)));
        }
      }
}

/// Of tokens that all share one logit, and that the trainer gives the same, just those are missing
/// that there are too many of.
TEST(RowCut, TiesAreCounted) {
  Row row = encode(number_format::bf16, std::vector<float>(1000, 3.0F));
  for (instruction_set set : instructionSets()) {
    EXPECT_NEAR(measured(set, row, row, {1, 0, 250}), 0.75, 1e-6);
    EXPECT_NEAR(measured(set, row, row, {0.4, 0, 0}), 0.6, 1e-6);
    EXPECT_NEAR(measured(set, row, row, {0.4, 0, 250}), 0.9, 1e-6);
    EXPECT_NEAR(measured(set, row, row, {0, 0, 0}), 0.999, 1e-6);
    EXPECT_EQ(measured(set, row, row, {1, 1, 0}), 0);
    EXPECT_EQ(measured(set, row, row, {1, 0, 1000}), 0);
  }
}

TEST(RowCut, MasksAreMissing) {
  Row train = encode(number_format::fp32, {0, 0, 0, 0, masked}),
      infer = encode(number_format::fp32, {masked, 2, 1, 0, 5});
  for (instruction_set set : instructionSets()) {
    EXPECT_NEAR(measured(set, train, infer, {1, 0, 2}), 0.75, 1e-6);
    EXPECT_NEAR(measured(set, train, infer, {1, 0, 5}), 0.25, 1e-6);
    EXPECT_NEAR(measured(set, train, infer, {0.9999, 0, 0}), 0.25, 1e-6);
  }
}

TEST(RowCut, ATrainerAtTemperatureZeroHasOneToken) {
  Row train = encode(number_format::fp32, {1, 3, 2}),
      infer = encode(number_format::fp32, {3, 1, 2});
  for (instruction_set set : instructionSets()) {
    EXPECT_EQ(measured(set, train, infer, {1, 0, 2}, 0, 1), 1);
    EXPECT_EQ(measured(set, train, infer, {1, 0, 3}, 0, 1), 0);
    EXPECT_EQ(measured(set, train, infer, {0.5, 0, 0}, 0, 1), 1);
  }
}

/// Logits that no bin tells apart before the last one.
TEST(RowCut, AgreesOnRowsOfAllSizes) {
  std::vector<float> from;
  for (int i = 0; i < 500; ++i)
    from.push_back(std::ldexp(1.0F, i % 250 - 125) * (i % 2 == 0 ? 1.0F : -1.0F));
  for (float far : {3e38F, -3e38F, 0.0F})
    from.push_back(far);
  Row row = encode(number_format::fp32, from);
  for (const row_cut& cut : everyCut) {
    expectAgrees(row, row, cut);
    expectAgrees(row, row, cut, 1e30, 1e30);
    expectAgrees(row, row, cut, 1e-30, 1e-30);
  }
}

} // namespace
} // namespace tikc::tests
