#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqTvMean = {
    .id = "L-SEQ-TVMEAN",
    .statement = "If the mean total variation of a token is at most tau, whole responses of up "
                 "to T tokens differ by at most T·tau.",
    .hypotheses = "tau bounds the token-weighted mean of TV over prefixes that the inference "
                  "kernel samples; no response is longer than T.",
    .formula = "TV(P, Q) <= min(1, T·tau)",
    .proof = "Change the kernel of one step after the other, from q…q to p…p. One change costs the "
             "mean of TV over prefixes from Q, and the costs add. Their sum is the mean of a token "
             "times the mean length, which is at most T.",
    .trap = "X-SEQ-PRODMEAN: 1 − (1 − tau)^T does not hold for means: steps with means of ½ and ½ "
            "can give a total variation of 1. Means under P and under Q may not be mixed. A p99 "
            "clause alone leaves T·1 %, which says nothing from T = 100 on.",
    .tight = "the difference on prefixes that only one kernel continues",
    .parameterRow = {{{"tau", Domain::NonNegative, "mean total variation of a token"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[1] * a[0]); },
    .useRow =
        {{{{mean(Quantity::Tv), given(Quantity::Horizon)}, Quantity::SeqTv, Quantifier::Mean}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
