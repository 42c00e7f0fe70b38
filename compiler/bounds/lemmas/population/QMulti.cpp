#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma qMulti = {
    .id = "L-Q-MULTI",
    .statement = "Several quantiles of one drift bound a mean together: each share of the contexts "
                 "counts with the value of the next quantile, and the last share with the cap.",
    .hypotheses =
        "levels 0 = a₀ < a₁ < … < aₖ <= 1 and values v₁ <= … <= vₖ with P(s <= vⱼ) >= aⱼ; φ does "
        "not decrease; s <= S always, or φ(S) is the trivial bound; one law of contexts throughout",
    .formula = "E φ(s) <= Σ (aⱼ − aⱼ₋₁)·φ(vⱼ) + (1 − aₖ)·φ(S)",
    .proof = "The law that has an atom of aⱼ − aⱼ₋₁ at each vⱼ and the rest at S dominates s "
             "stochastically, and φ does not decrease.",
    .trap = "Quantiles from samples each need their own confidence: S-DKW gives all of them at "
            "once, separate S-ORDER statements need S-BONF.",
    .tight = "the law of those atoms",
};

} // namespace tikc::bounds::lemmas
