#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essKl = {
    .id = "L-ESS-KL",
    .statement = "The effective share of importance-weighted samples is at most exp(−KL(p‖q)).",
    .hypotheses = "KL(p‖q) >= kl",
    .formula = "1/(1 + χ²(p‖q)) <= exp(−kl)",
    .proof = "L-KL-CHI2 the other way round.",
    .trap = "An upper bound only: a small divergence promises no effective share, since χ² may be "
            "infinite all the same.",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q), from below"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-a[0]); },
};

} // namespace tikc::bounds::lemmas
