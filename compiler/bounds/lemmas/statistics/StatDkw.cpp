#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statDkw = {
    .id = "S-DKW",
    .statement =
        "With confidence 1 − alpha the whole distribution function lies nowhere more than "
        "√(log(1/alpha)/(2n)) below that of the sample: all quantiles are bounded at once.",
    .hypotheses = "n independent draws, n fixed beforehand; alpha <= 1/2",
    .formula = "F(x) >= Fₙ(x) − √(log(1/alpha)/(2n)) for all x",
    .proof = "Massart's constant in the one-sided Dvoretzky–Kiefer–Wolfowitz inequality.",
    .trap = "A tolerance chosen after a look at the data needs it, and so does every quantile of a "
            "ladder (L-Q-MULTI).",
    .tight = "as n grows",
    .parameterRow = {{{"n", Domain::Count, "independent samples"},
                      {"alpha", Domain::OpenShare, "probability of being wrong; 1/2 at most"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(2 * a[1], 1))
        return std::nullopt;
      return sqrt(-log(a[1]) / (2 * a[0]));
    },
};

} // namespace tikc::bounds::lemmas
