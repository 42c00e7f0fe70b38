#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvSupprob = {
    .id = "L-TV-SUPPROB",
    .statement = "If no probability of V tokens changes by more than xi, total variation is at "
                 "most V·xi/2.",
    .hypotheses = "|p − q| <= xi for each of the V tokens.",
    .formula = "TV <= min(1, V·xi/2)",
    .proof = "Half a sum of V terms of at most xi.",
    .trap = "It grows with the vocabulary: at 100,000 tokens a tolerance of 10^−4 on probabilities "
            "says nothing at all.",
    .tight = "an even V, each token changed by xi",
    .parameterRow = {{{"xi", Domain::NonNegative, "largest change of any probability"},
                      {"V", Domain::Count, "tokens of the vocabulary"}}},
    .evaluate = [](Arguments a) -> Result { return min(a[1] * a[0] / 2, 1); },
};

} // namespace tikc::bounds::lemmas
