#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statTuh = {
    .id = "S-TUH",
    .statement = "For all n at once, with confidence 1 − alpha, the conditional means of values in "
                 "[0, B] exceed the values by at most this in sum.",
    .hypotheses =
        "Xᵢ in [0, B]; each may depend on the past; v = n·B²/4; rho > 0 is fixed beforehand",
    .formula = "Σ (μᵢ − Xᵢ) <= √(2(v + rho)·log(1 + √((v + rho)/rho)/(2·alpha))), μᵢ the mean of "
               "Xᵢ given the past",
    .proof = "2√(rho/(rho + v))·exp(x²/2)·Φ(x) at x = Σ(μᵢ − Xᵢ)/√(v + rho) is a mixture of "
             "sub-Gaussian supermartingales, and 1 − Φ(x) <= ½·exp(−x²/2); Ville's inequality.",
    .trap = "It bounds the average conditional mean, which is the mean only where that does not "
            "change. rho from the same data voids it; rho ≈ v₀/(2·log(1/alpha) + log(1 + "
            "2·log(1/alpha))) suits a target v₀.",
    .parameterRow = {{{"v", Domain::NonNegative, "n·B²/4"},
                      {"rho", Domain::Positive, "where the bound is sharpest, fixed beforehand"},
                      {"alpha", Domain::OpenShare, "probability of ever being wrong"}}},
    .evaluate = [](Arguments a) -> Result {
      Real total = a[0] + a[1];
      return sqrt(2 * total * log1p(sqrt(total / a[1]) / (2 * a[2])));
    },
};

} // namespace tikc::bounds::lemmas
