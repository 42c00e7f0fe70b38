#include "tools/Rounds.h"
#include "unit/verifier/Certificate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace verify::tests {
namespace {

Integer integer(const mpz_class& x) {
  Integer size = Integer::parse(mpz_class(abs(x)).get_str());
  return x < 0 ? -size : size;
}

Number number(const mpq_class& x) { return {integer(x.get_num()), integer(x.get_den())}; }

/// Whether the number is surely within 10^-digits of the value.
void expectNear(const Number& x, const mpq_class& value, int digits) {
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(digits));
  EXPECT_LT(x, number(value + mpq_class(1, scale))) << value;
  EXPECT_LT(number(value - mpq_class(1, scale)), x) << value;
}

mpq_class rational(std::string digits) {
  std::size_t places = digits.size() - digits.find('.') - 1;
  digits.erase(digits.find('.'), 1);
  mpq_class out(mpz_class(digits, 10), mpz_class("1" + std::string(places, '0')));
  out.canonicalize();
  return out;
}

class Random {
public:
  explicit Random(unsigned seed) : words_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return words_() % limit; }
  /// With many words that are all zeros or ones.
  mpz_class whole(std::uint64_t words) {
    mpz_class out = 0;
    for (std::uint64_t i = below(words + 1); i > 0; --i) {
      std::uint64_t kind = below(8);
      out = (out << 32) + (kind == 0   ? 0xffff'ffffU
                           : kind == 1 ? 0U
                                       : static_cast<std::uint32_t>(words_()));
    }
    return below(2) == 0 ? out : mpz_class(-out);
  }
  mpq_class fraction(std::uint64_t words) {
    mpq_class out(whole(words), abs(whole(words)) + 1);
    out.canonicalize();
    return out;
  }

private:
  std::mt19937_64 words_;
};

TEST(Integer, AgreesWithGmp) {
  Random random(1);
  for (int i = 0; i < 20'000; ++i) {
    mpz_class a = random.whole(9), b = random.whole(6), quotient, root, shifted;
    mpz_class divisor = abs(b) + 1;
    mpz_fdiv_q(quotient.get_mpz_t(), a.get_mpz_t(), divisor.get_mpz_t());
    mpz_sqrt(root.get_mpz_t(), divisor.get_mpz_t());
    auto by = static_cast<std::int64_t>(random.below(100));
    mpz_fdiv_q_2exp(shifted.get_mpz_t(), a.get_mpz_t(), static_cast<mp_bitcnt_t>(by));
    Integer x = integer(a), y = integer(b);
    ASSERT_EQ(whole(x), a);
    ASSERT_EQ(whole(x + y), a + b);
    ASSERT_EQ(whole(x - y), a - b);
    ASSERT_EQ(whole(x * y), a * b);
    ASSERT_EQ(x < y, a < b);
    ASSERT_EQ(x == y, a == b);
    ASSERT_EQ(whole(floorDivide(x, integer(divisor))), quotient);
    ASSERT_EQ(whole(rootOf(integer(divisor))), root);
    ASSERT_EQ(whole(x.shifted(-by)), shifted);
    ASSERT_EQ(whole(x.shifted(by)), a << static_cast<mp_bitcnt_t>(by));
    ASSERT_EQ(x.bits(), a == 0 ? 0 : static_cast<std::int64_t>(mpz_sizeinbase(a.get_mpz_t(), 2)));
  }
}

TEST(Number, StaysExactWhileStepsAreRational) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    mpq_class a = random.fraction(4), b = random.fraction(4);
    Number x = number(a), y = number(b);
    ASSERT_TRUE(x + y == number(a + b) && x - y == number(a - b) && x * y == number(a * b));
    ASSERT_EQ(x < y, a < b);
    ASSERT_EQ(x <= y, a <= b);
    ASSERT_TRUE(max(x, y) == number(a < b ? b : a) && min(x, y) == number(a < b ? a : b));
    if (b != 0) {
      ASSERT_TRUE(x / y == number(a / b));
    }
    ASSERT_TRUE(sqrt(x * x) == max(x, -x));
  }
  EXPECT_TRUE(sqrt(Number(2, 8)) == Number(1, 2));
  EXPECT_TRUE(pow(Number(1, 2), 10) == Number(1, 1024));
  EXPECT_TRUE(exp(Number(0)) == 1 && log(Number(1)) == 0);
}

