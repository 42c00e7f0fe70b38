#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essLp = {
    .id = "L-ESS-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, the effective "
                 "share of importance-weighted samples is at least 1/(2·cosh(delta) − 1).",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary; nothing is cut away.",
    .formula = "1/(1 + χ²(p‖q)) >= 1/(2·cosh(delta) − 1)",
    .proof = "L-CHI2-LP: 1 + 4·sinh²(delta/2) = 2·cosh(delta) − 1.",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return 1 / (2 * cosh(a[0]) - 1); },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::Ess}}},
    .needsFullSupport = true,
    .inverse = &inverseEssLp,
};

constinit const Lemma inverseEssLp = {
    .id = "G-ESS-LP",
    .statement =
        "The largest change of log-probs for which L-ESS-LP gives an effective share of e.",
    .hypotheses = "0 < e < 1",
    .formula = "delta = acosh((1/e + 1)/2)",
    .proof = "L-ESS-LP solved for delta.",
    .parameterRow = {{{"e", Domain::OpenShare, "the least effective share"}}},
    .evaluate = [](Arguments a) -> Result { return acosh1p((1 / a[0] - 1) / 2); },
};

} // namespace tikc::bounds::lemmas
