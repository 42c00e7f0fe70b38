#include "tikc/sums.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tikc::tests {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

sum sumOf(const std::vector<double>& values, std::size_t from, std::size_t to) {
  sum out;
  for (std::size_t i = from; i < to; ++i) {
    out.add(values[i]);
  }
  return out;
}

/// Magnitudes over sixty binades, so that a plain sum loses most digits.
std::vector<double> wildValues(unsigned seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<double> out(count);
  for (double& value : out) {
    const double mantissa = std::uniform_real_distribution<double>(-1, 1)(random);
    value = std::ldexp(mantissa, static_cast<int>(random() % 60));
  }
  return out;
}

TEST(Sum, KeepsWhatAPlainSumLoses) {
  sum total;
  total.add(1);
  total.add(1e100);
  total.add(1);
  total.add(-1e100);
  EXPECT_EQ(total.value(), 2);
}

TEST(Sum, AgreesWithLongDouble) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<double> values = wildValues(seed, 1000);
    // Sorted by magnitude and summed in 64 bits of mantissa the reference is good to 1e-17.
    std::vector<double> ordered = values;
    std::sort(ordered.begin(), ordered.end(),
              [](double a, double b) { return std::abs(a) < std::abs(b); });
    long double exact = 0;
    long double size = 0;
    for (double value : ordered) {
      exact += value;
      size += std::abs(value);
    }
    const double got = sumOf(values, 0, values.size()).value();
    EXPECT_LE(std::abs(got - static_cast<double>(exact)),
              static_cast<double>(std::abs(exact) * 2e-16L + size * 1e-17L));
  }
}

TEST(Sum, MergesInAnyOrderToTheSameValue) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::vector<double> values = wildValues(seed, 999);
    for (double& value : values) {
      value = std::abs(value);
    }
    const sum a = sumOf(values, 0, 333);
    const sum b = sumOf(values, 333, 666);
    const sum c = sumOf(values, 666, 999);
    const auto merged = [](sum left, const sum& right) {
      left.merge(right);
      return left;
    };
    const double once = sumOf(values, 0, 999).value();
    EXPECT_NEAR(merged(merged(a, b), c).value() / once, 1, 1e-15);
    EXPECT_NEAR(merged(a, merged(b, c)).value() / once, 1, 1e-15);
    EXPECT_NEAR(merged(merged(c, b), a).value() / once, 1, 1e-15);
    EXPECT_EQ(merged(a, b).value(), merged(b, a).value());
  }
}

TEST(Sum, InfinitiesAndNansStay) {
  sum total;
  total.add(infinity);
  total.add(5);
  EXPECT_EQ(total.value(), infinity);
  sum other;
  other.add(3);
  other.merge(total);
  EXPECT_EQ(other.value(), infinity);
  total.add(-infinity);
  EXPECT_TRUE(std::isnan(total.value()));
  other.add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(other.value()));
}

TEST(Sum, OfNothingIsZero) { EXPECT_EQ(sum{}.value(), 0); }

} // namespace
} // namespace tikc::tests
