#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvEst = {
    .id = "L-TV-EST",
    .statement = "The mean of (1 − w)⁺ over samples is the total variation, with no assumption on "
                 "ratios or support.",
    .hypotheses = "Tokens, or whole responses, are sampled from the inference kernel; w is the "
                  "ratio p/q of the sample.",
    .formula = "TV = E_q (1 − w)⁺ <= s",
    .proof = "Σ (q − p)⁺ = TV, and tokens that q never samples do not enter.",
    .trap = "X-TV-HALFABS: the mean of ½|w − 1| is too small by half the mass that q never "
            "samples, and it is unbounded. This one lies in [0, 1].",
    .tight = "always",
    .parameterRow = {{{"s", Domain::Share, "mean of (1 − w)⁺ over samples"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{mean(Quantity::SampledTv)}, Quantity::Tv, Quantifier::Mean},
                {{mean(Quantity::SeqSampledTv)}, Quantity::SeqTv, Quantifier::Mean},
                {{sup(Quantity::SampledTv)}, Quantity::Tv},
                {{sup(Quantity::SeqSampledTv)}, Quantity::SeqTv}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
