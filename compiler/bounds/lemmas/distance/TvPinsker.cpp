#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvPinsker = {
    .id = "L-TV-PINSKER",
    .statement = "Pinsker's inequality: total variation is at most √(kl/2).",
    .hypotheses = "KL(p‖q) <= kl or KL(q‖p) <= kl",
    .formula = "TV <= √(kl/2)",
    .proof = "For two tokens 2v² <= KL by its second derivative; merge tokens into those where p > "
             "q and the rest.",
    .trap = "It exceeds 1 from kl = 2 on. L-TV-VAJDA is never worse.",
    .tight = "as kl goes to 0",
    .parameterRow = {{{"kl", Domain::NonNegative, "the divergence, in either direction"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(a[0] / 2); },
};

} // namespace tikc::bounds::lemmas
