#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chi2Osc = {
    .id = "L-CHI2-OSC",
    .statement = "If the logit drift oscillates by at most omega, χ² is at most sinh²(omega/2), "
                 "in either direction.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "χ²(p‖q), χ²(q‖p) <= sinh²(omega/2)",
    .proof = "The chord of w² over [m, mR] gives χ² <= (mR − 1)(1 − m), largest at m = (1 + "
             "1/R)/2: (R − 1)²/(4R).",
    .tight = "two tokens, ratios m and mR",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return square(sinh(a[0] / 2)); },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::Chi2}}},
    .curvature = Curvature::Convex,
    .needsFullSupport = true,
    .inverse = &inverseChi2Osc,
};

constinit const Lemma inverseChi2Osc = {
    .id = "G-CHI2-OSC",
    .statement = "The largest oscillation for which L-CHI2-OSC gives a χ² of b.",
    .hypotheses = "b >= 0",
    .formula = "omega = 2·asinh(√b)",
    .proof = "sinh increases.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of χ²"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * asinh(sqrt(a[0])); },
};

} // namespace tikc::bounds::lemmas
