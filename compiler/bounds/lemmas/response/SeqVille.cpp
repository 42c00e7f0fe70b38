#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqVille = {
    .id = "L-SEQ-VILLE",
    .statement = "For any kernels, all but a share alpha of the sampled responses have a ratio P/Q "
                 "below 1/alpha, at every prefix.",
    .hypotheses = "The response is one of the inference kernel's.",
    .formula = "log(P/Q) <= log(1/alpha)",
    .proof = "Along a response the ratio is a nonnegative martingale under Q that starts at 1: "
             "Ville's inequality.",
    .trap = "It says nothing about how small the ratio gets, nor about the remaining share alpha.",
    .tight = "kernels that differ on one event of probability alpha",
    .parameterRow = {{{"alpha", Domain::OpenShare, "share of the responses that may be above"}}},
    .evaluate = [](Arguments a) -> Result { return -log(a[0]); },
    .useRow = {{{{asked()}, Quantity::SeqLogRatioUp, Quantifier::Quantile}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
