#include "bounds/prove/Wording.h"

#include <gtest/gtest.h>

namespace tikc::bounds {
namespace {

Rational number(const char* text) { return parseDecimal(text).value(); }

TEST(Wording, APercentageOfNobodysUseIsSaidInWords) {
  EXPECT_EQ(percent(Rational(1, 3), 3, Rounding::Down), "33.3%");
  EXPECT_EQ(percent(Rational(1, 3), 3, Rounding::Up), "33.4%");
  EXPECT_EQ(percent(0, 3, Rounding::Down), "0%");
  EXPECT_EQ(percent(Rational(1, 100'000'000), 3, Rounding::Down), "1e-6%");
  Rational tiny(1, mpz_class("1" + std::string(428, '0')));
  EXPECT_EQ(percent(tiny, 3, Rounding::Down), "less than 1e-9%");
}

TEST(Wording, TellsABoundFromItsBudget) {
  EXPECT_EQ(decimalBeside(number("0.06424189"), number("0.065"), Rounding::Up), "0.06425");
  EXPECT_EQ(decimalBeside(number("0.1000001"), number("0.1000002"), Rounding::Up), "0.1000001");
  EXPECT_EQ(decimalBeside(number("0.10000012"), number("0.1000001"), Rounding::Up), "0.10000012");
  EXPECT_EQ(decimalBeside(number("0.99999"), number("1"), Rounding::Up), "0.99999");
  EXPECT_EQ(decimalBeside(number("0.1"), number("0.1"), Rounding::Up), "0.1");
  EXPECT_EQ(decimalBeside(number("0.786447"), number("0.78644"), Rounding::Down), "0.786447");
}

TEST(Wording, RoundsToTheDecimalThatItPrints) {
  const Rational huge = Rational(mpz_class(1) << 5000);
  for (const Rational& exact : {number("99995"), number("0.00012345678"), number("-3.14159265"),
                                Rational(1, 3), Rational(-2, 7), number("1000000")})
    for (Rounding side : {Rounding::Down, Rounding::Up})
      for (unsigned digits : {1u, 4u, 9u})
        EXPECT_EQ(rounded(exact, digits, side), number(decimal(exact, digits, side).c_str()));
  EXPECT_GE(rounded(huge, 4, Rounding::Up), huge);
  EXPECT_LE(rounded(1 / huge, 4, Rounding::Down), 1 / huge);
}

TEST(Wording, TellsWhereAProofWasCutOff) {
  EXPECT_TRUE(cutOffLines({}).empty());
  EXPECT_EQ(cutOffLines({true, true, true, true}).size(), 4u);
  auto lines = cutOffLines({.rounds = true});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(
      lines[0],
      "tikc stopped searching for a proof: after 16 rounds of all lemmas, some bound still got "
      "tighter");
}

} // namespace
} // namespace tikc::bounds
