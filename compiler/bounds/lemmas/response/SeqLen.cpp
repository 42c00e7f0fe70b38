#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqLen = {
    .id = "L-SEQ-LEN",
    .statement = "If the mean total variation of a token is at most tau, whole responses differ "
                 "by at most tau times their mean length.",
    .hypotheses = "tau bounds the token-weighted mean of TV over prefixes that the inference "
                  "kernel samples; L bounds the mean length of its responses.",
    .formula = "TV(P, Q) <= min(1, tau·L)",
    .proof =
        "As in L-SEQ-TVMEAN the steps' means add under Q: their sum is the mean over responses of "
        "the sum over their tokens, which is the mean of a token times the mean length.",
    .trap = "X-SEQ-LENPROD: the mean over responses of 1 − (1 − tau)^length does not hold, not "
            "even for a supremum tau; it fails by a factor of 1.12. The length is the inference "
            "kernel's, not the trainer's.",
    .parameterRow = {{{"tau", Domain::NonNegative, "mean total variation of a token"},
                      {"L", Domain::NonNegative,
                       "mean length of a response of the inference kernel"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] * a[1]); },
    .useRow =
        {{{{mean(Quantity::Tv), mean(Quantity::MeanLength)}, Quantity::SeqTv, Quantifier::Mean}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
