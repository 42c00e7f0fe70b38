#include "runtime/RowAgrees.h"

namespace tikc::tests {
namespace {

constexpr float lowest = std::numeric_limits<float>::lowest();

/// Each power of ten that a float has, and the ends.
std::vector<float> decades() {
  std::vector<float> out = {std::numeric_limits<float>::denorm_min(), 1e-40F};
  for (int exponent = -38; exponent <= 38; ++exponent)
    out.push_back(static_cast<float>(std::pow(10.0, exponent)));
  out.push_back(3e38F);
  out.push_back(-lowest);
  return out;
}

std::vector<float> moved(const std::vector<float>& from, float by) {
  std::vector<float> out;
  for (float z : from)
    out.push_back(std::min(std::max(z + by, lowest), -lowest));
  return out;
}

struct Temperatures {
  double train, infer;
};
constexpr Temperatures everyTemperature[] = {{1, 1},     {0.7, 0.7}, {0.01, 0.01}, {100, 100},
                                             {0.7, 1.3}, {1, 0.05},  {100, 0.1}};

void expectAgreesAtSizes(number_format format, std::size_t vocabulary, Temperatures at) {
  Random random(static_cast<unsigned>(vocabulary) + 100U * static_cast<unsigned>(format));
  std::vector<float> from = logits(random, vocabulary, Shape::usual);
  std::vector<float> to = drifted(random, from, 0.01F);
  auto check = [&](const char* what, float size, const std::vector<float>& train,
                   const std::vector<float>& infer) {
    SCOPED_TRACE(testing::Message() << what << " " << size << " " << nameOf(format) << " V "
                                    << vocabulary << " at " << at.train << " " << at.infer);
    expectAgrees(encode(format, train), encode(format, infer), at.train, at.infer);
  };
  for (float decade : decades())
    for (float size : {decade, -decade}) {
      check("infer moved by", size, from, moved(to, size));
      check("train moved by", size, moved(from, size), to);
      check("both moved by", size, moved(from, size), moved(to, size));
      check("infer all at", size, from, std::vector<float>(vocabulary, size));
      check("train all at", size, std::vector<float>(vocabulary, size), to);
      std::size_t place = random.below(vocabulary);
      std::vector<float> train = from, infer = to;
      train[place] = size;
      check("a token of train's at", size, train, to);
      infer[place] = size;
      check("a token of both at", size, train, infer);
      check("a token of infer's at", size, from, infer);
      infer[random.below(vocabulary)] = -size;
      check("two tokens opposed at", size, train, infer);
    }
}

TEST(RowExtremes, AgreeAtEverySizeInEveryFormat) {
  for (number_format format : everyFormat)
    for (std::size_t vocabulary : {2U, 17U, 600U})
      expectAgreesAtSizes(format, vocabulary, {1, 1});
}

TEST(RowExtremes, AgreeAtEverySizeAtEveryTemperature) {
  for (Temperatures at : everyTemperature)
    for (std::size_t vocabulary : {3U, 300U})
      expectAgreesAtSizes(number_format::fp32, vocabulary, at);
}

TEST(RowExtremes, ARowThatLiesElsewhereIsNotHarmless) {
  Random random(31);
  std::vector<float> from = logits(random, 2000, Shape::usual);
  Row train = encode(number_format::fp32, from);
  for (float at : {-1e9F, -1e17F, lowest, 1e9F, 1e17F, -lowest}) {
    Row infer = encode(number_format::fp32, std::vector<float>(2000, at));
    for (auto set : instructionSets()) {
      row_stats stats = measure(set, train, infer);
      EXPECT_GT(stats.logit_osc, 10) << at;
      EXPECT_GT(stats.tv, 0.5) << at;
      EXPECT_GT(stats.kl_train_infer, 0.5) << at;
      EXPECT_GT(stats.entropy_gap, 0.5) << at;
    }
  }
}

TEST(RowExtremes, DeadTokensOfBothSidesTakeNoAccuracy) {
  Random random(32);
  for (double temperature : {0.01, 0.7, 1.0, 100.0})
    for (float dead : {-1e4F, -1e9F, -1e17F, -1e30F, lowest})
      for (Shape shape : everyShape)
        for (std::size_t every : {2U, 7U, 1000U}) {
          SCOPED_TRACE(testing::Message() << temperature << " " << dead << " " << every);
          std::vector<float> from = logits(random, 3001, shape);
          std::vector<float> to = drifted(random, from, 1e-2F);
          for (std::size_t i = 0; i < from.size(); i += every)
            from[i] = to[i] = dead;
          expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to),
                       temperature, temperature);
        }
}

