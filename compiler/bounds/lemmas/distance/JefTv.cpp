#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma jefTv = {
    .id = "L-JEF-TV",
    .statement = "The two Kullback–Leibler divergences add up to at least 4·TV·atanh(TV).",
    .hypotheses = "TV >= tv; tv < 1",
    .formula = "KL(p‖q) + KL(q‖p) >= 4·tv·atanh(tv)",
    .proof = "As L-JS-TV: joint convexity leaves the pair (1 ± tv)/2, swapped.",
    .tight = "two tokens with probabilities (1 ± tv)/2, swapped",
    .parameterRow = {{{"tv", Domain::Share, "total variation, from below"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], 1))
        return std::nullopt;
      return 4 * a[0] * atanh(a[0]);
    },
};

} // namespace tikc::bounds::lemmas
