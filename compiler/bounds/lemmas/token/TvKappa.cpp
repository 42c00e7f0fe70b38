#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvKappa = {
    .id = "L-TV-KAPPA",
    .statement = "If no ratio is further than kappa from 1, total variation is at most kappa/2, "
                 "and at most kappa/(1 + kappa).",
    .hypotheses = "|p/q − 1| <= kappa for every token of the vocabulary; nothing is cut away.",
    .formula = "TV <= min(kappa/2, kappa/(1 + kappa))",
    .proof = "TV = ½E_q|w − 1| gives kappa/2. From kappa = 1 on the least ratio is 0, and L-TV-INT "
             "at m = 0, M = 1 + kappa is smaller.",
    .tight = "two tokens with ratios max(0, 1 − kappa) and 1 + kappa",
    .parameterRow = {{{"kappa", Domain::NonNegative, "largest |p/q − 1|"}}},
    .evaluate = [](Arguments a) -> Result { return min(a[0] / 2, a[0] / (1 + a[0])); },
};

} // namespace tikc::bounds::lemmas
