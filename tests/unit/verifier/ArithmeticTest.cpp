#include "verifier/Number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace verify {
namespace {

Rational decimal(std::string digits) {
  bool isNegative = digits.starts_with('-');
  digits.erase(0, isNegative ? 1 : 0);
  std::size_t point = digits.find('.');
  Integer scale = 1;
  for (std::size_t i = point + 1; i < digits.size(); ++i)
    scale = scale * 10;
  digits.erase(point, 1);
  Integer top = Integer::parse(digits);
  return {isNegative ? -top : top, scale};
}

/// The digits are right but for the last one.
void expectNear(const Number& x, const std::string& digits) {
  Rational value = decimal(digits);
  Integer scale = 1;
  for (std::size_t i = digits.find('.') + 1; i < digits.size(); ++i)
    scale = scale * 10;
  Rational last(1, scale);
  EXPECT_LT(x, Number(value + last)) << digits;
  EXPECT_LT(Number(value - last), x) << digits;
}

double approximate(const Number& x) {
  Interval value = x.interval();
  std::int64_t surplus = std::max<std::int64_t>(0, value.hi.bits() - 60);
  return std::ldexp(static_cast<double>(value.hi.shiftedDown(surplus).small()),
                    static_cast<int>(value.exponent + surplus));
}

TEST(Integer, DividesAsItMultiplies) {
  std::mt19937_64 random(1);
  auto number = [&](int words) {
    Integer out;
    for (int i = 0; i < words; ++i) {
      std::uint64_t word = random() % 8 == 0   ? 0xffff'ffff
                           : random() % 8 == 1 ? 0
                                               : random() & 0xffff'ffff;
      out = out.shiftedLeft(32) + Integer(static_cast<std::int64_t>(word));
    }
    return out;
  };
  for (int i = 0; i < 20'000; ++i) {
    Integer a = number(static_cast<int>(random() % 9)),
            b = number(1 + static_cast<int>(random() % 5)) + 1;
    a = random() % 2 == 0 ? a : -a;
    Integer quotient = floorDivide(a, b), rest = a - quotient * b;
    ASSERT_FALSE(rest.isNegative());
    ASSERT_TRUE(rest < b);
    Integer root = rootOf(b);
    ASSERT_TRUE(root * root <= b && b < (root + 1) * (root + 1));
    ASSERT_EQ(Integer::parse(b.decimal()), b);
    auto by = static_cast<std::int64_t>(random() % 100);
    ASSERT_EQ(a.shiftedDown(by), floorDivide(a, Integer(1).shiftedLeft(by)));
    ASSERT_EQ(floorDivide(gcd(a * b, b * b), b) * b, gcd(a * b, b * b));
  }
}

TEST(Number, StaysExactWhileStepsAreRational) {
  Number x = Number(Rational(3, 20)) * Rational(2, 3) + Rational(9, 10);
  ASSERT_TRUE(x.exact());
  EXPECT_EQ(*x.exact(), Rational(1));
  EXPECT_EQ(*sqrt(Number(Rational(9, 16))).exact(), Rational(3, 4));
  EXPECT_EQ(*pow(Number(Rational(1, 2)), Number(10)).exact(), Rational(1, 1024));
  EXPECT_TRUE(exp(Number(0)).exact() && log(Number(1)).exact());
  EXPECT_FALSE(sqrt(Number(2)).exact());
}

TEST(Number, KnowsConstantsToSixtyDigits) {
  expectNear(exp(Number(1)), "2.718281828459045235360287471352662497757247093699959574966967628");
  expectNear(log(Number(2)), "0.693147180559945309417232121458176568075500134360255254120680009");
  expectNear(sqrt(Number(2)), "1.414213562373095048801688724209698078569671875376948073176679738");
  expectNear(tanh(Number(Rational(1, 16))),
             "0.0624187467475125144901428911942113341069403215262097361317443691");
  expectNear(atanh(Number(Rational(1, 3))),
             "0.346573590279972654708616060729088284037750067180127627060340005");
  expectNear(log(Number(Rational(3, 1'000'000))),
             "-12.7168982692961644127127034911836595409591183739498884044652731");
}

TEST(Number, AgreesWithLongDouble) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    auto top = static_cast<std::int64_t>(random() % 2'000'001) - 1'000'000;
    auto bottom = static_cast<std::int64_t>(1 + random() % 100'000);
    long double x = static_cast<long double>(top) / static_cast<long double>(bottom);
    Number number = Rational(top, bottom);
    auto expectClose = [&](const Number& ours, long double theirs) {
      if (std::isfinite(static_cast<double>(theirs)) && std::fabs(theirs) > 1e-290L) {
        EXPECT_NEAR(approximate(ours / number) * static_cast<double>(x / theirs), 1, 1e-15)
            << top << '/' << bottom;
      }
    };
    if (top == 0)
      continue;
    if (std::fabs(x) < 600) {
      expectClose(exp(number), std::exp(x));
      expectClose(expm1(number), std::expm1(x));
      expectClose(tanh(number), std::tanh(x));
    }
    if (x > 0) {
      if (x < 600) {
        expectClose(sinh(number), std::sinh(x));
        expectClose(cosh(number), std::cosh(x));
      }
      expectClose(log1p(number), std::log1p(x));
      expectClose(sqrt(number), std::sqrt(x));
    }
  }
}

