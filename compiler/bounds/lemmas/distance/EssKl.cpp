#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essKl = {
    .id = "L-ESS-KL",
    .statement = "The effective share of importance-weighted samples is at most exp(−KL(p‖q)).",
    .hypotheses = "KL(p‖q) >= kl",
    .formula = "1/(1 + χ²(p‖q)) <= exp(−kl)",
    .proof = "L-KL-CHI2, solved for χ².",
    .trap = "This is only an upper bound: a small divergence does not guarantee an effective "
            "share, since χ² may still be infinite.",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q), from below"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-a[0]); },
};

} // namespace tikc::bounds::lemmas
