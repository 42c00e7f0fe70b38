#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma shift = {
    .id = "L-SHIFT",
    .statement = "When the shares of slices change, the mean moves by at most the total variation "
                 "of the shares, times the spread of the slices' means.",
    .hypotheses = "both sets of shares sum to 1; the slices' own laws stay as they are",
    .formula = "|Σ wₖ·bₖ − Σ w′ₖ·bₖ| <= TV(w, w′)·(max b − min b)",
    .proof = "Subtract the midpoint of the b's, which changes nothing since the shares sum to 1, "
             "and apply Σ|wₖ − w′ₖ| = 2·TV.",
    .trap = "A shift inside a slice is not covered: it needs a density ratio, and without one "
            "nothing follows.",
    .tight = "the moved share goes from the smallest b to the largest",
};

} // namespace tikc::bounds::lemmas
