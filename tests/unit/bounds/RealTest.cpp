#include "bounds/numbers/Real.h"

#include <gtest/gtest.h>

namespace tikc::bounds {
namespace {

/// As an exact number, e to the power of a million has more digits than anybody reads.
TEST(Real, IsRoundedToNumbersOfFewDigitsBesideZero) {
  Real tiny = exp(Real(Rational(-1'000'000'000), 64));
  Rational least = tiny.ceiling(32).upper();
  EXPECT_GT(least, 0);
  EXPECT_LE(mpz_sizeinbase(least.get_den_mpz_t(), 2), 8200U);
  EXPECT_EQ(tiny.floor(32).lower(), 0);
  EXPECT_EQ((-tiny).ceiling(32).upper(), 0);
  EXPECT_LT((-tiny).floor(32).lower(), 0);
  Real small = exp(Real(-5000, 64));
  EXPECT_GE(small.ceiling(32).upper(), small.upper());
  EXPECT_LE(small.ceiling(32).upper(), small.upper() * 2);
}

TEST(Real, TakesALogarithmBackToWhatItIsOf) {
  Real two = Real(Rational(2), 128), bit = log(two);
  EXPECT_FALSE(bit.isExact());
  EXPECT_EQ(exp(bit).lower(), 2);
  EXPECT_TRUE(exp(bit).isExact());
  EXPECT_EQ((1 - exp(-bit)).upper(), Rational(1, 2));
  EXPECT_EQ(expm1(bit + bit).upper(), 3);
  EXPECT_EQ(exp(bit * 8).upper(), 256);
  EXPECT_EQ(exp(-log(Real(Rational(1, 10), 128))).upper(), 10);
  EXPECT_EQ(pow(Real(Rational(3, 4), 128), Real(5)).upper(), Rational(243, 1024));
  EXPECT_TRUE((bit - bit).isExact());
  EXPECT_TRUE(isAtMost(bit / 2, bit / 2));
  EXPECT_FALSE(isAtMost(bit, bit / 2));
  EXPECT_EQ(exp(max(bit, 0)).upper(), 2);
}

/// A power of many digits, and a fraction of a logarithm, are intervals like others.
TEST(Real, KeepsNoPowersOfManyDigits) {
  Real bit = log(Real(Rational(2), 128));
  EXPECT_FALSE(exp(bit * 1'000'000).isExact());
  EXPECT_FALSE(exp(bit / 2).isExact());
  Real root = exp(bit / 2);
  EXPECT_LE((root * root).lower(), 2);
  EXPECT_GE((root * root).upper(), 2);
  EXPECT_FALSE((bit + log(Real(Rational(3), 128))).logarithm());
}

} // namespace
} // namespace tikc::bounds