// With few bits every operation rounds; the exact value must stay inside.
TEST(Number, EnclosesWhatItRounds) {
  Random random(3);
  for (std::int64_t bits : {8, 64, 200}) {
    Precision precision(bits);
    for (int i = 0; i < 300; ++i) {
      mpq_class a = random.fraction(3), b = random.fraction(3);
      Number x = number(a) + log(Number(3)) * 0, blur = Number::between(number(a) * 1, number(a));
      Number wide = Number::between(number(a - mpq_class(1, 1000)), number(a + mpq_class(1, 1000)));
      auto contains = [](const Number& outer, const mpq_class& value) {
        try {
          return !(outer < number(value)) && !(number(value) < outer);
        } catch (const Undecided&) {
          return true;
        }
      };
      ASSERT_TRUE(contains(wide + number(b), a + b) && contains(wide - number(b), a - b));
      ASSERT_TRUE(contains(wide * number(b), a * b) && contains(wide * wide, a * a));
      ASSERT_TRUE(contains(max(wide, number(b)), a < b ? b : a) && contains(blur, a) &&
                  contains(x, a));
      if (abs(b) > mpq_class(1, 1000)) {
        ASSERT_TRUE(contains(wide / number(b), a / b));
      }
      if (abs(a) > mpq_class(1, 100)) {
        ASSERT_TRUE(contains(number(b) / wide, b / a));
      }
      if (a > mpq_class(1, 100)) {
        ASSERT_TRUE(contains(sqrt(wide) * sqrt(wide), a));
      }
    }
  }
}

TEST(Number, KnowsConstantsToSixtyDigits) {
  expectNear(exp(Number(1)),
             rational("2.718281828459045235360287471352662497757247093699959574966967628"), 60);
  expectNear(log(Number(2)),
             rational("0.693147180559945309417232121458176568075500134360255254120680009"), 60);
  expectNear(sqrt(Number(2)),
             rational("1.414213562373095048801688724209698078569671875376948073176679738"), 60);
  expectNear(function("tanh(a)", {1, 16}),
             rational("0.0624187467475125144901428911942113341069403215262097361317443691"), 60);
  expectNear(function("atanh(a)", {1, 3}),
             rational("0.346573590279972654708616060729088284037750067180127627060340005"), 60);
  expectNear(log(Number(3, 1'000'000)),
             rational("-12.7168982692961644127127034911836595409591183739498884044652731"), 60);
}

TEST(Number, AgreesWithLongDouble) {
  Random random(4);
  auto expectClose = [](const Number& ours, long double theirs, long double x) {
    long double size = std::max(1.0L, std::fabs(theirs));
    mpq_class value(static_cast<double>(theirs / size));
    value *= mpq_class(static_cast<double>(size));
    Number room = number(mpq_class(static_cast<double>(size)) / 1'000'000'000'000);
    EXPECT_TRUE(ours < number(value) + room && number(value) - room < ours)
        << static_cast<double>(x);
  };
  for (int i = 0; i < 200; ++i) {
    auto top = static_cast<std::int64_t>(random.below(200'001)) - 100'000;
    auto bottom = static_cast<std::int64_t>(1 + random.below(50'000));
    long double x = static_cast<long double>(top) / static_cast<long double>(bottom);
    if (std::fabs(x) < 30) {
      expectClose(exp(Number(top, bottom)), std::exp(x), x);
      expectClose(function("tanh(a)", {top, bottom}), std::tanh(x), x);
      expectClose(function("sinh(a)", {top, bottom}), std::sinh(x), x);
    }
    if (x > 0)
      expectClose(log(Number(top, bottom)), std::log(x), x);
  }
}

// Identities, where lengths, signs and reductions change: the two sides must meet, and be narrow.
TEST(Number, HoldsAtHardPlaces) {
  Precision precision(384);
  std::vector<mpq_class> places = {100, -100, {693'147, 1'000'000}, {346'574, 1'000'000}};
  for (unsigned shift : {0U, 1U, 2U, 3U, 4U, 5U, 10U, 63U, 64U, 100U})
    for (int odd : {1, 3, 7, -1, -3, -7})
      for (int more : {0, 1})
        places.emplace_back(odd, (mpz_class(1) << shift) + more);
  auto meet = [](const Number& a, const Number& b) {
    const Number narrow(1, Integer(1).shifted(200));
    EXPECT_TRUE(a < b + narrow && b < a + narrow);
  };
  unsigned tried = 0;
  for (mpq_class& place : places) {
    place.canonicalize();
    if (!tikc::tests::isTried(tried++))
      continue;
    Number x = number(place);
    meet(exp(x) * exp(-x), 1);
    meet(exp(x / 2) * exp(x / 2) * exp(-x), 1);
    if (place > 0)
      meet(log(x), -log(1 / x));
    if (abs(place) < 300)
      meet(log(exp(x) * 3), x + log(Number(3)));
  }
}

TEST(Number, LeavesItsDomain) {
  EXPECT_THROW(sqrt(Number(-1)), Undecided);
  EXPECT_THROW(log(Number(-1)), Undecided);
  EXPECT_THROW(log(Number(0)), Undecided);
  EXPECT_THROW(Number(1) / Number(0), Undecided);
  EXPECT_THROW(exp(Number(Integer(1).shifted(100), 1)), Undecided);
}

} // namespace
} // namespace verify::tests
