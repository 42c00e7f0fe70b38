#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma pgB = {
    .id = "L-PG-B",
    .statement = "One token's term of the policy gradient has norm at most B = A·G.",
    .hypotheses =
        "No advantage is larger than A in size; no token's score ∇log p has a norm above G.",
    .formula = "‖advantage·∇log p‖ <= B = A·G",
    .proof = "The norm of a multiple is the multiple of the norm.",
    .trap = "A is the largest advantage, not the standard deviation. Group-normalised advantages "
            "reach √(n − 1) (L-AMAX).",
    .tight = "the largest advantage at the largest score",
    .parameterRow = {{{"A", Domain::NonNegative, "largest size of an advantage"},
                      {"G", Domain::NonNegative, "largest norm of a token's score"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{given(Quantity::Advantage), given(Quantity::ScoreNorm)},
                 Quantity::Gradient,
                 Quantifier::Given}}},
};

} // namespace tikc::bounds::lemmas
