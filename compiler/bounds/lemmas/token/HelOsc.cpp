#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma helOsc = {
    .id = "L-HEL-OSC",
    .statement = "If the logit drift oscillates by at most omega, the squared Hellinger "
                 "distance is at most 1 − sech(omega/4).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "H² <= 1 − sech(omega/4) = tanh(omega/4)·tanh(omega/8)",
    .proof = "√w is concave, so E_q √w is at least its chord's value at 1, (1 + √(mM))/(√m + √M), "
             "which is least at m = exp(−omega/2): sech(omega/4).",
    .tight = "two tokens with log-odds omega/2 and −omega/2, as for L-TV-OSC",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return oneMinusSech(a[0] / 4); },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::Hellinger}}},
    .needsFullSupport = true,
    .inverse = &inverseHelOsc,
};

constinit const Lemma inverseHelOsc = {
    .id = "G-HEL-OSC",
    .statement =
        "The largest oscillation for which L-HEL-OSC gives a squared Hellinger distance of b.",
    .hypotheses = "b < 1",
    .formula = "omega = 4·acosh(1 + y), y = b/(1 − b)",
    .proof = "1 − b = sech(omega/4), and 1/(1 − b) = 1 + y.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of squared Hellinger distance"}}},
    .evaluate = [](Arguments a) -> Result { return 4 * acosh1p(a[0] / (1 - a[0])); },
};

} // namespace tikc::bounds::lemmas
