#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvHel = {
    .id = "L-TV-HEL",
    .statement = "Total variation is at most √(h(2 − h)), h the squared Hellinger distance.",
    .hypotheses = "H² <= h2v",
    .formula = "TV <= √(h2v·(2 − h2v))",
    .proof = "½Σ|√p − √q|·(√p + √q) and Cauchy–Schwarz: TV² <= H²(2 − H²).",
    .trap = "H² here is 1 − Σ√(pq). Some texts call its root, or twice it, the Hellinger distance.",
    .tight = "two tokens with log-odds x and −x",
    .parameterRow = {{{"h2v", Domain::Share, "squared Hellinger distance"}}},
    .evaluate = [](Arguments a) -> Result {
      Real h = min(a[0], 1);
      return sqrt(h * (2 - h));
    },
    .useRow = {{{{each(Quantity::Hellinger)}, Quantity::Tv}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
