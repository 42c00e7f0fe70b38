#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essSeq = {
    .id = "L-ESS-SEQ",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, the "
                 "effective share of whole-response weights is at least sech(omega/2)^(2T).",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away.",
    .formula = "1/(1 + χ²(P‖Q)) >= sech(omega/2)^(2T)",
    .proof = "L-SEQ-CHI2.",
    .trap = "It falls exponentially in T: an effective share that is good for one token says "
            "little about whole responses.",
    .tight = "independent steps, each at the worst pair of L-CHI2-OSC",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-2 * a[1] * logCosh(a[0] / 2)); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon)}, Quantity::SeqEss}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
