#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma oscLp = {
    .id = "L-OSC-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, log p − log q "
                 "oscillates by at most 2·delta.",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary, not only for sampled ones.",
    .formula = "omega <= 2·delta",
    .proof = "max(log p − log q) <= delta and min(log p − log q) >= −delta.",
    .trap = "The bound on log-probs says strictly more than an oscillation of 2·delta: where a "
            "lemma on log-probs exists, use it.",
    .tight = "two tokens with ratios exp(delta) and exp(−delta)",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return 2 * a[0]; },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::Omega}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma oscInt = {
    .id = "L-OSC-INT",
    .statement = "If log-ratios lie in [−a, b], they oscillate by at most a + b.",
    .hypotheses = "−a <= log p − log q <= b for every token of the vocabulary.",
    .formula = "omega <= a + b",
    .proof = "The difference of two numbers of an interval is at most its length.",
    .tight = "where both ends are reached",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1]; },
    .useRow = {{{{each(Quantity::LogRatioDown), each(Quantity::LogRatioUp)}, Quantity::Omega}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
