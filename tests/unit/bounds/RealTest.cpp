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

} // namespace
} // namespace tikc::bounds
