#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma rewardChi2 = {
    .id = "L-R-CHI2",
    .statement = "The expectation of a reward changes by at most the root of χ²(p‖q) times the "
                 "reward's variance under q.",
    .hypotheses = "χ²(p‖q) <= chi2; the variance of R under the inference kernel is at most var.",
    .formula = "|E_p R − E_q R| <= √(chi2·var)",
    .proof = "Cauchy–Schwarz for E_q (w − 1)(R − E_q R).",
    .trap = "The variance is under q, the distribution of the samples, and χ² is of p against q.",
    .tight = "R affine in w",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"var", Domain::NonNegative,
                       "variance of the reward under the inference kernel"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(a[0] * a[1]); },
};

} // namespace tikc::bounds::lemmas
