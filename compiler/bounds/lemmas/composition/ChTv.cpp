#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chTv = {
    .id = "L-CH-TV",
    .statement =
        "Along a chain of kernels the total variations add, in the worst context and on average.",
    .hypotheses = "each link's bound has the same quantifier and, for means, the same law of "
                  "contexts; quantiles add the shares on which they fail",
    .formula = "TV(K₀, Kₙ) <= min(1, Σ TV(Kᵢ₋₁, Kᵢ))",
    .proof = "Total variation is a metric.",
    .trap = "X-CH-PROD: 1 − Π(1 − TV) is not a bound for a chain: two links of ½ can add up to 1. "
            "The product is for time steps (L-SEQ-TV).",
    .tight = "links that move mass onto ever new tokens",
};

} // namespace tikc::bounds::lemmas
