#include "tikc/token_figures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

/// What is shown of a quantile, held against how near the guide says it is.
namespace tikc::tests {
namespace {

constexpr double half = 1.0 / 64; // of a bucket, relative to its lower edge
constexpr double finest = 0x1p-40, furthest = 0x1p16;
constexpr float far = 1e30F;

struct Sketched : plan_of_nothing {
  static constexpr std::uint32_t wants = token_want::sketch | token_want::range;
};

struct Figure {
  signal of;
  double (*stated)(double x); // relative to the figure at x
};
double usual(double) { return half; }
double squared(double) { return (1 + half) * (1 + half) - 1; }
double exponential(double x) { return std::expm1(std::abs(x) * half); }

const Figure figures[] = {
    {{source::tokens, figure::logprob_gap, 0, false, 0, 0}, usual},
    {{source::tokens, figure::logprob_gap, 0, true, 0, 0}, usual},
    {{source::tokens, figure::k1, 0, false, 0, 0}, usual},
    {{source::tokens, figure::k1, 0, true, 0, 0}, usual},
    {{source::tokens, figure::tv_sampled, 0, false, 0, 0}, usual},
    {{source::tokens, figure::k2, 0, false, 0, 0}, squared},
    {{source::tokens, figure::ratio, 0, false, 0, 0}, exponential},
    {{source::tokens, figure::mult_prob_error, 0, false, 0, 0}, exponential},
};

/// The middle of three tokens, of which the others are as far as can be.
detail::shown_quantile middle(const signal& of, float x) {
  const bool is_of_size =
      of.absolute || of.what == figure::k2 || of.what == figure::mult_prob_error;
  const std::vector<float> train = {is_of_size ? 0 : -far, std::min(x, 0.0F), 0},
                           infer = {0, std::min(-x, 0.0F), -far};
  token_stats<Sketched> stats;
  observe<Sketched>(stats, {train.data(), infer.data(), nullptr, 3, 0});
  return detail::quantile_of(of, stats, {1, 2}, nan_rank::highest);
}

/// Seven mantissas in each octave, of either sign.
template <class Visit> void eachMagnitude(Visit&& visit) {
  for (int exponent = -40; exponent < 16; ++exponent)
    for (int part = 0; part < 7; ++part)
      for (float sign : {-1.0F, 1.0F})
        visit(sign * std::ldexp(1 + static_cast<float>(part) / 7.01F, exponent));
}

TEST(ShownQuantile, OfEachFigureOfTokensIsAsNearAsStated) {
  for (const Figure& each : figures)
    eachMagnitude([&](float x) {
      const double exact = detail::figure_at(each.of, static_cast<double>(x));
      const detail::shown_quantile shown = middle(each.of, x);
      const double stated =
          (each.stated(static_cast<double>(x)) * (1 + 1e-9) + 1e-15) * std::abs(exact);
      EXPECT_TRUE(std::isinf(exact) || (exact == 0 && shown.value == 0) ||
                  std::abs(shown.value - exact) <= stated)
          << "figure " << static_cast<int>(each.of.what) << " at " << x;
      EXPECT_TRUE(std::isfinite(shown.value)) << x;
      EXPECT_TRUE(shown.low <= shown.value && shown.value <= shown.high) << x;
    });
}

TEST(ShownQuantile, OfOwnValuesIsAsNearAsStated) {
  eachMagnitude([&](float x) {
    signed_sketch sketch;
    for (float value : {-far, x, far})
      sketch.add(value);
    const auto shown = static_cast<double>(sketch.quantile({1, 2}).shown());
    EXPECT_LE(std::abs(shown - static_cast<double>(x)), half * std::abs(static_cast<double>(x)));
  });
}

TEST(ShownQuantile, BeyondTheBucketsIsTheFiniteEndThatItPasses) {
  for (float x : {-1e20F, -70000.0F, 70000.0F, 1e20F})
    for (const Figure& each : figures) {
      const double exact = detail::figure_at(each.of, static_cast<double>(x));
      const double edge =
          detail::figure_at(each.of, std::copysign(furthest, static_cast<double>(x)));
      const detail::shown_quantile shown = middle(each.of, x);
      EXPECT_TRUE(std::isfinite(shown.value));
      EXPECT_TRUE(shown.low <= exact && exact <= shown.high);
      EXPECT_EQ(shown.value, std::isfinite(edge) ? edge : std::numeric_limits<double>::max());
    }
  signed_sketch sketch;
  for (float value : {-far, std::numeric_limits<float>::infinity(), 1e20F, 1e20F})
    sketch.add(value);
  EXPECT_EQ(sketch.quantile({1, 2}).shown(), static_cast<float>(furthest));
}

TEST(ShownQuantile, OfWhatNoFloatHoldsIsFinite) {
  constexpr double most = std::numeric_limits<float>::max();
  for (double sign : {1.0, -1.0})
    for (double size : {3.5e38, 4.5e38, 1e300}) {
      signed_sketch sketch;
      sketch.add(sign * size);
      sketch.add(sign * size);
      const quantile_range at = sketch.quantile({1, 2});
      EXPECT_EQ(static_cast<double>(at.shown()), sign * most);
      EXPECT_LE(static_cast<double>(at.low), sign * size);
      EXPECT_GE(static_cast<double>(at.high), sign * size);
      sketch.add(sign * std::numeric_limits<double>::infinity());
      EXPECT_EQ(static_cast<double>(sketch.quantile({1, 2}).shown()), sign * most);
    }
  signed_sketch sketch;
  sketch.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(sketch.quantile({1, 2}).shown(), std::numeric_limits<float>::infinity());
}

TEST(ShownQuantile, BelowTheBucketsIsNearlyNothing) {
  for (float x : {-1e-20F, 0.0F, 1e-13F}) {
    signed_sketch sketch;
    for (float value : {-far, x, far})
      sketch.add(value);
    EXPECT_LE(std::abs(static_cast<double>(sketch.quantile({1, 2}).shown())), finest);
  }
}

TEST(ShownQuantile, OfWhatIsNoNumberIsTheWorst) {
  signed_sketch sketch;
  for (float value : {1.0F, std::numeric_limits<float>::quiet_NaN()})
    sketch.add(value);
  EXPECT_EQ(sketch.quantile({1, 1}).shown(), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(signed_sketch{}.quantile({1, 2}).shown()));
}

} // namespace
} // namespace tikc::tests