TEST(RowExtremes, DeadTokensOfOneSideAgree) {
  Random random(33);
  for (double temperature : {0.1, 1.0, 30.0})
    for (float dead : {-1e4F, -1e9F, -1e17F, -1e30F, lowest})
      for (bool trains : {false, true})
        for (std::size_t every : {2U, 100U, 3000U}) {
          SCOPED_TRACE(testing::Message() << temperature << " " << dead << " " << every);
          std::vector<float> from = logits(random, 3001, Shape::usual);
          std::vector<float> to = drifted(random, from, 1e-2F);
          for (std::size_t i = 0; i < from.size(); i += every)
            (trains ? from : to)[i] = dead;
          expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to),
                       temperature, temperature);
        }
}

/// Each larger than all before, on either side or on both: the frame follows them, and comes to
/// rest.
TEST(RowExtremes, AnyFiniteRowsAreDoneWith) {
  Random random(34);
  for (int kind : {0, 1, 2}) {
    std::vector<float> from, to;
    for (std::size_t i = 0; i < 4000; ++i) {
      auto size = static_cast<float>(std::pow(10.0, static_cast<double>(i) / 4000 * 76 - 38));
      from.push_back(kind == 1 ? random.normal(3) : size);
      to.push_back(kind == 0 ? random.normal(3) : kind == 1 ? size : size * (i % 3 == 0 ? 1 : -1));
    }
    expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
  }
  std::vector<float> peaked = logits(random, 2000, Shape::usual), high = peaked;
  peaked[700] = 40;
  high[1300] = 1e18F;
  for (float top : {1e17F, 1e18F, -lowest}) {
    high[1300] = top;
    expectAgrees(encode(number_format::fp32, peaked), encode(number_format::fp32, high));
    expectAgrees(encode(number_format::fp32, high), encode(number_format::fp32, peaked));
  }
}

TEST(RowExtremes, LogitsOfAnyBitsAgree) {
  std::mt19937_64 words(35);
  for (int round = 0; round < 300; ++round) {
    std::vector<float> from, to;
    for (std::size_t i = 0; i < 40; ++i)
      for (std::vector<float>* row : {&from, &to}) {
        float value = detail::float_of_bits(static_cast<std::uint32_t>(words()));
        row->push_back(std::isfinite(value) ? value : 0);
      }
    if (round % 2 == 0)
      to = moved(from, 1);
    SCOPED_TRACE(round);
    expectAgrees(encode(number_format::fp32, from), encode(number_format::fp32, to));
  }
}

TEST(RowExtremes, TemperaturesThatAreNoneAreTheWorst) {
  Random random(36);
  Row row = encode(number_format::fp32, logits(random, 100, Shape::usual));
  for (double temperature : {-1.0, 1e-300, 1e300, unbounded, std::nan("")})
    for (auto set : instructionSets())
      for (double other : {temperature, 1.0, 0.0}) {
        row_stats stats = measure(set, row, row, temperature, other);
        EXPECT_EQ(stats.tv, 1) << temperature;
        EXPECT_EQ(stats.kl_train_infer, unbounded) << temperature;
        EXPECT_EQ(stats.logit_osc, 0) << temperature;
      }
}

// Masks of one side.

TEST(RowMasks, AMaskOfOneSideIsTheWorstOfWhatIsRaw) {
  std::vector<float> from = {0, 0, 0, masked}, to = {0, 0, 0, 5};
  for (auto set : instructionSets())
    for (bool turned : {false, true}) {
      Row a = encode(number_format::fp32, turned ? to : from);
      Row b = encode(number_format::fp32, turned ? from : to);
      row_stats stats = measure(set, a, b);
      for (double value :
           {stats.logit_linf, stats.logit_osc, stats.logit_l2, stats.logit_rel, stats.logprob_linf})
        EXPECT_EQ(value, unbounded);
      EXPECT_EQ(stats.top1_margin, 0);
      EXPECT_EQ(stats.nonfinite, 1U);
      EXPECT_GT(stats.tv, 0.9);
      EXPECT_EQ(measure<row_want::logit_osc>(set, a, b).logit_osc, unbounded);
      EXPECT_EQ(measure<row_want::logit_l2>(set, a, b).logit_l2, unbounded);
      EXPECT_EQ(measure<row_want::top1_margin>(set, a, b).top1_margin, 0);
    }
}

