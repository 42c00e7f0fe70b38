#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma markov = {
    .id = "L-MARKOV",
    .statement = "A nonnegative drift of mean at most `mean` reaches t on at most a share mean/t "
                 "of the contexts.",
    .hypotheses = "the drift is never negative; t > 0",
    .formula = "P(s >= t) <= min(1, mean/t)",
    .proof = "t·1{s >= t} <= s; take means.",
    .trap = "Nothing stronger follows from a mean alone: a small mean does not make large drifts "
            "rarer than this.",
    .tight = "t on a share mean/t of the contexts, 0 on the rest",
    .parameterRow = {{{"mean", Domain::NonNegative, "mean drift"},
                      {"t", Domain::Positive, "threshold"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] / a[1]); },
};

} // namespace tikc::bounds::lemmas
