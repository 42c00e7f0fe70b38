#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chi2Square = {
    .id = "L-CHI2-SQUARE",
    .statement = "The mean square of the ratio of samples is 1 + χ²(p‖q).",
    .hypotheses = "Tokens, or whole responses, are sampled from q; w = p/q; nothing is cut away.",
    .formula = "χ²(p‖q) = E_q w² − 1 <= square − 1",
    .proof = "χ²(p‖q) = E_q (w − 1)² = E_q w² − 2·E_q w + 1, and E_q w = 1.",
    .trap = "The root of a mean square, and a standard deviation, are figures of samples whose "
            "largest ratios are rare: few samples understate them.",
    .tight = "always",
    .parameterRow = {{{"square", Domain::NonNegative, "mean square of the ratio"}}},
    .evaluate = [](Arguments a) -> Result { return max(0, a[0] - 1); },
    .useRow = {{{{mean(Quantity::SampledSquare)}, Quantity::Chi2, Quantifier::Mean},
                {{mean(Quantity::SeqSampledSquare)}, Quantity::SeqChi2, Quantifier::Mean}}},
    .isStrict = true,
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
