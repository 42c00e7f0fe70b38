#include "tikc/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace tikc::tests {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

static_assert(std::is_trivially_copyable_v<signed_sketch>);
static_assert(std::is_trivially_copyable_v<magnitude_sketch>);

const std::vector<quantile_level> levels = {{0, 1},    {1, 1000},   {1, 100}, {1, 10},
                                            {1, 4},    {1, 2},      {3, 4},   {9, 10},
                                            {99, 100}, {999, 1000}, {1, 1},   {9999, 10000}};

/// Normal values of a random scale, with zeros, both infinities and values past either end.
std::vector<float> mixedValues(unsigned seed, std::size_t count) {
  std::mt19937_64 random(seed);
  const float scale = std::ldexp(1.0F, static_cast<int>(random() % 64) - 44);
  std::normal_distribution<float> normal(0, scale);
  std::vector<float> out(count);
  for (float& value : out) {
    switch (random() % 40) {
    case 0:
      value = random() % 2 == 0 ? 0.0F : -0.0F;
      break;
    case 1:
      value = random() % 2 == 0 ? infinity : -1e30F;
      break;
    case 2:
      value = random() % 2 == 0 ? 1e-20F : -1e-42F;
      break;
    default:
      value = normal(random);
    }
  }
  return out;
}

template <class Sketch> Sketch sketchOf(const std::vector<float>& values) {
  Sketch out;
  for (float value : values) {
    out.add(value);
  }
  return out;
}

float exactQuantile(std::vector<float> values, quantile_level level) {
  std::sort(values.begin(), values.end());
  const std::uint64_t n = values.size();
  std::uint64_t rank = 1;
  // The definition, in integers: the least rank with rank·whole >= part·n.
  while (rank * level.whole < level.part * n) {
    ++rank;
  }
  return values[rank - 1];
}

void expectEncloses(quantile_range range, float exact) {
  EXPECT_LE(range.low, exact);
  EXPECT_GE(range.high, exact);
  const float size = std::abs(exact);
  if (size >= 0x1p-40F && size < 0x1p16F) {
    EXPECT_LE(range.high - range.low, size / 32);
    EXPECT_LE(std::abs((range.high + range.low) / 2 - exact), size * 0.016F);
  } else if (size < 0x1p-40F) {
    EXPECT_LT(range.high, 0x1p-40F);
    EXPECT_GT(range.low, -0x1p-40F);
  }
}

TEST(QuantileLevel, RanksAreExact) {
  EXPECT_EQ((quantile_level{99, 100}.rank(100)), 99U);
  EXPECT_EQ((quantile_level{99, 100}.rank(101)), 100U);
  EXPECT_EQ((quantile_level{7, 100}.rank(100)), 7U); // 0.07 * 100 rounds to more than 7
  EXPECT_EQ((quantile_level{50, 100}.rank(2)), 1U);
  EXPECT_EQ((quantile_level{50, 100}.rank(3)), 2U);
  EXPECT_EQ((quantile_level{0, 1}.rank(10)), 1U);
  EXPECT_EQ((quantile_level{1, 1}.rank(10)), 10U);
  const std::uint64_t many = 0xffff'ffff'ffff'ffffU;
  EXPECT_EQ((quantile_level{4'294'967'294U, 4'294'967'295U}.rank(many)),
            many - many / 4'294'967'295U);
}

TEST(Sketch, EnclosesEveryQuantile) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::vector<float> values = mixedValues(seed, 1 + seed * 7);
    const auto sketch = sketchOf<signed_sketch>(values);
    std::vector<float> sizes = values;
    for (float& size : sizes) {
      size = std::abs(size);
    }
    const auto plain = sketchOf<magnitude_sketch>(sizes);
    EXPECT_EQ(sketch.size(), values.size());
    for (quantile_level level : levels) {
      SCOPED_TRACE(testing::Message() << seed << " " << level.part << "/" << level.whole);
      expectEncloses(sketch.quantile(level), exactQuantile(values, level));
      expectEncloses(sketch.magnitude_quantile(level), exactQuantile(sizes, level));
      expectEncloses(plain.quantile(level), exactQuantile(sizes, level));
    }
  }
}

TEST(Sketch, FromTheTopItIsTheQuantileOfTheNegatedValues) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const std::vector<float> values = mixedValues(seed, 1 + seed * 3);
    std::vector<float> negated = values;
    for (float& value : negated) {
      value = -value;
    }
    const auto sketch = sketchOf<signed_sketch>(values);
    for (quantile_level level : levels) {
      const quantile_range range = sketch.quantile_from_top(level);
      expectEncloses({-range.high, -range.low}, exactQuantile(negated, level));
    }
  }
}

