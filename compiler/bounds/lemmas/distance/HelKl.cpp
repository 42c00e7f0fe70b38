#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma helKl = {
    .id = "L-HEL-KL",
    .statement = "The squared Hellinger distance is at most 1 − exp(−kl/2).",
    .hypotheses = "KL(p‖q) <= kl or KL(q‖p) <= kl",
    .formula = "H² <= 1 − exp(−kl/2)",
    .proof = "1 − H² = E_q exp(½ log(p/q)) >= exp(½ E_q log(p/q)) by Jensen's inequality.",
    .tight = "one kernel is the other without some of its tokens",
    .parameterRow = {{{"kl", Domain::NonNegative, "the divergence, in either direction"}}},
    .evaluate = [](Arguments a) -> Result { return -expm1(-a[0] / 2); },
    .useRow = {{{{each(Quantity::KlTrainInfer)}, Quantity::Hellinger},
                {{each(Quantity::KlInferTrain)}, Quantity::Hellinger}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
