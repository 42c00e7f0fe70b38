#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view rewardTvTraps =
    "X-R-HALF: the constant is the length of the reward's range, not the largest |R|: for rewards "
    "of −1 and 1 the latter is wrong by a factor of 2.";

} // namespace

constinit const Lemma rewardTv = {
    .id = "L-R-TV",
    .statement = "The expectation of a reward between lo and hi changes by at most (hi − lo) times "
                 "the total variation.",
    .hypotheses = "lo <= R <= hi",
    .formula = "|E_p R − E_q R| <= (hi − lo)·TV",
    .proof = "Take the middle of the range from R, which changes nothing: Σ(p − q)(R − middle) <= "
             "(hi − lo)/2·Σ|p − q|.",
    .trap = rewardTvTraps,
    .tight = "R = hi where p > q, lo elsewhere",
    .parameterRow = {{{"lo", Domain::Any, "least reward"},
                      {"hi", Domain::Any, "largest reward"},
                      {"tv", Domain::NonNegative, "total variation"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(a[0], a[1]))
        return std::nullopt;
      return (a[1] - a[0]) * a[2];
    },
};

constinit const Lemma rewardRange = {
    .id = "L-R-RANGE",
    .statement =
        "An expected reward changes by at most the length of its range times the total variation.",
    .hypotheses = "All rewards lie in an interval of length range.",
    .formula = "|E_p R − E_q R| <= range·TV",
    .proof = "L-R-TV.",
    .trap = rewardTvTraps,
    .tight = "the largest reward where p > q, the least elsewhere",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the reward's range"},
                      {"tv", Domain::NonNegative, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{given(Quantity::RewardRange), each(Quantity::SeqTv)}, Quantity::RewardDrift},
                {{given(Quantity::RewardRange), mean(Quantity::SeqTv)},
                 Quantity::RewardDrift,
                 Quantifier::Mean},
                {{given(Quantity::StepRewardRange), each(Quantity::Tv)}, Quantity::StepRewardDrift},
                {{given(Quantity::StepRewardRange), mean(Quantity::Tv)},
                 Quantity::StepRewardDrift,
                 Quantifier::Mean}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .inverse = &inverseRewardRange,
};

constinit const Lemma inverseRewardRange = {
    .id = "G-R-RANGE",
    .statement = "The largest total variation for which L-R-RANGE gives b.",
    .hypotheses = "b >= 0, range > 0",
    .formula = "tv = min(1, b/range)",
    .proof = "L-R-RANGE solved for the total variation.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the drift"},
                      {"range", Domain::Positive, "length of the reward's range"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] / a[1]); },
};

} // namespace tikc::bounds::lemmas