TEST(Sketch, EndsAreExact) {
  signed_sketch sketch;
  for (float value : {-70000.0F, -3.0F, 0.1F, 100000.0F}) {
    sketch.add(value);
  }
  EXPECT_EQ(sketch.least, -70000.0F);
  EXPECT_EQ(sketch.greatest, 100000.0F);
  EXPECT_EQ((sketch.quantile({1, 1}).high), 100000.0F);
  EXPECT_EQ((sketch.quantile({0, 1}).low), -70000.0F);
  EXPECT_EQ((sketch.magnitude_quantile({1, 1}).high), 100000.0F);
}

TEST(Sketch, EachEdgeBelongsToTheBucketAboveIt) {
  using buckets = detail::buckets;
  for (std::size_t i = 0; i < buckets::count; ++i) {
    signed_sketch sketch;
    const float edge = buckets::lower_edge(i);
    const float last = buckets::last_value(i);
    sketch.add(edge);
    sketch.add(last);
    sketch.add(-edge);
    sketch.add(-last);
    ASSERT_EQ(sketch.counts[i], 2U) << edge;
    ASSERT_EQ(sketch.counts[buckets::count + i], 2U) << edge;
    ASSERT_LE(static_cast<double>(last) - static_cast<double>(edge),
              static_cast<double>(edge) / 32);
    if (i + 1 < buckets::count) {
      ASSERT_EQ(std::nextafter(last, infinity), buckets::lower_edge(i + 1));
    }
  }
  EXPECT_EQ(buckets::lower_edge(0), 0x1p-40F);
  EXPECT_EQ(std::nextafter(buckets::last_value(buckets::count - 1), infinity), 0x1p16F);
  EXPECT_EQ(std::nextafter(buckets::last_tiny, infinity), 0x1p-40F);
}

TEST(Sketch, NansRankAsTheWorst) {
  signed_sketch sketch;
  for (int i = 1; i <= 98; ++i) {
    sketch.add(static_cast<float>(i));
  }
  sketch.add(notANumber);
  sketch.add(notANumber);
  EXPECT_EQ((sketch.quantile({99, 100}).low), infinity);
  EXPECT_EQ((sketch.magnitude_quantile({99, 100}).low), infinity);
  EXPECT_LE((sketch.quantile({98, 100}).high), 98.0F);
  EXPECT_EQ((sketch.quantile({2, 100}, nan_rank::lowest).high), -infinity);
  EXPECT_GE((sketch.quantile({3, 100}, nan_rank::lowest).high), 1.0F);
  EXPECT_EQ((sketch.quantile_from_top({99, 100}).low), -infinity);
  EXPECT_EQ((sketch.quantile_from_top({98, 100}).low), 1.0F);
  EXPECT_TRUE(std::isnan(signed_sketch{}.quantile({1, 2}).low));
  EXPECT_TRUE(std::isnan(signed_sketch{}.quantile_from_top({1, 2}).low));
}

TEST(Sketch, MergesExactlyInAnyOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const std::vector<float> values = mixedValues(seed, 600);
    const auto part = [&](std::size_t from) {
      return sketchOf<signed_sketch>({values.begin() + static_cast<std::ptrdiff_t>(from),
                                      values.begin() + static_cast<std::ptrdiff_t>(from) + 200});
    };
    signed_sketch forth = part(0);
    forth.merge(part(200));
    forth.merge(part(400));
    signed_sketch back = part(400);
    signed_sketch pair = part(200);
    pair.merge(part(0));
    back.merge(pair);
    const auto whole = sketchOf<signed_sketch>(values);
    for (const signed_sketch* other : {&forth, &back}) {
      EXPECT_EQ(other->counts, whole.counts);
      EXPECT_EQ(other->huge, whole.huge);
      EXPECT_EQ(other->tiny, whole.tiny);
      EXPECT_EQ(other->least, whole.least);
      EXPECT_EQ(other->greatest, whole.greatest);
    }
  }
}

TEST(Sketch, WithoutSignsCountsWhatIsBelowZeroAsTiny) {
  magnitude_sketch sketch;
  sketch.add(-5.0F);
  sketch.add(2.0F);
  EXPECT_EQ(sketch.tiny, 1U);
  EXPECT_EQ((sketch.quantile({0, 1}).low), -5.0F);
}

} // namespace
} // namespace tikc::tests
