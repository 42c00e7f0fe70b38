#include "support/Rational.h"

#include <gtest/gtest.h>

namespace tikc {
namespace {

TEST(RationalTest, ReadsDecimalsExactly) {
  // What Python's fractions.Fraction says of each.
  struct Case {
    std::string_view text;
    std::string_view fraction;
  };
  for (auto [text, fraction] : {Case{"0", "0"},
                                {"-0", "0"},
                                {"+7", "7"},
                                {"0.1", "1/10"},
                                {"0.065", "13/200"},
                                {"-2.50", "-5/2"},
                                {".5", "1/2"},
                                {"1.", "1"},
                                {"1e-4", "1/10000"},
                                {"1E+3", "1000"},
                                {"12.5e1", "125"},
                                {"0.000", "0"},
                                {"007", "7"},
                                {"3.14159e2", "314159/1000"},
                                {"0.0000001220703125", "1/8192000"},
                                {"1e-4", "1/10000"}}) {
    auto value = parseDecimal(text);
    ASSERT_TRUE(value.has_value()) << text;
    EXPECT_EQ(value->get_str(), fraction) << text;
  }
}

TEST(RationalTest, RefusesEverythingElse) {
  for (std::string_view text : {"",
                                "-",
                                "+",
                                ".",
                                "e5",
                                "1e",
                                "1e+",
                                "1e-",
                                "1e+-5",
                                "1e++5",
                                "1e--5",
                                "--1",
                                "+-1",
                                "1.2.3",
                                "1_000",
                                "0x10",
                                " 1",
                                "1 ",
                                "1,5",
                                "nan",
                                "inf",
                                ".inf",
                                "1e5.0",
                                "\xD9\xA1",
                                "1e99999999999999999999",
                                "1e-99999999999999999999"})
    EXPECT_FALSE(parseDecimal(text).has_value()) << text;
  EXPECT_FALSE(parseDecimal(std::string_view("1\0", 2)).has_value());
}

TEST(RationalTest, LimitsHoldForEverySpelling) {
  EXPECT_TRUE(parseDecimal("1e400").has_value());
  EXPECT_TRUE(parseDecimal("9.99e400").has_value());
  EXPECT_TRUE(parseDecimal("1e-400").has_value());
  EXPECT_FALSE(parseDecimal("1e401").has_value());
  EXPECT_FALSE(parseDecimal("10e400").has_value());
  EXPECT_FALSE(parseDecimal("0.1e-400").has_value());
  EXPECT_FALSE(parseDecimal("1" + std::string(401, '0')).has_value());
  EXPECT_FALSE(parseDecimal("0." + std::string(400, '0') + "1").has_value());
  EXPECT_FALSE(parseDecimal("1." + std::string(5000, '3')).has_value());
  // Zeros alone say nothing, however many there are.
  EXPECT_EQ(parseDecimal("0." + std::string(1 << 20, '0')), Rational(0));
  EXPECT_EQ(parseDecimal(std::string(1 << 20, '0') + "7"), Rational(7));
}

TEST(RationalTest, PrintsTheShortestExactDecimal) {
  struct Case {
    Rational value;
    std::string_view text;
  };
  for (const auto& [value, text] : {Case{Rational(0), "0"},
                                    {Rational(-3), "-3"},
                                    {Rational(13, 200), "0.065"},
                                    {Rational(-5, 2), "-2.5"},
                                    {Rational(151936), "151936"},
                                    {Rational(1'000'000), "1000000"},
                                    {Rational(10'000'000), "1e7"},
                                    {Rational(-123) * 1000000000, "-123e9"},
                                    {Rational(1, 1000), "0.001"},
                                    {Rational(1, 100'000), "1e-5"},
                                    {Rational(123, 100'000'000), "1.23e-6"},
                                    {Rational(1, 1024), "0.0009765625"},
                                    {Rational(1, 3), "1/3"},
                                    {Rational(-22, 7), "-22/7"},
                                    {Rational(100, 1), "100"}}) {
    EXPECT_EQ(printRational(value), text);
  }
}

TEST(RationalTest, WhatIsPrintedReadsBackTheSame) {
  mpz_class numerator = 1;
  for (int i = 0; i < 200; ++i) {
    numerator = numerator * 7 % 1000003;
    for (int exponent : {-380, -21, -6, -1, 0, 1, 6, 21, 380}) {
      mpz_class power;
      mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
      Rational value = exponent < 0 ? Rational(numerator, power) : Rational(numerator * power);
      value.canonicalize();
      if (i % 2 == 1)
        value = -value;
      EXPECT_EQ(parseDecimal(printRational(value)), value) << printRational(value);
    }
  }
}

} // namespace
} // namespace tikc
