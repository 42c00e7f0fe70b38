#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpLogit = {
    .id = "L-FP-LOGIT",
    .statement = "Storing logits of size at most 2^k in a number format changes each by at most "
                 "u·2^(k − 1), half of a unit in the last place of the largest.",
    .hypotheses = "|z| <= Z <= 2^k with k = ⌈log₂ Z⌉, and k = 1 for smaller Z; 2^k is in the "
                  "format's range; rounding to nearest",
    .formula = "eps = u·2^(k − 1)",
    .proof = "Numbers in [2^(k − 1), 2^k) lie u·2^k apart, smaller ones nearer to one another.",
    .trap = "The relative form eps = u·Z is up to twice as large. Where both kernels store their "
            "logits, both errors count.",
    .tight = "a logit half-way between two numbers of the largest binade",
    .parameterRow = {{{"k", Domain::Count, "⌈log₂ Z⌉ for logits of size Z at most"},
                      {"format", Domain::Format, "number format of the stored logits"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * pow(2, a[0] - 1); },
};

} // namespace tikc::bounds::lemmas