TEST(RowMasks, WhatIsDeclaredMissingIsLeftOutOfTheDrift) {
  Random random(37);
  for (std::size_t every : {3U, 300U}) {
    std::vector<float> from = logits(random, 2001, Shape::usual);
    std::vector<float> to = drifted(random, from, 0.1F), both = from;
    for (std::size_t i = 0; i < from.size(); i += every)
      to[i] = both[i] = masked;
    Row train = encode(number_format::fp32, from), infer = encode(number_format::fp32, to);
    Reference rest = reference(encode(number_format::fp32, both), infer);
    Reference expected = reference(train, infer);
    for (auto set : instructionSets()) {
      row_stats stats = measure(set, train, infer, 1, 1, -1, mask_rule::lenient);
      EXPECT_EQ(stats.nonfinite, 0U);
      expectClose("logit_linf", stats.logit_linf, rest.logitLinf, 0);
      expectClose("logit_osc", stats.logit_osc, rest.logitOsc, 3e-8L);
      expectClose("logit_l2", stats.logit_l2, rest.logitL2, 0);
      EXPECT_GT(stats.top1_margin, 0);
      EXPECT_TRUE(std::isfinite(stats.logprob_linf));
      expectClose("missing_mass", stats.missing_mass, expected.missingMass, 0);
      expectClose("tv", stats.tv, expected.tv, 0);
      EXPECT_EQ(stats.kl_train_infer, unbounded);
      // The other way round it is a fault still.
      stats = measure(set, infer, train, 1, 1, -1, mask_rule::lenient);
      EXPECT_EQ(stats.logit_osc, unbounded);
      EXPECT_GT(stats.nonfinite, 0U);
    }
  }
}

// Temperature 0.

/// One token, or a softmax.
std::vector<long double> lawOf(const Row& row, double temperature) {
  float top = *std::max_element(row.values.begin(), row.values.end());
  std::vector<long double> out;
  long double total = 0;
  for (float z : row.values) {
    long double below = static_cast<long double>(z) - top;
    out.push_back(temperature == 0 ? (z == top ? 1 : 0)
                                   : std::exp(below / static_cast<long double>(temperature)));
    total += out.back();
  }
  for (long double& each : out)
    each /= total;
  return out;
}

void expectLaws(const Row& train, const Row& infer, double trainTemperature,
                double inferTemperature) {
  std::vector<long double> p = lawOf(train, trainTemperature), q = lawOf(infer, inferTemperature);
  long double tv = 0, hellinger = 0, forward = 0, backward = 0, js = 0, chi2 = 0, entropy = 0;
  long double missing = 0;
  auto part = [](long double a, long double b) { return a == 0 ? 0 : a * std::log(a / b); };
  for (std::size_t i = 0; i < p.size(); ++i) {
    tv += std::fabs(p[i] - q[i]) / 2;
    hellinger += (std::sqrt(p[i]) - std::sqrt(q[i])) * (std::sqrt(p[i]) - std::sqrt(q[i])) / 2;
    forward += part(p[i], q[i]);
    backward += part(q[i], p[i]);
    js += (part(p[i], (p[i] + q[i]) / 2) + part(q[i], (p[i] + q[i]) / 2)) / 2;
    chi2 += p[i] == q[i] ? 0 : (p[i] - q[i]) * (p[i] - q[i]) / q[i];
    entropy += part(q[i], 1) - part(p[i], 1);
    missing += q[i] == 0 ? p[i] : 0;
  }
  for (auto set : instructionSets()) {
    SCOPED_TRACE(nameOf(set));
    row_stats stats = measure(set, train, infer, trainTemperature, inferTemperature);
    expectClose("tv", stats.tv, tv, 1e-9L);
    expectClose("hellinger", stats.hellinger, hellinger, 1e-9L);
    expectClose("kl_train_infer", stats.kl_train_infer, forward, 1e-9L);
    expectClose("kl_infer_train", stats.kl_infer_train, backward, 1e-9L);
    expectClose("js", stats.js, js, 1e-9L);
    expectClose("chi2", stats.chi2, chi2, 1e-9L);
    expectClose("entropy_gap", stats.entropy_gap, std::fabs(entropy), 1e-9L + 1e-6L * tv);
    expectClose("missing_mass", stats.missing_mass, missing, 1e-9L);
    row_stats raw = measure(set, train, infer, 1, 1);
    EXPECT_NEAR(stats.logit_osc, raw.logit_osc, 1e-6 * raw.logit_osc);
    EXPECT_NEAR(stats.logit_l2, raw.logit_l2, 1e-6 * raw.logit_l2);
    EXPECT_EQ(stats.top1_margin, raw.top1_margin);
    EXPECT_EQ(stats.top1_flip, raw.top1_flip);
  }
}

