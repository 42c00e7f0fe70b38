#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma oscEps = {
    .id = "L-OSC-EPS",
    .statement =
        "If no logit changes by more than eps, the logit drift oscillates by at most 2·eps.",
    .hypotheses =
        "|z − z′| <= eps for every token that neither kernel masks; the masks are the same.",
    .formula = "omega <= 2·eps",
    .proof = "max(z − z′) <= eps and min(z − z′) >= −eps.",
    .trap = "X-LR-EPS: a drift of at most eps does not keep log-ratios within eps; they reach "
            "2·eps. And eps changes with a shift of all logits, which changes no probability: "
            "measure the oscillation, or eps after subtracting the midrange.",
    .tight = "a drift that reaches eps and −eps",
    .parameterRow = {{{"eps", Domain::NonNegative, "largest change of any logit"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0]; },
    .useRow = {{{{each(Quantity::LogitLinf)}, Quantity::LogitOsc}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .inverse = &inverseOscEps,
};

constinit const Lemma inverseOscEps = {
    .id = "G-OSC-EPS",
    .statement =
        "The largest change of any logit for which L-OSC-EPS gives an oscillation of omega.",
    .hypotheses = "omega >= 0",
    .formula = "eps = omega/2",
    .proof = "L-OSC-EPS solved for eps.",
    .parameterRow = {{{"omega", Domain::NonNegative, "the budget of oscillation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / 2; },
};

} // namespace tikc::bounds::lemmas
