#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvChi2 = {
    .id = "L-TV-CHI2",
    .statement = "Total variation is at most ½√χ² for χ² up to 1, and at most χ²/(1 + χ²) above.",
    .hypotheses = "χ²(p‖q) = Σ (p − q)²/q <= chi2, infinite where p has mass that q lacks.",
    .formula = "TV <= ½√chi2 for chi2 <= 1, chi2/(1 + chi2) for chi2 >= 1",
    .proof = "Merge tokens into two: χ² = v²/(Q(1 − Q)) with Q <= 1 − v; minimise over Q.",
    .trap = "½√chi2 also holds above 1, but exceeds 1 from 4 on.",
    .tight = "two tokens",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"}}},
    .evaluate = [](Arguments a) -> Result {
      if (isLess(1, a[0]))
        return a[0] / (1 + a[0]);
      return sqrt(a[0]) / 2;
    },
    .useRow = {{{{each(Quantity::Chi2)}, Quantity::Tv},
                {{each(Quantity::SeqChi2)}, Quantity::SeqTv}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
