#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvBh = {
    .id = "L-TV-BH",
    .statement = "The Bretagnolle–Huber inequality: total variation is at most √(1 − exp(−kl)).",
    .hypotheses = "KL(p‖q) <= kl or KL(q‖p) <= kl",
    .formula = "TV <= √(1 − exp(−kl))",
    .proof = "BC >= exp(−kl/2) by Jensen's inequality, and TV² <= 1 − BC².",
    .trap = "It is worse than Pinsker's below kl = 1.59. L-TV-VAJDA is never worse than either.",
    .parameterRow = {{{"kl", Domain::NonNegative, "the divergence, in either direction"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(-expm1(-a[0])); },
};

} // namespace tikc::bounds::lemmas
