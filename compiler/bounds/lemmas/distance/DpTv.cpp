#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view oneWayTrap =
    "Never the other way: tokens that are not sampled can hold all of the difference.";

} // namespace

constinit const Lemma dpTv = {
    .id = "L-DP-TV",
    .statement = "The sampled token's probabilities differ by at most the total variation of the "
                 "distributions that they are from.",
    .hypotheses = "TV(p, q) <= t in the token's context.",
    .formula = "|p(y) − q(y)| <= t",
    .proof = "Total variation is the largest difference of any event's probability; that y is "
             "sampled is one.",
    .trap = oneWayTrap,
    .tight = "two tokens",
    .parameterRow = {{{"t", Domain::Share, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::Tv)}, Quantity::SampledProbGap}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma dpKl = {
    .id = "L-DP-KL",
    .statement = "KL(q‖p) of whether the sampled token is sampled is at most that of the "
                 "distributions.",
    .hypotheses = "KL(q‖p) <= k in the token's context.",
    .formula = "q log(q/p) + (1 − q) log((1 − q)/(1 − p)) <= k",
    .proof = "Data processing: tokens are told apart as y and all others.",
    .trap = oneWayTrap,
    .tight = "two tokens",
    .parameterRow = {{{"k", Domain::NonNegative, "KL(q‖p)"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::KlInferTrain)}, Quantity::SampledBinaryKl}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
