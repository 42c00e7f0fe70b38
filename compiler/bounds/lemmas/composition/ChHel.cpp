#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chHel = {
    .id = "L-CH-HEL",
    .statement = "Along a chain of kernels the square roots of the squared Hellinger distances "
                 "add, in the worst context and on average.",
    .hypotheses = "each link's bound has the same quantifier and, for means, the same law of "
                  "contexts; quantiles add the shares on which they fail",
    .formula = "√H²(K₀, Kₙ) <= Σ √H²(Kᵢ₋₁, Kᵢ), H² = 1 − Σ√(pq)",
    .proof =
        "√(2H²) is the Euclidean distance of the vectors √p; for means, Minkowski's inequality.",
    .trap = "X-CH-KL: KL obeys no triangle inequality, and neither does χ²; a chain can exceed the "
            "sum 3.1 times. Go through oscillations (L-CH-OSC) or L-CH-REN.",
    .tight = "in the limit of small steps along a line of √p",
};

} // namespace tikc::bounds::lemmas
