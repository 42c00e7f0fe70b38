#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma entTv = {
    .id = "L-ENT-TV",
    .statement = "If total variation is at most tv, the two entropies differ by at most "
                 "tv·log(V − 1) + h(tv), and by at most log V.",
    .hypotheses = "TV <= tv; V >= 2 tokens; h is the binary entropy.",
    .formula = "|H(p) − H(q)| <= tv·log(V − 1) + h(tv) for tv <= 1 − 1/V, else log V",
    .proof = "Fannes–Audenaert: couple the two so that they differ with probability TV; Fano's "
             "inequality bounds the conditional entropy of one given the other.",
    .trap =
        "It is not linear at 0, where h has infinite slope: for a small drift L-ENT-LIN is better.",
    .tight = "a point mass against one that spreads tv evenly over the other tokens",
    .parameterRow = {{{"tv", Domain::Share, "total variation"},
                      {"V", Domain::Count, "tokens of the vocabulary"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(2, a[1]))
        return std::nullopt;
      if (!isAtMost(a[0], 1 - 1 / a[1]))
        return log(a[1]);
      return a[0] * log(a[1] - 1) + binaryEntropy(a[0]);
    },
    .useRow = {{{{each(Quantity::Tv), given(Quantity::Vocabulary)}, Quantity::EntropyGap}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
