#pragma once

#include "tikc/tokens.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace tikc::tests::tokens {

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

struct Everything {
  static constexpr std::uint32_t wants = token_want::everything;
  static constexpr std::array<float, 2> above{0.0F, 0.5F};
  static constexpr std::array<float, 2> below{-0.01F, -3.0F};
  static constexpr std::array<float, 3> beyond{1e-6F, 0.25F, 30.0F};
};
using Stats = token_stats<Everything>;
static_assert(std::is_trivially_copyable_v<Stats>);
static_assert(std::is_trivially_copyable_v<sequence>);

template <std::uint32_t Wants> struct Only : plan_of_nothing {
  static constexpr std::uint32_t wants = Wants;
};

inline std::vector<detail::token_isa> machines() {
  std::vector<detail::token_isa> out = {detail::token_isa::portable};
  for (auto isa : {detail::token_isa::avx2, detail::token_isa::avx512}) {
    if (isa <= detail::best_token_isa()) {
      out.push_back(isa);
    }
  }
  return out;
}

struct Tokens {
  std::vector<float> train, infer;
  std::vector<std::uint8_t> mask;
  bool masked = false;

  std::size_t size() const { return train.size(); }
  bool keeps(std::size_t i) const { return !masked || mask[i] != 0; }
  token_batch batch() const { return part(0, size()); }
  token_batch part(std::size_t from, std::size_t count) const {
    return {train.data() + from, infer.data() + from, masked ? mask.data() + from : nullptr, count,
            from};
  }
};

enum class Masks { None, Random, Runs };

inline Tokens drawTokens(unsigned seed, std::size_t count, double drift,
                         Masks masks = Masks::None) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> surprise(0.7);
  std::normal_distribution<double> gap(0, drift);
  Tokens out;
  out.masked = masks != Masks::None;
  for (std::size_t i = 0; i < count; ++i) {
    const double infer = random() % 8 == 0 ? 0 : -surprise(random);
    out.infer.push_back(static_cast<float>(infer));
    out.train.push_back(random() % 16 == 0
                            ? out.infer.back()
                            : static_cast<float>(std::min(0.0, infer + gap(random))));
    const bool kept = masks == Masks::Runs ? i / 37 % 3 != 0 : random() % 4 != 0;
    out.mask.push_back(kept ? static_cast<std::uint8_t>(1 + random() % 255) : 0);
  }
  return out;
}

/// Every statistic by its definition, in long double.
struct Reference {
  std::uint64_t count = 0, bad = 0;
  long double sums[token_sum_count] = {};
  long double sizes[token_sum_count] = {};
  float least = infinity, greatest = -infinity;
  std::uint64_t leastAt = 0, greatestAt = 0;
  std::vector<std::uint64_t> above = {0, 0}, below = {0, 0}, beyond = {0, 0, 0};
  std::vector<long double> p, q;
  signed_sketch sketch;

  void put(token_sum which, long double value) {
    sums[static_cast<std::size_t>(which)] += value;
    sizes[static_cast<std::size_t>(which)] += std::abs(value);
  }

