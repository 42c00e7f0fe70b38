#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma naturalCap = {
    .id = "L-CAP",
    .statement = "A total variation, a probability or a squared Hellinger distance is at most 1, "
                 "whatever the kernels do.",
    .hypotheses = "none",
    .formula = "x <= 1",
    .proof = "Each is a probability, or at most one.",
    .trap = "Divergences, ratios and drifts have no such cap: a quantile of them bounds no mean "
            "without a supremum.",
};

} // namespace tikc::bounds::lemmas
