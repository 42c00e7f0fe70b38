#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma klChi2 = {
    .id = "L-KL-CHI2",
    .statement = "KL(p‖q) is at most log(1 + χ²(p‖q)).",
    .hypotheses = "χ²(p‖q) = Σ (p − q)²/q <= chi2, infinite where p has mass that q lacks.",
    .formula = "KL(p‖q) <= log(1 + chi2)",
    .proof = "E_p log w <= log E_p w by Jensen's inequality, and E_p w = 1 + χ².",
    .trap = "It does not bound KL(q‖p): a token that p drops makes that infinite while χ²(p‖q) "
            "stays small.",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"}}},
    .evaluate = [](Arguments a) -> Result { return log1p(a[0]); },
    .useRow = {{{{each(Quantity::Chi2)}, Quantity::KlTrainInfer},
                {{each(Quantity::SeqChi2)}, Quantity::SeqKlTrainInfer}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
