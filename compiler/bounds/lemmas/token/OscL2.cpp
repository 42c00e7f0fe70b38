#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma oscL2 = {
    .id = "L-OSC-L2",
    .statement = "If the logit drift has 2-norm at most rho, it oscillates by at most √2·rho.",
    .hypotheses =
        "‖z − z′‖₂ <= rho over every token that neither kernel masks, a shift removed or not.",
    .formula = "omega <= √2·rho",
    .proof = "max d − min d <= √2·√((max d)² + (min d)²), and both squares are terms of the norm.",
    .trap = "X-RMS: a root mean square weighted by q bounds nothing: one of 0.0022 goes with a "
            "total variation of 0.98. An unweighted one over V tokens is rho/√V. Nor do a cosine "
            "similarity or most of the vocabulary's entries bound the oscillation.",
    .tight = "two tokens with drifts rho/√2 and −rho/√2",
    .parameterRow = {{{"rho", Domain::NonNegative, "2-norm of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(Real(2, a[0].bits())) * a[0]; },
    .useRow = {{{{each(Quantity::LogitL2)}, Quantity::LogitOsc}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .inverse = &inverseOscL2,
};

constinit const Lemma inverseOscL2 = {
    .id = "G-OSC-L2",
    .statement =
        "The largest 2-norm of the drift for which L-OSC-L2 gives an oscillation of omega.",
    .hypotheses = "omega >= 0",
    .formula = "rho = omega/√2",
    .proof = "L-OSC-L2 solved for rho.",
    .parameterRow = {{{"omega", Domain::NonNegative, "the budget of oscillation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / sqrt(Real(2, a[0].bits())); },
};

} // namespace tikc::bounds::lemmas
