#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma rewardKl = {
    .id = "L-R-KL",
    .statement = "If a reward is sub-Gaussian with parameter sigma under the inference kernel, "
                 "its expectation changes by at most sigma·√(2·KL(P‖Q)).",
    .hypotheses = "E_Q exp(λ(R − E_Q R)) <= exp(λ²·sigma²/2) for every λ; KL(P‖Q) <= kl.",
    .formula = "|E_P R − E_Q R| <= sigma·√(2·kl)",
    .proof = "Donsker–Varadhan for λR: λ(E_P R − E_Q R) <= kl + λ²·sigma²/2, at the best λ; and "
             "the same for −R.",
    .trap = "sigma under Q goes with KL(P‖Q), sigma under P with KL(Q‖P). A reward in an interval "
            "has half its length as sigma.",
    .tight = "a Gaussian and the same one shifted",
    .parameterRow = {{{"sigma", Domain::NonNegative,
                       "sub-Gaussian parameter under the inference kernel"},
                      {"kl", Domain::NonNegative, "KL(P‖Q)"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * sqrt(2 * a[1]); },
    .useRow = {{{{given(Quantity::RewardSigma), each(Quantity::SeqKlTrainInfer)},
                 Quantity::RewardDrift},
                {{given(Quantity::RewardSigma), mean(Quantity::SeqKlTrainInfer)},
                 Quantity::RewardDrift,
                 Quantifier::Mean}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
