#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chi2Lp = {
    .id = "L-CHI2-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, χ² is at most "
                 "4·sinh²(delta/2), in either direction.",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q), χ²(q‖p) <= 4·sinh²(delta/2)",
    .proof = "L-CHI2-INT at a = b = delta: (exp(delta) − 1)(1 − exp(−delta)).",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return 4 * square(sinh(a[0] / 2)); },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::Chi2}}},
    .curvature = Curvature::Convex,
    .needsFullSupport = true,
    .inverse = &inverseChi2Lp,
};

constinit const Lemma inverseChi2Lp = {
    .id = "G-CHI2-LP",
    .statement = "The largest change of log-probs for which L-CHI2-LP gives a χ² of b.",
    .hypotheses = "b >= 0",
    .formula = "delta = 2·asinh(√b/2)",
    .proof = "sinh increases.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of χ²"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * asinh(sqrt(a[0]) / 2); },
};

} // namespace tikc::bounds::lemmas
