#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma supK3 = {
    .id = "L-SUP-K3",
    .statement = "If the trainer has mass that the inference kernel never samples, KL(q‖p) is "
                 "the mean of k3 plus that mass.",
    .hypotheses =
        "Tokens are sampled from q; p's mass on tokens that q never samples is at most eta.",
    .formula = "KL(q‖p) = E_q k3 + eta",
    .proof = "E_q w = 1 − eta, so E_q (w − 1 − log w) = KL(q‖p) − eta.",
    .trap = "The mean of k3 alone is too small by the missing mass, and it may even be 0 at a "
            "divergence above 0.",
    .tight = "always",
    .parameterRow = {{{"k3", Domain::NonNegative, "mean of k3 over sampled tokens"},
                      {"eta", Domain::Share, "mean mass of p that q never samples"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1]; },
    .useRow = {{{{mean(Quantity::SampledK3), mean(Quantity::MissingMass)},
                 Quantity::KlInferTrain,
                 Quantifier::Mean}}},
};

} // namespace tikc::bounds::lemmas