  void add(float train, float infer, std::uint64_t place) {
    constexpr long double worst = std::numeric_limits<long double>::infinity();
    constexpr long double unknown = std::numeric_limits<long double>::quiet_NaN();
    const float gap = train - infer;
    const bool isBad = std::isnan(gap) || train > 1e-3F || infer > 1e-3F || infer <= -1e38F;
    ++count;
    bad += isBad ? 1U : 0U;
    const float low = isBad ? -infinity : gap;
    const float high = isBad ? infinity : gap;
    for (std::size_t i = 0; i < above.size(); ++i) {
      above[i] += high > Everything::above[i] ? 1U : 0U;
    }
    for (std::size_t i = 0; i < below.size(); ++i) {
      below[i] += low < Everything::below[i] ? 1U : 0U;
    }
    for (std::size_t i = 0; i < beyond.size(); ++i) {
      beyond[i] += std::max(high, -low) > Everything::beyond[i] ? 1U : 0U;
    }
    if (low < least || count == 1) {
      least = low;
      leastAt = place;
    }
    if (high > greatest || count == 1) {
      greatest = high;
      greatestAt = place;
    }
    sketch.add(isBad ? notANumber : gap);
    const long double x = gap;
    const long double excess = std::expm1(x);
    p.push_back(std::exp(static_cast<long double>(train)));
    q.push_back(std::exp(static_cast<long double>(infer)));
    // e^x − 1 − x loses digits even here when x is small.
    const long double k3 = std::abs(x) < 0.01L
                               ? x * x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6))))
                           : std::isinf(excess) ? worst
                                                : excess - x;
    put(token_sum::gap, isBad ? unknown : x);
    put(token_sum::gap_size, isBad ? worst : std::abs(x));
    put(token_sum::gap_square, isBad ? worst : x * x);
    put(token_sum::tv_sampled, isBad ? 1 : std::max(0.0L, -excess));
    put(token_sum::tv_square, isBad ? 1 : std::pow(std::max(0.0L, -excess), 2));
    put(token_sum::k3, isBad ? worst : k3);
    put(token_sum::excess, isBad ? unknown : excess);
    put(token_sum::excess_square, isBad ? worst : excess * excess);
    // In double, where log-probs far above 0 overflow as they do in the code under test.
    const double probGap =
        std::abs(x) < 0.5L
            ? std::exp(static_cast<double>(infer)) * std::abs(static_cast<double>(excess))
            : std::abs(std::exp(static_cast<double>(train)) - std::exp(static_cast<double>(infer)));
    put(token_sum::prob_gap, isBad ? 1 : probGap);
    put(token_sum::prob_gap_square, isBad ? 1 : probGap * probGap);
    put(token_sum::size_excess, isBad ? worst : std::expm1(std::abs(x)));
    put(token_sum::infer_logprob, isBad ? unknown : infer);
    put(token_sum::train_logprob, isBad ? unknown : train);
  }

  /// 1 − r², as the residual of p after its regression on q.
  long double unexplained() const {
    const auto n = static_cast<long double>(count);
    long double meanP = 0;
    long double meanQ = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      meanP += p[i] / n;
      meanQ += q[i] / n;
    }
    long double pp = 0;
    long double qq = 0;
    long double pq = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      pp += (p[i] - meanP) * (p[i] - meanP);
      qq += (q[i] - meanQ) * (q[i] - meanQ);
      pq += (p[i] - meanP) * (q[i] - meanQ);
    }
    long double rest = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      const long double left = p[i] - meanP - pq / qq * (q[i] - meanQ);
      rest += left * left;
    }
    return rest / pp;
  }
};

inline Reference referenceOf(const Tokens& tokens) {
  Reference out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens.keeps(i)) {
      out.add(tokens.train[i], tokens.infer[i], i);
    }
  }
  return out;
}

template <class Plan>
token_stats<Plan> observed(detail::token_isa isa, const Tokens& tokens,
                           sequence* response = nullptr) {
  token_stats<Plan> out;
  detail::observe_with<Plan>(isa, out, tokens.batch(), response);
  return out;
}

inline constexpr std::size_t plainSums = static_cast<std::size_t>(token_sum::infer_prob);

inline void expectSameCounts(const Stats& got, const Reference& want) {
  EXPECT_EQ(got.count, want.count);
  EXPECT_EQ(got.bad, want.bad);
  for (std::size_t i = 0; i < want.above.size(); ++i) {
    EXPECT_EQ(got.above[i], want.above[i]) << i;
  }
  for (std::size_t i = 0; i < want.below.size(); ++i) {
    EXPECT_EQ(got.below[i], want.below[i]) << i;
  }
  for (std::size_t i = 0; i < want.beyond.size(); ++i) {
    EXPECT_EQ(got.beyond[i], want.beyond[i]) << i;
  }
  EXPECT_EQ(got.least, want.least);
  EXPECT_EQ(got.greatest, want.greatest);
  if (want.count != 0) {
    EXPECT_EQ(got.least_at, want.leastAt);
    EXPECT_EQ(got.greatest_at, want.greatestAt);
  }
  const signed_sketch sketch = got.sketch.whole();
  EXPECT_EQ(sketch.counts, want.sketch.counts);
  EXPECT_EQ(sketch.huge, want.sketch.huge);
  EXPECT_EQ(sketch.tiny, want.sketch.tiny);
  EXPECT_EQ(sketch.nans, want.sketch.nans);
  EXPECT_EQ(sketch.least, want.sketch.least);
  EXPECT_EQ(sketch.greatest, want.sketch.greatest);
}

/// Within 1e-6 of the value, or of the sum of magnitudes where signs may cancel; but for what is
/// below fp32's normal numbers.
inline void expectNearSums(const Stats& got, const Reference& want) {
  for (std::size_t i = 0; i < plainSums; ++i) {
    const auto value = static_cast<double>(want.sums[i]);
    const double total = got.sums[i].value();
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(total)) << i;
    } else if (std::isinf(value)) {
      EXPECT_EQ(total, value) << i;
    } else {
      EXPECT_LE(std::abs(total - value),
                1e-6 * static_cast<double>(want.sizes[i]) + 1e-37 * static_cast<double>(want.count))
          << i;
    }
  }
}

inline void expectSame(const Stats& got, const Reference& want) {
  expectSameCounts(got, want);
  expectNearSums(got, want);
}

inline std::string nameOf(detail::token_isa isa) {
  return "machine " + std::to_string(static_cast<int>(isa));
}

} // namespace tikc::tests::tokens