TEST(RowGreedy, TheLawIsOneToken) {
  Random random(38);
  for (std::size_t vocabulary : {2U, 15U, 16U, 17U, 1025U, 3000U})
    for (Shape shape : everyShape)
      for (float drift : {1e-3F, 3.0F})
        for (number_format format : {number_format::fp32, number_format::bf16}) {
          std::vector<float> from = logits(random, vocabulary, shape);
          from[random.below(vocabulary)] = 30;
          std::vector<float> to = drifted(random, from, drift);
          if (drift > 1)
            to[random.below(vocabulary)] = 60;
          if (vocabulary > 2)
            to[vocabulary / 2] = from[vocabulary / 2] = shape == Shape::flat ? -1e30F : 1.0F;
          Row train = encode(format, from), infer = encode(format, to);
          expectLaws(train, infer, 0, 0);
          for (double temperature : {0.1, 1.0, 10.0}) {
            SCOPED_TRACE(testing::Message() << vocabulary << " " << temperature);
            expectLaws(train, infer, 0, temperature);
            expectLaws(train, infer, temperature, 0);
          }
        }
}

TEST(RowGreedy, UnrelatedRowsAreApart) {
  std::vector<float> from(100, 0.0F), to(100, 0.0F);
  from[3] = to[70] = 1e-3F;
  for (auto set : instructionSets()) {
    row_stats stats =
        measure(set, encode(number_format::fp32, from), encode(number_format::fp32, to), 0, 0);
    EXPECT_EQ(stats.tv, 1);
    EXPECT_EQ(stats.kl_train_infer, unbounded);
    EXPECT_EQ(stats.entropy_gap, 0);
  }
}

TEST(RowGreedy, ATieIsTheWorst) {
  std::vector<float> from(100, 0.0F);
  from[3] = 2;
  Row one = encode(number_format::fp32, from);
  from[70] = 2;
  Row two = encode(number_format::fp32, from);
  for (auto set : instructionSets()) {
    for (const auto& [train, infer] :
         {std::pair(&one, &two), std::pair(&two, &one), std::pair(&two, &two)}) {
      row_stats stats = measure(set, *train, *infer, 0, 0);
      EXPECT_EQ(stats.tv, 1);
      EXPECT_EQ(stats.kl_train_infer, unbounded);
      EXPECT_EQ(stats.entropy_gap, unbounded);
      EXPECT_EQ(stats.nonfinite, 0U);
    }
    // Of the side that is not greedy it is none.
    EXPECT_LT(measure(set, one, two, 0, 1).tv, 1);
    EXPECT_LT(measure(set, two, one, 1, 0).tv, 1);
  }
}

TEST(RowGreedy, MasksAndFaultsAreWhatTheyAre) {
  Random random(39);
  std::vector<float> from = logits(random, 50, Shape::peaked);
  Row train = encode(number_format::fp32, from);
  std::size_t top =
      static_cast<std::size_t>(std::max_element(from.begin(), from.end()) - from.begin());
  std::vector<float> to = from, only(50, masked);
  to[top] = masked;
  only[top] = 1;
  Row infer = encode(number_format::fp32, to), point = encode(number_format::fp32, only);
  to[(top + 1) % 50] = std::nanf("");
  Row bad = encode(number_format::fp32, to);
  for (auto set : instructionSets()) {
    row_stats stats = measure(set, train, infer, 0, 1);
    EXPECT_EQ(stats.tv, 1);
    EXPECT_EQ(stats.missing_mass, 1);
    EXPECT_EQ(stats.kl_train_infer, unbounded);
    stats = measure(set, point, point, 0, 1);
    EXPECT_EQ(stats.tv, 0);
    EXPECT_EQ(stats.kl_infer_train, 0);
    EXPECT_EQ(stats.logprob_linf, 0);
    stats = measure(set, train, bad, 0, 0);
    EXPECT_EQ(stats.tv, 1);
    EXPECT_EQ(stats.logit_osc, unbounded);
    EXPECT_GT(stats.nonfinite, 0U);
    stats = measure(set, train, train, 0, 0.5, static_cast<std::int64_t>(top));
    EXPECT_EQ(stats.train_logprob, 0);
    EXPECT_NEAR(stats.infer_logprob,
                measure(set, train, train, 1, 0.5, static_cast<std::int64_t>(top)).infer_logprob,
                1e-6);
  }
}

} // namespace
} // namespace tikc::tests
