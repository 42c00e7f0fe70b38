#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma naturalCap = {
    .id = "L-CAP",
    .statement = "A total variation, a probability or a squared Hellinger distance is at most 1, "
                 "for any kernels.",
    .hypotheses = "none",
    .formula = "x <= 1",
    .proof = "Each is a probability, or at most a probability.",
    .trap = "Divergences, ratios and drifts have no such cap: without a supremum, a quantile of "
            "them does not bound a mean.",
};

} // namespace tikc::bounds::lemmas
