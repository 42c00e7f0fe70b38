#include "runtime/RowReference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tikc::tests {
namespace {

/// A float of `exponentBits` and `fractionBits`, by its definition. Its infinities, if it has any,
/// and NaN have the largest exponent.
double byDefinition(std::uint32_t bits, int exponentBits, int fractionBits, bool hasInfinities) {
  auto exponent = static_cast<int>(bits >> fractionBits) & ((1 << exponentBits) - 1);
  auto fraction = static_cast<int>(bits) & ((1 << fractionBits) - 1);
  double sign = (bits >> (exponentBits + fractionBits) & 1U) != 0 ? -1 : 1;
  int bias = (1 << (exponentBits - 1)) - 1, top = (1 << exponentBits) - 1;
  if (exponent == top && hasInfinities)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  if (exponent == top && fraction == (1 << fractionBits) - 1)
    return std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0)
    return sign * std::ldexp(fraction, 1 - bias - fractionBits);
  return sign * std::ldexp(fraction + (1 << fractionBits), exponent - bias - fractionBits);
}

double byDefinition(number_format format, std::uint32_t bits) {
  switch (format) {
  case number_format::bf16:
    return byDefinition(bits, 8, 7, true);
  case number_format::fp16:
    return byDefinition(bits, 5, 10, true);
  case number_format::fp8_e4m3:
    return byDefinition(bits, 4, 3, false);
  default:
    return byDefinition(bits, 5, 2, true);
  }
}

constexpr number_format narrowFormats[] = {number_format::bf16, number_format::fp16,
                                           number_format::fp8_e4m3, number_format::fp8_e5m2};

TEST(Formats, EveryNumberIsDecoded) {
  for (number_format format : narrowFormats)
    for (std::uint32_t bits = 0; bits < 1U << (8 * bytes_of(format)); ++bits) {
      double expected = byDefinition(format, bits);
      float value = decode(format, bits);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(value)) << nameOf(format) << " " << bits;
      } else {
        EXPECT_EQ(static_cast<double>(value), expected) << nameOf(format) << " " << bits;
        EXPECT_EQ(std::signbit(value), std::signbit(expected)) << nameOf(format) << " " << bits;
      }
    }
}

TEST(Formats, Fp8HasItsKnownLimits) {
  EXPECT_EQ(decode(number_format::fp8_e4m3, 0x7e), 448);
  EXPECT_EQ(decode(number_format::fp8_e4m3, 0x01), 0x1p-9F);
  EXPECT_TRUE(std::isnan(decode(number_format::fp8_e4m3, 0xff)));
  EXPECT_EQ(decode(number_format::fp8_e5m2, 0x7b), 57344);
  EXPECT_EQ(decode(number_format::fp8_e5m2, 0xfc), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(decode(number_format::fp8_e5m2, 0x7d)));
}

/// Pairs every number of a format with the same number as fp32: no instruction set may see a drift.
TEST(Formats, VectorsDecodeEveryNumberAsWell) {
  for (number_format format : narrowFormats) {
    std::vector<unsigned char> bytes;
    std::vector<float> values;
    std::uint32_t nonfinite = 0;
    std::size_t count = std::size_t{1} << (8 * bytes_of(format));
    for (std::uint32_t bits = 0; bits < count; ++bits) {
      unsigned char word[4];
      std::memcpy(word, &bits, sizeof word);
      bytes.insert(bytes.end(), word, word + bytes_of(format));
      values.push_back(static_cast<float>(byDefinition(format, bits)));
      bool spoilt =
          std::isnan(values.back()) || values.back() == std::numeric_limits<float>::infinity();
      nonfinite += spoilt ? 2U : 0U;
    }
    std::vector<float> scratch(row_scratch_floats(count)), finite = values;
    std::vector<unsigned char> finiteBytes = bytes;
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(values[i])) {
        finite[i] = 0;
        std::fill_n(finiteBytes.begin() + static_cast<std::ptrdiff_t>(i * bytes_of(format)),
                    bytes_of(format), std::uint8_t{0});
      }
    for (auto set : instructionSets()) {
      auto measure = [&](const std::vector<unsigned char>& narrow, const std::vector<float>& wide) {
        return detail::rows::row_pass_on<row_want::logit_linf | row_want::logit_l2>(
            set, {narrow.data(), format}, {wide.data(), number_format::fp32}, count, 1, 1, -1,
            scratch.data());
      };
      EXPECT_EQ(measure(bytes, values).nonfinite, nonfinite) << nameOf(format) << nameOf(set);
      row_stats stats = measure(finiteBytes, finite);
      EXPECT_EQ(stats.nonfinite, 0U);
      EXPECT_EQ(stats.logit_linf, 0) << nameOf(format) << nameOf(set);
      EXPECT_EQ(stats.logit_l2, 0);
    }
  }
}

TEST(Formats, ARowMayBeUnaligned) {
  for (number_format format : everyFormat) {
    Row row = encode(format, {1, -2, 0.5F, 3});
    EXPECT_EQ(value_at(row.view(), 1), -2);
    EXPECT_EQ(value_at(row.view(), 3), 3);
  }
}

} // namespace
} // namespace tikc::tests
