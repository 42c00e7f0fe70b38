#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view oneWayTrap =
    "The converse fails: unsampled tokens can hold all of the difference.";

} // namespace

constinit const Lemma dpTv = {
    .id = "L-DP-TV",
    .statement = "The sampled token's probabilities differ by at most the total variation of their "
                 "distributions.",
    .hypotheses = "TV(p, q) <= t in the token's context.",
    .formula = "|p(y) − q(y)| <= t",
    .proof = "Total variation is the largest difference of any event's probability; the event that "
             "y is sampled is one.",
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
    .statement = "KL(q‖p) of the event that the sampled token is sampled is at most KL(q‖p) of the "
                 "distributions.",
    .hypotheses = "KL(q‖p) <= k in the token's context.",
    .formula = "q log(q/p) + (1 − q) log((1 − q)/(1 − p)) <= k",
    .proof = "Data processing: merge all tokens other than y.",
    .trap = oneWayTrap,
    .tight = "two tokens",
    .parameterRow = {{{"k", Domain::NonNegative, "KL(q‖p)"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::KlInferTrain)}, Quantity::SampledBinaryKl}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
