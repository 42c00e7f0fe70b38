#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essChi2 = {
    .id = "L-ESS-CHI2",
    .statement = "The effective share of importance-weighted samples is 1/(1 + χ²(p‖q)).",
    .hypotheses =
        "χ²(p‖q) <= chi2, at every context or on average over them, as the share is meant.",
    .formula = "ESS >= 1/(1 + chi2)",
    .proof = "(E_q w)²/E_q w² with E_q w = 1 and E_q w² = 1 + χ².",
    .trap = "The average goes inside: the share of a population follows from its mean χ², not from "
            "a mean of shares.",
    .tight = "always",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"}}},
    .evaluate = [](Arguments a) -> Result { return 1 / (1 + a[0]); },
    .useRow = {{{{each(Quantity::Chi2)}, Quantity::Ess},
                {{mean(Quantity::Chi2)}, Quantity::Ess, Quantifier::Mean},
                {{each(Quantity::SeqChi2)}, Quantity::SeqEss},
                {{mean(Quantity::SeqChi2)}, Quantity::SeqEss, Quantifier::Mean}}},
};

} // namespace tikc::bounds::lemmas
