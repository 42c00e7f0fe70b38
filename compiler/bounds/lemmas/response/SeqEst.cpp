#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqEst = {
    .id = "L-SEQ-EST",
    .statement =
        "The mean of (1 − P/Q)⁺ over sampled responses is the total variation of whole responses.",
    .hypotheses = "The responses are the inference kernel's; P/Q is the product of the ratios of "
                  "all their tokens.",
    .formula = "TV(P, Q) = E_Q (1 − P/Q)⁺ <= s",
    .proof = "Σ (Q − P)⁺ = TV; tokens that the inference kernel never samples do not enter. It is "
             "L-TV-EST for whole responses.",
    .trap = "One number in [0, 1] for a response, not for a token: the product is taken before the "
            "positive part. Sum logarithms.",
    .tight = "always",
    .parameterRow = {{{"s", Domain::Share, "mean of (1 − P/Q)⁺ over responses"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
};

} // namespace tikc::bounds::lemmas
