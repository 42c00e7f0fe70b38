#include "tikc/coherence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace tikc::tests {
namespace {

using Random = std::mt19937_64;

double uniform(Random& random) { return std::uniform_real_distribution<double>(0, 1)(random); }

bool isDisproved(const signed_sketch& of, double alpha) {
  return detail::ratio_test(of, alpha).rejects(1);
}

/// Ratios of tokens that were drawn from the law that is logged: of mean 1 given the past, or less.
struct Coherent {
  const char* name;
  std::function<double(Random&, double last)> gap;
};

double normalGap(Random& random, double spread) {
  return std::normal_distribution<double>(-spread * spread / 2, spread)(random);
}

const Coherent coherentLaws[] = {
    {"equal kernels", [](Random&, double) { return 0.0; }},
    {"rounding", [](Random& random, double) { return normalGap(random, 1e-6); }},
    {"small drifts", [](Random& random, double) { return normalGap(random, 0.03); }},
    {"large drifts", [](Random& random, double) { return normalGap(random, 1); }},
    {"huge drifts", [](Random& random, double) { return normalGap(random, 3); }},
    {"one in ten thousand has all the mass",
     [](Random& random, double) { return uniform(random) < 1e-4 ? std::log(1e4) : -40.0; }},
    {"tails without a variance", // Pareto of index 1.1, of mean 1
     [](Random& random, double) { return std::log(0.1 / 1.1) - std::log(uniform(random)) / 1.1; }},
    {"a tenth of the mass is missing",
     [](Random& random, double) { return std::log(0.9) + normalGap(random, 0.5); }},
    {"the trainer masks half",
     [](Random& random, double) {
       return uniform(random) < 0.5 ? std::log(2.0) : -std::numeric_limits<double>::infinity();
     }},
    {"the spread follows from the past",
     [](Random& random, double last) { return normalGap(random, last > 0 ? 2 : 0.1); }},
};

std::size_t streams() {
  const char* asked = std::getenv("TIKC_COHERENCE_STREAMS");
  return asked == nullptr ? 100 : std::strtoul(asked, nullptr, 10);
}

/// Of so many streams how many are called incoherent at any look.
std::size_t falseAlarms(const Coherent& law, std::size_t count, double alpha, unsigned seed) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed * 1'000'003U + i);
    signed_sketch held;
    double last = 0;
    bool isCalled = false;
    for (std::size_t size = 1; size <= 512 && !isCalled; size *= 2)
      for (int batch = 0; batch < 4 && !isCalled; ++batch) {
        for (std::size_t token = 0; token < size; ++token)
          held.add(static_cast<float>(last = law.gap(random, last)));
        isCalled = isDisproved(held, alpha);
      }
    out += isCalled ? 1U : 0U;
  }
  return out;
}

TEST(Coherence, CoherentStreamsAreCalledOtherwiseAsRarelyAsIsAskedAtAnyTime) {
  for (double alpha : {0.1, 0.01})
    for (const Coherent& law : coherentLaws) {
      const std::size_t alarms = falseAlarms(law, streams(), alpha, 7);
      const double n = static_cast<double>(streams());
      // As many come of a true share of alpha by chance once in ten thousand.
      EXPECT_LE(static_cast<double>(alarms), n * alpha + 3.8 * std::sqrt(n * alpha * (1 - alpha)))
          << law.name << " at " << alpha;
      if (std::getenv("TIKC_COHERENCE_STREAMS") != nullptr)
        std::cout << std::setw(38) << law.name << "  " << alarms << " of " << n << " at " << alpha
                  << '\n';
    }
}

// Faults that make log-probs of one law those of tokens that another drew.

std::vector<double> softmax(const std::vector<double>& logits, double temperature) {
  std::vector<double> out;
  double top = *std::max_element(logits.begin(), logits.end()), total = 0;
  for (double each : logits)
    out.push_back(std::exp((each - top) / temperature));
  for (double each : out)
    total += each;
  for (double& each : out)
    each /= total;
  return out;
}

struct Served {
  std::vector<double> train, infer; // logits
  std::size_t token;
};

