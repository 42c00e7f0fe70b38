#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seed = {
    .id = "L-SEED",
    .statement = "Two kernels that sample by Gumbel-max from the same noise draw different tokens "
                 "with probability at most 2TV/(1 + TV).",
    .hypotheses = "TV <= tv; both kernels add the same Gumbel noise, token by token.",
    .formula = "P(the tokens differ) <= 2·tv/(1 + tv)",
    .proof = "Both draw token i with probability 1/Σ_j max(p_j/p_i, q_j/q_i) >= min(p_i, q_i)/Σ_j "
             "max(p_j, q_j). Sum: (1 − TV)/(1 + TV).",
    .trap = "X-SEED-CDF: it does not hold for inverse-CDF sampling from a shared uniform number, "
            "where tokens differ with probability up to (V − 1)·TV.",
    .tight = "disjoint tokens next to a shared one",
    .parameterRow = {{{"tv", Domain::Share, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0] / (1 + a[0]); },
};

} // namespace tikc::bounds::lemmas
