#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma ppl = {
    .id = "L-PPL",
    .statement = "If the logit drift oscillates by at most omega, the two perplexities on any "
                 "text differ by a factor of at most exp(omega).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega at every token of the text; the masks are "
                  "the same; nothing is cut away.",
    .formula = "exp(−omega) <= perplexity ratio <= exp(omega)",
    .proof = "A perplexity is the exponential of a mean of log-probs, and each log-ratio lies in "
             "[−omega, omega] (L-LR-RANGE).",
    .trap = "Equal perplexities say nothing about total variation: gains and losses cancel in the "
            "mean.",
    .tight = "approached, never attained",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return exp(a[0]); },
};

} // namespace tikc::bounds::lemmas