/// What two kernels that are a little apart make of a context; the token is drawn at a temperature.
Served serve(Random& random, double temperature) {
  constexpr std::size_t vocabulary = 64;
  std::normal_distribution<double> logit(0, 2.5), drift(0, 0.03);
  Served out;
  for (std::size_t i = 0; i < vocabulary; ++i) {
    out.infer.push_back(logit(random));
    out.train.push_back(out.infer.back() + drift(random));
  }
  std::vector<double> law = softmax(out.infer, temperature);
  out.token =
      static_cast<std::size_t>(std::discrete_distribution<int>(law.begin(), law.end())(random));
  return out;
}

struct Fault {
  const char* name;
  double drawnAt, trainedAt, loggedAt;
  bool isShifted;
  std::size_t most; // tokens
};

constexpr Fault faults[] = {
    {"logged at 0.9, drawn at 1", 1, 1, 0.9, false, 20'000},
    {"logged at 1.1, drawn at 1", 1, 1, 1.1, false, 20'000},
    {"logged raw, drawn at 0.7", 0.7, 0.7, 1, false, 2'000},
    {"shifted by one", 1, 1, 1, true, 100},
};

/// How many tokens it takes at 99%; `most` where it took more.
std::size_t tokensUntilCalled(const Fault& fault, unsigned seed) {
  Random random(seed);
  signed_sketch held;
  Served before = serve(random, fault.drawnAt);
  for (std::size_t n = 1; n < fault.most; ++n) {
    Served at = serve(random, fault.drawnAt);
    const Served& logged = fault.isShifted ? before : at;
    const double train = std::log(softmax(at.train, fault.trainedAt)[at.token]);
    const double infer = std::log(softmax(logged.infer, fault.loggedAt)[logged.token]);
    held.add(static_cast<float>(train - infer));
    if (n % (n < 100 ? 1 : n / 50) == 0 && isDisproved(held, 0.01))
      return n;
    before = std::move(at);
  }
  return fault.most;
}

TEST(Coherence, LogProbsOfAnotherLawAreCalledSo) {
  for (const Fault& fault : faults) {
    std::vector<std::size_t> needed;
    for (unsigned seed = 1; seed <= 9; ++seed)
      needed.push_back(tokensUntilCalled(fault, seed));
    std::sort(needed.begin(), needed.end());
    std::cout << std::setw(28) << fault.name << "  " << needed[4] << " tokens, of nine streams "
              << needed.front() << " to " << needed.back() << '\n';
    EXPECT_LT(needed.back(), fault.most) << fault.name;
  }
}

signed_sketch normalTokens(std::size_t count, double spread, double excess, unsigned seed) {
  Random random(seed);
  signed_sketch out;
  for (std::size_t i = 0; i < count; ++i)
    out.add(static_cast<float>(std::log(excess) + normalGap(random, spread)));
  return out;
}

bool isShown(const ratio_mean& of) {
  return !of.is_above_one && of.low * coherence_drift >= of.most;
}

/// Of streams with which a verdict `satisfied` can be given, one that drifts by 3% is called half
/// of the time, and one that drifts by 5% nearly always.
TEST(Coherence, IsShownFromWhereOnADriftWouldBe) {
  for (double spread : {0.05, 0.2, 0.5}) {
    std::size_t enough = 64;
    while (!isShown(mean_of_ratios(normalTokens(enough, spread, 1, 3), 0.01)) && enough < 1U << 20U)
      enough += enough / 8;
    EXPECT_FALSE(isShown(mean_of_ratios(normalTokens(enough / 3, spread, 1, 3), 0.01)));
    std::size_t three = 0, five = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
      three += isDisproved(normalTokens(enough, spread, 1.03, 100 + seed), 0.01) ? 1U : 0U;
      five += isDisproved(normalTokens(enough, spread, 1.05, 100 + seed), 0.01) ? 1U : 0U;
    }
    std::cout << "ratios spread by " << spread << ": shown after " << enough << " tokens; then "
              << three << " of 40 streams that drift by 3% are called so, " << five
              << " of those by 5%\n";
    EXPECT_GE(three, 12U) << spread;
    EXPECT_GE(five, 36U) << spread;
  }
}

TEST(Coherence, TheLimitIsBelowTheMeanThatRatiosHave) {
  for (double excess : {0.7, 1.0, 1.2}) {
    const signed_sketch held = normalTokens(20'000, 0.2, excess, 5);
    const ratio_mean found = mean_of_ratios(held, 0.01);
    EXPECT_LE(found.low, excess);
    EXPECT_NEAR(found.low, excess, 0.02);
    EXPECT_NEAR(found.shown, excess, 0.005);
    EXPECT_GE(found.most, found.shown);
    EXPECT_EQ(found.is_above_one, excess > 1);
    EXPECT_EQ(found.low >= 1, excess > 1);
  }
}

TEST(Coherence, ATokenThatItsLawCannotDrawIsProof) {
  signed_sketch held = normalTokens(1000, 0.01, 1, 1);
  EXPECT_FALSE(isDisproved(held, 0.01));
  held.add(std::numeric_limits<float>::infinity());
  const ratio_mean found = mean_of_ratios(held, 0.01);
  EXPECT_TRUE(found.is_above_one);
  EXPECT_TRUE(std::isinf(found.shown));
  EXPECT_GE(found.low, 1);
}

/// What is shown of the evidence, and the verdict, are of one test.
TEST(Coherence, EvidencePast100DisprovesAt99Percent) {
  std::size_t disproved = 0, others = 0;
  for (double excess : {0.98, 1.0, 1.01, 1.03, 1.1})
    for (std::size_t count = 1; count < 10'000; count += 1 + count / 2) {
      const signed_sketch held = normalTokens(count, 0.2, excess, static_cast<unsigned>(count));
      const double evidence = coherence_evidence(held);
      const verdict found = coherence_verdict(mean_of_ratios(held, 0.01));
      EXPECT_EQ(found == verdict::violated, isDisproved(held, 0.01));
      if (std::abs(evidence - std::log(100.0)) > 1e-9) {
        EXPECT_EQ(found == verdict::violated, evidence > std::log(100.0)) << excess << ' ' << count;
      }
      ++(found == verdict::violated ? disproved : others);
    }
  EXPECT_GT(disproved, 5U);
  EXPECT_GT(others, 5U);
}

TEST(Coherence, NothingIsSaidOfNoTokens) {
  const ratio_mean found = mean_of_ratios({}, 0.01);
  EXPECT_FALSE(found.is_above_one);
  EXPECT_FALSE(isShown(found));
  EXPECT_EQ(found.low, 0);
}

/// What parts say adds up to what the whole says, to the last bit, in any order.
TEST(Coherence, PartsMergeInAnyOrder) {
  const signed_sketch parts[] = {normalTokens(300, 0.3, 1.1, 1), normalTokens(7, 3, 1, 2),
                                 normalTokens(4000, 0.01, 1, 3)};
  signed_sketch one, other;
  for (std::size_t i = 0; i < 3; ++i) {
    one.merge(parts[i]);
    other.merge(parts[2 - i]);
  }
  const ratio_mean a = mean_of_ratios(one, 0.05), b = mean_of_ratios(other, 0.05);
  EXPECT_EQ(a.shown, b.shown);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.is_above_one, b.is_above_one);
}

/// Against long double, tokens one by one at the lower edges of their buckets, without any margin.
TEST(Coherence, IsNeverAboveTheProductItself) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random(seed);
    signed_sketch held;
    std::vector<long double> gaps;
    const double spread = std::exp(uniform(random) * 8 - 6);
    for (int i = 0; i < 200; ++i) {
      const float x = static_cast<float>(normalGap(random, spread) + 0.02);
      held.add(x);
      gaps.push_back(x);
    }
    long double product = 0;
    for (int k = -12; k <= 3; ++k) {
      const long double r = std::ldexp(1.0L, k), share = r / (1 + r);
      long double log = 0;
      for (long double x : gaps)
        log += std::log1p(share * std::expm1(x));
      product += std::exp(log) / 16;
    }
    for (double alpha : {0.5, 0.1, 0.01, 1e-6})
      if (isDisproved(held, alpha)) {
        EXPECT_GE(product, 1 / static_cast<long double>(alpha)) << seed;
      }
    EXPECT_LE(coherence_evidence(held), std::log(product)) << seed;
  }
}

} // namespace
} // namespace tikc::tests
