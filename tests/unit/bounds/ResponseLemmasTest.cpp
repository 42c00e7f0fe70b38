#include "SmallKernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;

/// Lemmas on whole responses, rewards, gradients and support at single points: where a tempting
/// bound breaks, and where the exact value is known.
namespace {

// Traps: the tempting bound is broken, ours is kept.

TEST(ResponseTrapsTest, MeansDoNotMultiplyOverSteps) { // X-SEQ-PRODMEAN
  // After the first token only the prefix that both kernels reach differs, and wholly.
  Process process{{0.5, 0, 0.5}, {0.5, 0.5, 0}, {{0, 1}, {1, 0}, {1, 0}}, {{1, 0}, {1, 0}, {1, 0}}};
  double first = tvOf(process.p1, process.q1);
  double second = 0.5 * tvOf(process.p2[0], process.q2[0]);
  double whole = tvOf(process.p(), process.q());
  EXPECT_EQ(first, 0.5);
  EXPECT_EQ(second, 0.5);
  EXPECT_EQ(whole, 1);
  EXPECT_LT(bound("L-SEQ-TV", {{"tau", 0.5}, {"T", 2}}), whole) << "fed with a mean it must break";
  EXPECT_GE(bound("L-SEQ-TVMEAN", {{"tau", 0.5}, {"T", 2}}), whole);
  EXPECT_GE(bound("L-SEQ-TV", {{"tau", 1}, {"T", 2}}), whole);
}

TEST(ResponseTrapsTest, LengthsDoNotEnterTheProduct) { // X-SEQ-LENPROD
  // Stop or go on, by halves; the trainer moves half of its mass from stopping to a third token,
  // and half of it again to another token after going on.
  double tau = 0.5;
  Masses q{0.5, 0.5, 0, 0}, p{0, 0.25, 0.5, 0.25};
  double whole = tvOf(p, q);
  double product = 0.5 * tau + 0.5 * (1 - (1 - tau) * (1 - tau));
  EXPECT_EQ(whole, 0.75);
  EXPECT_LT(product, whole);
  EXPECT_GE(bound("L-SEQ-LEN", {{"tau", tau}, {"L", 1.5}}), whole);
  EXPECT_GE(bound("L-SEQ-TV", {{"tau", tau}, {"T", 2}}), whole);
}

TEST(ResponseTrapsTest, RewardsNeedTheirWholeRange) { // X-R-HALF
  Masses p{0.75, 0.25}, q{0.25, 0.75};
  double drift = (p[1] - p[0]) - (q[1] - q[0]);
  double tv = tvOf(p, q);
  EXPECT_GT(std::abs(drift), 1 * tv);
  EXPECT_GE(bound("L-R-TV", {{"lo", -1}, {"hi", 1}, {"tv", tv}}), std::abs(drift));
  EXPECT_GE(bound("L-R-RANGE", {{"range", 2}, {"tv", tv}}), std::abs(drift));
}

TEST(ResponseTrapsTest, TokenWeightsLeaveThePrefixes) { // X-PG-TOKUNB
  // The second step is the same, its weight is 1, and its term is the sign of the first token.
  Masses p{0.9, 0.1}, q{0.5, 0.5};
  double bias = (q[0] - q[1]) - (p[0] - p[1]);
  EXPECT_NEAR(std::abs(bias), 0.8, slack);
  EXPECT_GE(bound("L-PG-TOK-TV", {{"B", 1}, {"tau", tvOf(p, q)}, {"T", 2}}),
            std::abs(bias) - slack);
  EXPECT_EQ(bound("L-PG-TOK-TV", {{"B", 1}, {"tau", 0.4}, {"T", 1}}), 0)
      << "one step has no prefix";
}

TEST(ResponseTrapsTest, ClippingToNothingIsTheUncorrectedEstimator) { // X-CLIP0
  Masses q{0.2, 0.8}, p{0.5, 0.5};
  double omega = oscillation(p, q);
  auto loss = [&](double c) {
    return expected(p, q, [c](double w) { return std::abs(w - std::clamp(w, 1 - c, 1 + c)); });
  };
  EXPECT_NEAR(loss(0), 2 * tvOf(p, q), slack);
  double last = bound("L-PG-CLIP-OSC", {{"omega", omega}, {"c", 0}});
  EXPECT_GT(last, 0.6);
  for (double c : {0.1, 0.3, 0.6, 1.0, 2.0}) {
    double next = bound("L-PG-CLIP-OSC", {{"omega", omega}, {"c", c}});
    EXPECT_LT(next, last) << c;
    EXPECT_GE(next, loss(c) - slack) << c;
    last = next;
  }
}

TEST(ResponseTrapsTest, BaselinesAreNotFreeOffPolicy) { // X-BASELINE
  Masses p{0.5, 0.5}, q{0.8, 0.2};
  double mean = std::hypot(q[0] - p[0], q[1] - p[1]); // of e_y − p under q
  EXPECT_GT(mean, 0.4);
  double norm = std::hypot(0.5, 0.5);
  EXPECT_GE(bound("L-PG-BASE", {{"G", norm}, {"tv", tvOf(p, q)}}), mean - slack);
  EXPECT_GE(bound("L-SCORE", {{"py", 0.5}}), norm - slack);
}

TEST(ResponseTrapsTest, MeanMissingMassSaysNothingOfWholeResponses) {
  // The trainer takes a first token that is hardly sampled, and after it one that never is.
  double rare = 1e-3, missing = 1, terms = 2; // B = 1, both terms in one direction
  double meanEta = rare * 1 / 2;
  double bias = missing * terms;
  EXPECT_LT(bound("L-SUP-IS-SUM", {{"B", 1}, {"eta", meanEta}, {"T", 2}}), bias);
  EXPECT_GE(bound("L-SUP-IS-WHOLE", {{"B", 1}, {"eta", 1}, {"T", 2}}), bias);
  // Nor does a supremum enter linearly: each missing response takes both terms along.
  double eta = 0.01, gone = 1 - (1 - eta) * (1 - eta);
  EXPECT_LT(bound("L-SUP-IS-SUM", {{"B", 1}, {"eta", eta}, {"T", 2}}), gone * terms);
  EXPECT_GE(bound("L-SUP-IS-WHOLE", {{"B", 1}, {"eta", eta}, {"T", 2}}), gone * terms - slack);
}

// Exact values.

/// The total variation of Bin(T, s) and Bin(T, 1 − s).
double binomials(double delta, unsigned n) {
  double logS = -std::log1p(std::exp(-delta)), logF = -std::log1p(std::exp(delta));
  double sum = 0, logChoose = 0;
  for (unsigned j = 0; j <= n; ++j) {
    double a = logChoose + j * logS + (n - j) * logF, b = logChoose + j * logF + (n - j) * logS;
    sum += std::abs(std::exp(a) - std::exp(b));
    logChoose += std::log(double(n - j)) - std::log(double(j + 1));
  }
  return sum / 2;
}

TEST(ResponseValuesTest, CoinTosses) {
  for (double delta : {1e-3, 0.01, 0.1, 0.5, 1.0, 3.0, 10.0})
    for (unsigned n : {1u, 2u, 3u, 4u, 7u, 12u, 129u, 130u, 131u, 400u, 2001u}) {
      Real value = enclosure("L-SEQ-RR", {{"delta", delta}, {"T", double(n)}});
      EXPECT_NEAR(value.upper().get_d(), binomials(delta, n), 1e-10) << delta << " " << n;
      EXPECT_LE(value.upper().get_d(), 1);
      EXPECT_LT(Rational(value.upper() - value.lower()).get_d(), 1e-70) << delta << " " << n;
    }
  EXPECT_EQ(bound("L-SEQ-RR", {{"delta", 0}, {"T", 100}}), 0);
}

TEST(ResponseValuesTest, CoinTossesOfLongResponses) {
  // Normal approximation of ½·|Z shifted|: erf(delta/2·√(T/2)), to about 1/T.
  for (unsigned n : {4096u, 100'000u, 1'000'000u})
    for (double units : {0.01, 0.5, 2.0, 6.0, 40.0}) {
      double delta = units / std::sqrt(double(n));
      Real value = enclosure("L-SEQ-RR", {{"delta", delta}, {"T", double(n)}});
      EXPECT_NEAR(value.upper().get_d(), std::erf(units / 2 / std::sqrt(2.0)), 3e-3)
          << n << " " << units;
      EXPECT_LT(Rational(value.upper() - value.lower()).get_d(), 1e-70) << n << " " << units;
      EXPECT_LE(value.lower().get_d(),
                bound("L-SEQ-HEL", {{"omega", 2 * delta}, {"T", double(n)}}));
    }
  EXPECT_FALSE(applies("L-SEQ-RR", {{"delta", 0.1}, {"T", 3e6}}));
}

/// The sums that the lemmas have closed forms or recurrences for, term by term.
struct Sums {
  long double hits = 0;      // gamma^(t−1)·(1 − (1 − drift)^t)
  long double hellinger = 0; // gamma^(t−1)·√(1 − sech(drift/4)^(2t))
  long double length = 0;    // gamma^(t−1)
  long double rests = 0;     // gamma^(t−1)·(1 + gamma + … + gamma^(n−t))
  long double lastHit = 0;

  Sums(long double drift, long double gamma, int n) {
    long double half = std::sinh(drift / 8);
    for (int t = 1; t <= n; ++t) {
      long double weight = std::pow(gamma, t - 1), rest = 0;
      for (int i = 0; i <= n - t; ++i)
        rest += std::pow(gamma, i);
      lastHit = -std::expm1(t * std::log1p(-drift));
      hits += weight * lastHit;
      hellinger += weight * std::sqrt(-std::expm1(-2 * t * std::log1p(2 * half * half)));
      length += weight;
      rests += weight * rest;
    }
  }
};

TEST(ResponseValuesTest, DiscountedSums) {
  for (double gamma : {0.0, 0.5, 0.99, 1 - 1e-9, 1.0})
    for (double drift : {1e-12, 1e-4, 0.3, 1.0})
      for (int n : {1, 2, 17, 300}) {
        Sums sums(drift, gamma, n);
        auto expectNear = [&](double found, long double wanted) {
          EXPECT_NEAR(found, double(wanted), 1e-12 * double(wanted))
              << "gamma " << gamma << " drift " << drift << " T " << n;
        };
        Input range{"range", 3}, discount{"gamma", gamma}, horizon{"T", double(n)}, b{"B", 1.5};
        Input tau{"tau", drift}, omega{"omega", drift};
        expectNear(bound("L-R-DISC-T", {range, tau, discount, horizon}), 3 * sums.hits);
        expectNear(bound("L-R-DISC-HEL", {range, omega, discount, horizon}), 3 * sums.hellinger);
        expectNear(bound("L-R-DISC-RETURN", {range, discount, horizon, {"tv", 1}}),
                   3 * sums.length);
        expectNear(bound("L-R-DISCMEAN-T", {range, tau, discount, horizon}),
                   3 * drift * sums.rests);
        if (gamma < 1) {
          EXPECT_GE(bound("L-R-DISC", {range, tau, discount}), double(3 * sums.hits) * (1 - 1e-14));
          continue;
        }
        expectNear(bound("L-PG-SEQNAIVE-TV", {b, tau, horizon}), 3 * sums.hits);
        expectNear(bound("L-PG-SEQNAIVE-HEL", {b, omega, horizon}), 3 * sums.hellinger);
        expectNear(bound("L-PG-TOK-TV", {b, tau, horizon}), 3 * (sums.hits - sums.lastHit));
      }
}

TEST(ResponseValuesTest, LongSumsKeepTheirDigits) {
  Real value =
      enclosure("L-R-DISC-HEL", {{"range", 1}, {"omega", 1e-9}, {"gamma", 0.999}, {"T", 4096}});
  EXPECT_LT(Rational((value.upper() - value.lower()) / value.upper()).get_d(), 1e-70);
  EXPECT_FALSE(
      applies("L-R-DISC-HEL", {{"range", 1}, {"omega", 0.1}, {"gamma", 1}, {"T", 100'001}}));
  EXPECT_FALSE(applies("L-R-DISC", {{"range", 1}, {"tau", 0.1}, {"gamma", 1}}));
}

TEST(ResponseValuesTest, InversesMeetTheirBudget) {
  for (double b : {1e-9, 0.01, 0.3, 0.9}) {
    auto meets = [&](std::string_view id, std::string_view inverse, const char* drift,
                     Inputs rest) {
      Inputs budget = rest;
      budget.push_back({"b", b});
      double largest = enclosure(inverse, budget).lower().get_d();
      EXPECT_GT(largest, 0);
      rest.push_back({drift, largest});
      EXPECT_NEAR(bound(id, rest), b, 1e-14 * b + 1e-15 * b / (1 - b)) << inverse;
    };
    meets("L-SEQ-TV", "G-SEQ-TV", "tau", {{"T", 100}});
    meets("L-SEQ-HEL", "G-SEQ-HEL", "omega", {{"T", 100}});
    meets("L-SEQ-CHI2", "G-SEQ-CHI2", "omega", {{"T", 100}});
    meets("L-R-RANGE", "G-R-RANGE", "tv", {{"range", 2}});
    meets("L-R-DISC", "G-R-DISC", "tau", {{"range", 2}, {"gamma", 0.9}});
    meets("L-PG-NAIVE", "G-PG-NAIVE", "omega", {{"B", 3}});
    meets("L-SUP-TV", "G-SUP-TV", "omega", {{"eta", 0}});
    meets("L-SUP-TV", "G-SUP-TV", "omega", {{"eta", (b / 2)}});
  }
  EXPECT_EQ(bound("G-R-DISC", {{"b", 100}, {"range", 1}, {"gamma", 0.9}}), 1);
  EXPECT_FALSE(applies("G-SUP-TV", {{"b", 0.1}, {"eta", 0.2}}));
}

TEST(ResponseValuesTest, MasksLoseWhatTwoRatiosDo) {
  // Two ratios: the mask's edge, and the other end of the oscillation.
  double omega = 1, growth = std::exp(omega), b = 1.5, a = 0.7;
  double upper = b / growth, above = (1 - upper) / (b - upper) * b;
  EXPECT_NEAR(bound("L-PG-MASK-OSC-UP", {{"omega", omega}, {"b", b}}), above, slack);
  double lower = a * growth, below = (lower - 1) / (lower - a) * a;
  EXPECT_NEAR(bound("L-PG-MASK-OSC", {{"omega", omega}, {"a", a}, {"b", 10}}), below, slack);
  EXPECT_EQ(bound("L-PG-MASK-OSC", {{"omega", omega}, {"a", 0.3}, {"b", 3}}), 0);
  EXPECT_FALSE(applies("L-PG-MASK-OSC", {{"omega", omega}, {"a", 1}, {"b", 3}}));
  EXPECT_FALSE(applies("L-PG-MASK-TV", {{"tv", 0.1}, {"a", 0.5}, {"b", 1}}));
}

TEST(ResponseValuesTest, GroupNormalisedAdvantages) {
  // One response differs from all others: its advantage is the largest that there is.
  for (unsigned n : {2u, 8u, 64u}) {
    double mean = 1.0 / n, variance = mean * (1 - mean);
    EXPECT_NEAR(bound("L-AMAX-POP", {{"n", double(n)}}), (1 - mean) / std::sqrt(variance), slack);
    EXPECT_NEAR(bound("L-AMAX-SAMP", {{"n", double(n)}}),
                (1 - mean) / std::sqrt(variance * n / (n - 1)), slack);
  }
}

} // namespace
