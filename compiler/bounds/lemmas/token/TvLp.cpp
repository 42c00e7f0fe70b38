#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvLp = {
    .id = "L-TV-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, total variation "
                 "is at most tanh(delta/2).",
    .hypotheses = "|log p − log q| <= delta for every token of the vocabulary, not only for "
                  "sampled ones; nothing is cut away.",
    .formula = "TV <= tanh(delta/2)",
    .proof = "L-TV-INT at a = b = delta: expm1(delta)²/expm1(2·delta) = tanh(delta/2).",
    .trap = "A bound on sampled tokens only, or on the returned top-k log-probs, is not a bound "
            "over the vocabulary: see L-TV-SAMPQ and L-TV-TOPK.",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return tanh(a[0] / 2); },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::Tv}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
    .inverse = &inverseTvLp,
};

constinit const Lemma inverseTvLp = {
    .id = "G-TV-LP",
    .statement = "The largest change of log-probs for which L-TV-LP gives a total variation of b.",
    .hypotheses = "b < 1",
    .formula = "delta = 2·atanh(b)",
    .proof = "tanh increases.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of total variation"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * atanh(a[0]); },
};

} // namespace tikc::bounds::lemmas
