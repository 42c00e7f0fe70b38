#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma supKl = {
    .id = "L-SUP-KL",
    .statement =
        "With p-mass eta cut away, KL(q̃‖p) grows by −log(1 − eta) at most; KL(p‖q̃) is infinite.",
    .hypotheses = "The logit drift oscillates by at most omega over the tokens that are kept; p's "
                  "mass on the others is at most eta < 1.",
    .formula = "KL(q̃‖p) <= K(omega) − log(1 − eta), K of L-KL-OSC",
    .proof = "KL(q̃‖p) = KL(q̃‖p given the kept tokens) − log p(kept).",
    .trap = "Every claim on KL(p‖q), χ² or an effective share needs `support: full`: with any mass "
            "missing they are infinite, or 0.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"eta", Domain::Share, "p's mass on tokens that are cut away"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[1], 1))
        return std::nullopt;
      return largestKl(a[0]) - log1p(-a[1]);
    },
    .useRow = {{{.premises = {each(Quantity::Omega).of(Premise::From::Kept),
                              each(Quantity::MissingMass)},
                 .concludes = Quantity::KlInferTrain,
                 .into = Into::Served}}},
};

} // namespace tikc::bounds::lemmas
