#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma rewardLip = {
    .id = "L-R-LIP",
    .statement = "If changing one token changes the reward by at most lip, the expected reward "
                 "changes by at most lip·T times the total variation of whole responses.",
    .hypotheses = "|R(y) − R(y′)| <= lip for responses that differ at one position, the place "
                  "after the end being one token; no response is longer than T.",
    .formula = "|E_P R − E_Q R| <= lip·W₁(P, Q) <= lip·T·TV(P, Q)",
    .proof = "Couple P and Q so that responses differ with probability TV; unequal responses "
             "differ at up to T positions.",
    .trap = "A bound on the change per edit that moves later tokens is different: inserting a "
            "token can change every position.",
    .parameterRow = {{{"lip", Domain::NonNegative, "change of the reward by one token, at most"},
                      {"T", Domain::Count, "the horizon"},
                      {"tv", Domain::NonNegative, "total variation of whole responses"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1] * a[2]; },
    .useRow =
        {{{{given(Quantity::RewardLipschitz), given(Quantity::Horizon), each(Quantity::SeqTv)},
           Quantity::RewardDrift},
          {{given(Quantity::RewardLipschitz), given(Quantity::Horizon), mean(Quantity::SeqTv)},
           Quantity::RewardDrift,
           Quantifier::Mean}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
