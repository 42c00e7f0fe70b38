#include "Lemmas.h"

#include "bounds/numbers/Binomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;

namespace {

Rational q(std::string_view text) { return parseDecimal(text).value(); }

std::string text(const Rational& number) { return number.get_str(); }
std::string text(unsigned long number) { return std::to_string(number); }

/// P(Bin(n, p) <= k), term by term in exact rationals.
Rational bruteTail(unsigned long k, unsigned long n, const Rational& p) {
  Rational sum = 0;
  for (unsigned long j = 0; j <= k && j <= n; ++j) {
    mpz_class ways;
    mpz_bin_uiui(ways.get_mpz_t(), n, j);
    Rational term = ways;
    for (unsigned long i = 0; i < n; ++i)
      term *= i < j ? p : Rational(1 - p);
    sum += term;
  }
  return sum;
}

TEST(Binomial, TailsAreExactForSmallSamples) {
  for (const char* rate : {"0.1", "0.5", "0.97"})
    for (unsigned long n : {1UL, 7UL, 40UL})
      for (unsigned long k = 0; k <= n; k += 3) {
        Real tail = binomialTail(k, n, Real(q(rate), manyBits));
        ASSERT_TRUE(tail.isExact());
        EXPECT_EQ(tail.lower(), bruteTail(k, n, q(rate))) << k << " of " << n << " at " << rate;
      }
}

TEST(Binomial, TailsOfLargeSamplesAgreeWithTheSumOfAllTerms) {
  constexpr unsigned long n = 3000;
  for (const char* rate : {"0.001", "0.3", "0.999"}) {
    Real p(q(rate), manyBits), sum(Rational(0), manyBits);
    unsigned long next = 0;
    for (unsigned long k : {0UL, 2UL, 870UL, 900UL, 2970UL, 2999UL}) {
      for (; next <= k; ++next)
        sum = sum + binomialTerm(next, n, p);
      Real tail = binomialTail(k, n, p);
      EXPECT_LE(tail.lower(), sum.upper());
      EXPECT_GE(tail.upper(), sum.lower());
      EXPECT_LE(Rational(tail.upper() - tail.lower()), Rational(q("1e-60") * tail.upper()));
    }
  }
}

TEST(ClopperPearson, IsTheRateAtWhichSoFewFailuresBecomeImprobable) {
  Rational slack = q("1e-30");
  for (unsigned long n : {2UL, 5UL, 30UL, 60UL})
    for (unsigned long k = 0; k < n; k += 1 + n / 4)
      for (const char* alpha : {"0.05", "0.001", "0.9"}) {
        Real bound = valueOf("S-CP", {{"k", text(k)}, {"n", text(n)}, {"alpha", alpha}});
        Rational below = bound.lower() * (1 - slack), above = bound.upper() * (1 + slack);
        EXPECT_GT(bruteTail(k, n, below), q(alpha));
        EXPECT_LT(bruteTail(k, n, above), q(alpha));
      }
  EXPECT_EQ(valueOf("S-CP", {{"k", "5"}, {"n", "5"}, {"alpha", "0.05"}}).lower(), 1);
  EXPECT_FALSE(applies("S-CP", {{"k", "6"}, {"n", "5"}, {"alpha", "0.05"}}));
  EXPECT_FALSE(applies("S-CP", {{"k", "0"}, {"n", "1e10"}, {"alpha", "0.05"}}));
}

TEST(ClopperPearson, WithoutFailuresHasAClosedForm) {
  for (unsigned long n : {1UL, 299UL, 10'000'000UL}) {
    Real general = valueOf("S-CP", {{"k", "0"}, {"n", text(n)}, {"alpha", "0.05"}});
    Real closed = valueOf("S-CP0", {{"n", text(n)}, {"alpha", "0.05"}});
    EXPECT_LE(general.lower(), closed.upper());
    EXPECT_GE(general.upper(), closed.lower());
  }
}

TEST(ClopperPearson, TenMillionTrials) {
  Real rare = valueOf("S-CP", {{"k", "10000"}, {"n", "10000000"}, {"alpha", "1e-6"}});
  Real middle = valueOf("S-CP", {{"k", "5000000"}, {"n", "10000000"}, {"alpha", "0.05"}});
  EXPECT_NEAR(rare.approximate(), 1e-3 + 4.7534 * std::sqrt(1e-3 / 1e7), 1e-6);
  EXPECT_NEAR(middle.approximate(), 0.5 + 1.6449 * std::sqrt(0.25 / 1e7), 1e-6);
  EXPECT_LT(Rational(middle.upper() - middle.lower()), q("1e-50"));
  // A root so near to 1 that no number of this precision lies between them.
  Real extreme = valueOf("S-CP", {{"k", "99"}, {"n", "100"}, {"alpha", "1e-300"}});
  EXPECT_EQ(extreme.upper(), 1);
  EXPECT_GT(extreme.lower(), q("0.999"));
}

TEST(ClopperPearson, AWitnessIsCheckedAndAProposedOneHolds) {
  const Lemma& witness = *findLemma("S-CP-W");
  for (auto [k, n] : {std::pair{0UL, 300UL}, {3UL, 100UL}, {70UL, 5000UL}, {8UL, 8UL}}) {
    std::vector<Real> arguments{{Rational(k), manyBits},
                                {Rational(n), manyBits},
                                {q("0.01"), manyBits},
                                {Rational(0), manyBits}};
    arguments[3] = Real(witness.choose(arguments).value(), manyBits);
    Result held = witness.evaluate(arguments);
    ASSERT_TRUE(held);
    Real best = valueOf("S-CP", {{"k", text(k)}, {"n", text(n)}, {"alpha", "0.01"}});
    EXPECT_LE(held->upper(), Rational(best.upper() * q("1.00000000001")));
    if (k == n)
      continue;
    arguments[3] = Real(Rational(best.lower() * q("0.999999999")), manyBits);
    EXPECT_FALSE(witness.evaluate(arguments));
  }
}

TEST(Trials, AreTheFewestThatAreEnough) {
  for (const char* alpha : {"0.05", "0.01", "0.25"})
    for (const char* theta : {"0.5", "0.01", "0.3"}) {
      Real n = valueOf("S-CP0-N", {{"alpha", alpha}, {"theta", theta}});
      ASSERT_TRUE(n.isExact());
      Rational power = 1, base = 1 - q(theta);
      unsigned long needed = 0;
      for (; power > q(alpha); ++needed)
        power *= base;
      EXPECT_EQ(n.lower(), needed) << alpha << " " << theta;
      EXPECT_EQ(valueOf("S-ORDER-N", {{"alpha", alpha}, {"p", text(base)}}).lower(), needed);
    }
  EXPECT_EQ(valueOf("S-ORDER-N", {{"p", "0.99"}, {"alpha", "0.05"}}).lower(), 299);
  EXPECT_EQ(valueOf("S-CP0-N", {{"alpha", "1/1024"}, {"theta", "1/2"}}).lower(), 10);
}

TEST(Order, IsTheLeastRankWithTheConfidence) {
  for (unsigned long n : {1UL, 3UL, 20UL, 60UL})
    for (const char* p : {"0.5", "0.9", "0.99"})
      for (const char* alpha : {"0.125", "0.05"}) {
        unsigned long rank = 1;
        while (rank <= n && bruteTail(rank - 1, n, q(p)) < 1 - q(alpha))
          ++rank;
        std::vector<NamedValue> inputs{{"n", text(n)}, {"p", p}, {"alpha", alpha}};
        ASSERT_EQ(applies("S-ORDER", inputs), rank <= n) << n << " " << p << " " << alpha;
        if (rank > n)
          continue;
        EXPECT_EQ(valueOf("S-ORDER", inputs).lower(), rank);
        EXPECT_EQ(valueOf("S-ORDER", inputs).upper(), rank);
      }
  EXPECT_FALSE(applies("S-ORDER", {{"n", "298"}, {"p", "0.99"}, {"alpha", "0.05"}}));
  EXPECT_EQ(valueOf("S-ORDER", {{"n", "299"}, {"p", "0.99"}, {"alpha", "0.05"}}).upper(), 299);
  double rank =
      valueOf("S-ORDER", {{"n", "1000000"}, {"p", "0.99"}, {"alpha", "0.05"}}).approximate();
  EXPECT_NEAR(rank, 990000 + 1.6449 * std::sqrt(9900), 2);
}

double coinKl(double x, double u) {
  return (x > 0 ? x * std::log(x / u) : 0) + (x < 1 ? (1 - x) * std::log((1 - x) / (1 - u)) : 0);
}

TEST(Chernoff, IsTheLargestMeanThatIsNotRuledOut) {
  for (double x : {0.0, 0.01, 0.5, 0.7})
    for (unsigned long n : {1UL, 50UL, 10'000'000UL}) {
      std::string mean = std::to_string(x);
      Real bound = valueOf("S-CHERN", {{"xbar", mean}, {"n", text(n)}, {"alpha", "0.01"}});
      double u = bound.approximate();
      EXPECT_GE(u, x);
      EXPECT_NEAR(static_cast<double>(n) * coinKl(x, u), std::log(100), 1e-3) << x << " " << n;
      EXPECT_LE(bound.upper(),
                valueOf("S-HOEFF", {{"xbar", mean}, {"n", text(n)}, {"alpha", "0.01"}, {"B", "1"}})
                    .upper());
      const Lemma& witness = *findLemma("S-CHERN-W");
      std::vector<Real> arguments{{q(mean), manyBits},
                                  {Rational(n), manyBits},
                                  {q("0.01"), manyBits},
                                  {Rational(0), manyBits}};
      arguments[3] = Real(witness.choose(arguments).value(), manyBits);
      Result held = witness.evaluate(arguments);
      ASSERT_TRUE(held);
      EXPECT_LE(held->upper(), Rational(bound.upper() * q("1.00000000001")));
      arguments[3] = Real(Rational(bound.lower() * q("0.999999")), manyBits);
      EXPECT_FALSE(witness.evaluate(arguments));
    }
  EXPECT_EQ(valueOf("S-CHERN", {{"xbar", "1"}, {"n", "9"}, {"alpha", "0.01"}}).upper(), 1);
}

TEST(BetaBinomial, IsTheLogarithmOfTheMixturesLikelihoodRatio) {
  for (auto [k, n] : {std::pair{0UL, 1UL}, {1UL, 1UL}, {4UL, 30UL}, {30UL, 30UL}}) {
    // The mixture's probability of one sequence is a product of (failures + ½)/(trials + 1).
    double evidence = 0;
    for (unsigned long i = 0; i < n; ++i) {
      bool failed = i < k;
      double seen = failed ? static_cast<double>(i) : static_cast<double>(i - k);
      evidence +=
          std::log((seen + 0.5) / static_cast<double>(i + 1)) - std::log(failed ? 0.2 : 0.8);
    }
    Real value = valueOf("S-BETABIN", {{"k", text(k)}, {"n", text(n)}, {"p", "0.2"}});
    EXPECT_NEAR(value.approximate(), evidence, 1e-9);
  }
  // An e-value has mean 1 under its hypothesis.
  Real mean(Rational(0), manyBits);
  for (unsigned long k = 0; k <= 12; ++k)
    mean = mean + binomialTerm(k, 12, Real(q("0.3"), manyBits)) *
                      exp(valueOf("S-BETABIN", {{"k", text(k)}, {"n", "12"}, {"p", "0.3"}}));
  EXPECT_LE(mean.lower(), 1);
  EXPECT_GE(mean.upper(), 1);
}

TEST(Coverage, OfBoundsForAFixedNumberIsAsStatedAndPeekingBreaksIt) {
  constexpr double rate = 0.2, alpha = 0.05;
  constexpr unsigned long n = 60;
  constexpr int runs = 2000;
  std::vector<double> byCount, byMean;
  for (unsigned long k = 0; k <= n; ++k) {
    byCount.push_back(
        valueOf("S-CP", {{"k", text(k)}, {"n", text(n)}, {"alpha", "0.05"}}).approximate());
    byMean.push_back(
        valueOf("S-CHERN", {{"xbar", text(Rational(k, n))}, {"n", text(n)}, {"alpha", "0.05"}})
            .approximate());
  }
  auto hoeffding = [&](unsigned long k, unsigned long m, double level) {
    auto size = static_cast<double>(m);
    return static_cast<double>(k) / size + std::sqrt(-std::log(level) / (2 * size));
  };
  std::mt19937_64 random(20240607);
  std::bernoulli_distribution fails(rate);
  int missed = 0, missedChernoff = 0, missedOnce = 0, missedPeeking = 0, missedLooks = 0;
  for (int run = 0; run < runs; ++run) {
    unsigned long k = 0;
    bool peeking = false, looks = false;
    for (unsigned long m = 1; m <= n; ++m) {
      k += fails(random);
      auto j = static_cast<double>(m);
      peeking |= hoeffding(k, m, 0.4) < rate;
      looks |= hoeffding(k, m, 0.4 / (j * (j + 1))) < rate;
    }
    missed += byCount[k] < rate;
    missedChernoff += byMean[k] < rate;
    missedOnce += hoeffding(k, n, 0.4) < rate;
    missedPeeking += peeking;
    missedLooks += looks;
  }
  EXPECT_LE(missed, runs * alpha * 1.3);
  EXPECT_GE(missed, runs * alpha * 0.3);
  EXPECT_LE(missedChernoff, missed);
  EXPECT_LE(missedOnce, runs * 0.4);
  EXPECT_GE(missedPeeking, 3 * missedOnce);
  EXPECT_LE(missedLooks, runs * 0.4);
}

TEST(Means, AConvexBoundTakesNoneOfThem) {
  // Oscillation 4 on an eighth of the contexts, none elsewhere: the mean is 0.5.
  Real attained = valueOf("L-KL-OSC", {{"omega", "4"}}) / 8;
  Real naive = valueOf("L-KL-OSC", {{"omega", "0.5"}});
  Real chord = valueOf("L-M-CHORD-KL", {{"mean", "0.5"}, {"cap", "4"}});
  EXPECT_GT((attained / naive).approximate(), 6.7);
  EXPECT_LE(attained.lower(), chord.upper());
  EXPECT_GE(attained.upper(), chord.lower());
  EXPECT_EQ(valueOf("L-M-CHORD-KL", {{"mean", "9"}, {"cap", "4"}}).upper(),
            valueOf("L-KL-OSC", {{"omega", "4"}}).upper());
}

TEST(Means, WithAQuantileAreBoundedByEither) {
  for (const char* mean : {"0", "0.2", "0.3", "0.31", "0.5", "5"})
    for (const char* alpha : {"0", "0.05", "1"})
      for (const char* cap : {"0.1", "1", "4"}) {
        Real both =
            valueOf("L-MQ", {{"mean", mean}, {"alpha", alpha}, {"omega", "0.3"}, {"cap", cap}});
        Real byMean = valueOf("L-M-JENSEN", {{"mean", mean}});
        Real byQuantile = valueOf("L-Q-MEAN", {{"alpha", alpha}, {"omega", "0.3"}, {"cap", cap}});
        Rational slack = q("1e-60");
        EXPECT_LE(both.lower(), Rational(byMean.upper() + slack))
            << mean << " " << alpha << " " << cap;
        if (q(mean) >= q("0.3")) {
          EXPECT_LE(both.lower(), Rational(byQuantile.upper() + slack))
              << mean << " " << alpha << " " << cap;
        }
      }
}

TEST(Composition, HypothesesThatFailGiveNothing) {
  EXPECT_FALSE(applies("G-Q-MEAN", {{"b", "0.01"}, {"alpha", "0.02"}}));
  EXPECT_TRUE(applies("G-Q-MEAN", {{"b", "0.02"}, {"alpha", "0.02"}}));
  EXPECT_FALSE(applies("S-DKW", {{"n", "10"}, {"alpha", "0.51"}}));
  EXPECT_FALSE(
      applies("S-EB", {{"xbar", "0"}, {"var", "0"}, {"n", "1"}, {"alpha", "0.1"}, {"B", "1"}}));
  EXPECT_FALSE(applies("S-HOEFF", {{"xbar", "2"}, {"n", "9"}, {"alpha", "0.1"}, {"B", "1"}}));
  EXPECT_FALSE(applies("S-EBCS-PSI", {{"lam", "1"}}));
  EXPECT_FALSE(applies("L-CH-REN", {{"alpha", "1"}, {"first", "1"}, {"second", "1"}}));
  EXPECT_FALSE(applies("L-FP-GAMMA", {{"n", "256"}, {"format", "bf16"}}));
  EXPECT_TRUE(applies("L-FP-GAMMA", {{"n", "255"}, {"format", "bf16"}}));
  EXPECT_FALSE(
      applies("L-NET-NORM", {{"ginf", "1"}, {"rms", "1"}, {"e", "4"}, {"d", "4"}, {"eps", "1"}}));
  EXPECT_FALSE(applies("S-BETABIN", {{"k", "2"}, {"n", "1"}, {"p", "0.5"}}));
}

TEST(Composition, RoundingBoundsAreExactRationals) {
  EXPECT_EQ(valueOf("L-FP-JR", {{"n", "512"}, {"format", "bf16"}}).upper(), 2);
  EXPECT_EQ(valueOf("L-FP-DOT", {{"n", "1"}, {"format", "bf16"}, {"total", "255"}}).upper(), 1);
  EXPECT_EQ(valueOf("L-FP-MIX", {{"n", "1"}, {"format", "bf16"}}).upper(), Rational(1, 256));
  // bf16 keeps 5 bits behind the point of numbers in [4, 8).
  EXPECT_EQ(valueOf("L-FP-LOGIT", {{"k", "3"}, {"format", "bf16"}}).upper(), Rational(1, 64));
  EXPECT_EQ(valueOf("L-NET-HEAD", {{"D", "1.5"}, {"e", "0.1"}}).upper(), q("0.15"));
  EXPECT_EQ(valueOf("S-LOOKS", {{"alpha", "0.05"}, {"j", "4"}}).upper(), q("0.0025"));
  EXPECT_EQ(valueOf("S-BONF", {{"alpha", "0.05"}, {"K", "5"}}).upper(), q("0.01"));
}

} // namespace
