#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essOsc = {
    .id = "L-ESS-OSC",
    .statement = "If the logit drift oscillates by at most omega, the effective share of "
                 "importance-weighted samples is at least sech²(omega/2).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "1/(1 + χ²(p‖q)) >= sech²(omega/2)",
    .proof = "L-CHI2-OSC: 1 + sinh² = cosh².",
    .trap = "Total variation does not bound the effective share, and KL bounds it only from above "
            "(L-ESS-KL).",
    .tight = "two tokens, ratios m and mR",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result {
      Real half = cosh(a[0] / 2);
      return 1 / (half * half);
    },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::Ess}}},
    .needsFullSupport = true,
    .inverse = &inverseEssOsc,
};

constinit const Lemma inverseEssOsc = {
    .id = "G-ESS-OSC",
    .statement = "The largest oscillation for which L-ESS-OSC gives an effective share of e.",
    .hypotheses = "0 < e < 1",
    .formula = "omega = 2·acosh(1/√e) = 2·asinh(√(1/e − 1))",
    .proof = "1/e − 1 = sinh²(omega/2).",
    .parameterRow = {{{"e", Domain::OpenShare, "the least effective share"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * asinh(sqrt(1 / a[0] - 1)); },
};

} // namespace tikc::bounds::lemmas