// Identities, where lengths, signs and reductions change: the two sides must meet, and be narrow.
TEST(Number, HoldsAtHardPlaces) {
  std::vector<Rational> places;
  for (int shift : {0, 1, 2, 3, 4, 5, 10, 63, 64, 200, 400})
    for (int odd : {1, 3, 7})
      for (int sign : {-1, 1}) {
        places.emplace_back(Integer(sign * odd), Integer(1).shiftedLeft(shift));
        places.emplace_back(Integer(sign * odd), Integer(1).shiftedLeft(shift) + 1);
      }
  places.insert(places.end(), {Rational(1'000'000), Rational(-1'000'000),
                               Rational(693'147, 1'000'000), Rational(346'574, 1'000'000)});
  auto meet = [](const Number& a, const Number& b) {
    Interval difference = (a - b).interval(), size = a.interval();
    EXPECT_TRUE(difference.lo.sign() <= 0 && difference.hi.sign() >= 0);
    std::int64_t width = (difference.hi - difference.lo).bits() + difference.exponent;
    EXPECT_LT(width, size.hi.bits() + size.exponent - 150);
  };
  for (const Rational& x : places) {
    meet(exp(Number(x)) * exp(-Number(x)), Number(Rational(1)));
    meet(expm1(Number(x)) * exp(-Number(x)), -expm1(-Number(x)));
    if (Rational(0) < x)
      meet(log1p(Number(x)), -log1p(-Number(x) / (1 + Number(x))));
    if (Rational(-300) < x && x < Rational(300))
      meet(log(exp(Number(x)) * 3), Number(x) + log(Number(3)));
  }
}

TEST(Number, EnclosesMoreNarrowlyWithMoreBits) {
  for (std::int64_t bits : {64, 128, 1000, 5000}) {
    Precision precision(bits);
    for (const Number& x : {exp(Number(Rational(7, 3))), log(Number(Rational(7, 3))),
                            sqrt(Number(7)), tanh(Number(Rational(-1, 9)))}) {
      Interval value = x.interval();
      EXPECT_LT((value.hi - value.lo).bits(),
                std::max(value.hi.bits(), value.lo.bits()) - bits + 40);
    }
  }
}

TEST(Number, LeavesItsDomain) {
  EXPECT_THROW(sqrt(Number(-1)), Undecided);
  EXPECT_THROW(log(Number(-1)), Undecided);
  EXPECT_THROW(log(Number(0)), Undecided);
  EXPECT_THROW(Number(1) / Number(0), Undecided);
  EXPECT_THROW(exp(Number(Rational(Integer(1).shiftedLeft(100), 1))), Undecided);
}

} // namespace
} // namespace verify
