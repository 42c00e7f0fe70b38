#include "Lemmas.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace tikc;
using namespace tikc::bounds;
using namespace tikc::bounds::test;
using Need = Premise::Need;

/// For each tempting wrong bound: a pair of kernels that breaks it, and that the lemma does not
/// give it.
namespace {

double upper(std::string_view id, const std::vector<NamedValue>& inputs) {
  return valueOf(id, inputs).upper().get_d();
}

/// A little above, as what was measured is known only so well.
std::string text(double number) { return fmt::format("{:.17g}", number * (1 + 1e-12)); }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

TEST(LemmaTrapsTest, LogRatiosReachTwiceTheChangeOfLogits) {
  // q is nearly (1, 0), and the two logits move by ∓1.
  double logit = 9, change = 1, p = logistic(logit - 2 * change), q = logistic(logit);
  double logRatio = std::log((1 - p) / (1 - q));
  EXPECT_GT(logRatio, change);
  double omega = upper("L-OSC-EPS", {{"eps", text(change)}});
  EXPECT_GE(upper("L-LR-RANGE", {{"omega", text(omega)}}), logRatio);
}

TEST(LemmaTrapsTest, WeightedRootMeanSquareBoundsNothing) {
  double mass = 1e-8, drift = std::log(1 / mass) + 4;
  double p = mass * std::exp(drift) / (1 - mass + mass * std::exp(drift));
  double apart = p - mass, weighted = std::sqrt(mass) * drift;
  EXPECT_GT(apart, upper("L-TV-L2", {{"rho", text(weighted)}}));
  EXPECT_LT(apart, upper("L-TV-L2", {{"rho", text(drift)}}));
}

TEST(LemmaTrapsTest, SoftcapsDoNotKeepTheOscillation) {
  double before = (3.0 - 2.0) - (1.0 - 0.0);
  double after = (std::tanh(3) - std::tanh(2)) - (std::tanh(1) - std::tanh(0));
  EXPECT_EQ(before, 0);
  EXPECT_GT(std::abs(after), 0.5);
  EXPECT_TRUE(findLemma("L-OSC-MAP")->uses().empty());
  double eps = upper("L-OSC-MAP", {{"L", "1"}, {"eps", "1"}});
  EXPECT_GE(upper("L-OSC-EPS", {{"eps", text(eps)}}), std::abs(after));
}

TEST(LemmaTrapsTest, HalfTheMarginIsTheMost) {
  // Logits 1 and 0 become 0.4 and 0.6.
  std::string omega = text(upper("L-OSC-EPS", {{"eps", "0.6"}}));
  EXPECT_FALSE(applies("L-TOP1", {{"omega", omega}, {"margin", "1"}}));
  EXPECT_FALSE(applies("L-TOP1", {{"omega", "1"}, {"margin", "1"}}));
  EXPECT_TRUE(applies("L-TOP1", {{"omega", "0.999"}, {"margin", "1"}}));
  EXPECT_FALSE(applies("L-TOP1-TV", {{"tv", "0.1"}, {"gap", "0.2"}}));
  EXPECT_TRUE(applies("L-TOP1-TV", {{"tv", "0.1"}, {"gap", "0.201"}}));
}

TEST(LemmaTrapsTest, TheSameNoiseDoesNotCoupleBest) {
  // Tokens (1 − v, v, 0) against (1 − v, 0, v): only the first can agree.
  double v = 0.1, agree = 1 / (1 + 2 * v / (1 - v));
  EXPECT_GT(1 - agree, v);
  EXPECT_GE(upper("L-SEED", {{"tv", text(v)}}), 1 - agree);
}

TEST(LemmaTrapsTest, TotalVariationAloneBoundsNoRatio) {
  constexpr Quantity bounded[] = {
      Quantity::LargestRatio, Quantity::LeastRatio,   Quantity::LogRatioUp, Quantity::LogRatioDown,
      Quantity::KlTrainInfer, Quantity::KlInferTrain, Quantity::Chi2,       Quantity::Ess,
      Quantity::SeqRatio,     Quantity::SeqEss,       Quantity::SeqChi2,    Quantity::Omega};
  auto isWeak = [](const Premise& premise) {
    return premise.need == Need::Nothing || premise.need == Need::Asked ||
           premise.need == Need::Chosen ||
           info(premise.quantity).level == QuantityInfo::Level::Given ||
           premise.quantity == Quantity::Tv || premise.quantity == Quantity::SeqTv ||
           premise.quantity == Quantity::Hellinger || premise.quantity == Quantity::Js;
  };
  for (const Lemma* lemma : allLemmas())
    for (const Use& use : lemma->uses()) {
      bool isBounded =
          std::find(std::begin(bounded), std::end(bounded), use.concludes) != std::end(bounded);
      bool fromDistance =
          std::any_of(use.premises.begin(), use.premises.end(), [](const Premise& premise) {
            return premise.need != Need::Nothing && premise.quantity == Quantity::Tv;
          });
      if (isBounded && fromDistance) {
        EXPECT_FALSE(std::all_of(use.premises.begin(), use.premises.end(), isWeak)) << lemma->id;
      }
    }
}

TEST(LemmaTrapsTest, MissingMassHidesFromHalfTheAbsoluteRatio) {
  // q is all on the first token, p leaves 0.2 on another.
  double p = 0.8, missing = 0.2, half = std::abs(p - 1) / 2, positive = 1 - p;
  EXPECT_LT(half, missing);
  EXPECT_GE(upper("L-TV-EST", {{"s", text(positive)}}), missing);
}

TEST(LemmaTrapsTest, MeansDoNotEnterTheConvexCurves) {
  // Omega is 4 on an eighth of the contexts and 0 on the others.
  double mean = upper("L-KL-OSC", {{"omega", "4"}}) / 8;
  EXPECT_GT(mean, 2 * upper("L-KL-OSC", {{"omega", "0.5"}}));
  EXPECT_EQ(findLemma("L-KL-OSC")->curvature, Curvature::Convex);
  EXPECT_EQ(findLemma("L-CHI2-OSC")->curvature, Curvature::Convex);
  EXPECT_EQ(findLemma("L-HEL-OSC")->curvature, Curvature::Unknown);
  EXPECT_EQ(findLemma("L-KL-LP")->curvature, Curvature::Unknown);
}

TEST(LemmaTrapsTest, SampledLogprobsAreHalfOfTheInformation) {
  // One token of vanishing probability takes all that the others lose.
  double q = 1 - 1e-9, p = std::exp(-0.5) * q, apart = q - p;
  double beta = 0.5 * q + 1e-9 * std::log((1 - p) / 1e-9);
  EXPECT_GT(apart, beta / 2);
  EXPECT_GE(upper("L-TV-MALP", {{"beta", text(beta)}}), apart);
  EXPECT_GT(apart, std::tanh(0.25));
  EXPECT_GE(upper("L-TV-SAMPQ", {{"alpha", "0.000001"}, {"d", "0.5"}}), apart);
}

TEST(LemmaTrapsTest, ResponsesGoFurtherThanTheirTokensOscillate) {
  // The excess over 1 is a total variation: at T tokens it is not that of one.
  EXPECT_GT(upper("L-HS-SEQ", {{"omega", "0.1"}, {"C", "1"}, {"T", "10"}}),
            upper("L-HS-OSC", {{"omega", "0.1"}, {"C", "1"}}) * 9);
  EXPECT_EQ(valueOf("L-HS-SEQ", {{"omega", "0.1"}, {"C", "3"}, {"T", "10"}}).upper(), 0);
  EXPECT_GT(valueOf("L-HS-SEQ", {{"omega", "0.1"}, {"C", "2.7"}, {"T", "10"}}).lower(), 0);
}

} // namespace
