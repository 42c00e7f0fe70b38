#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chi2Int = {
    .id = "L-CHI2-INT",
    .statement = "If log-ratios lie in [−a, b], χ²(p‖q) is at most (exp(b) − 1)(1 − exp(−a)).",
    .hypotheses =
        "−a <= log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q) <= (M − 1)(1 − m), m = exp(−a), M = exp(b)",
    .proof = "(M − w)(w − m) >= 0, so E_q w² <= M + m − mM.",
    .trap = "χ²(q‖p) is bounded by (M − 1)(1 − m)/(mM) instead.",
    .tight = "two tokens with ratios m and M",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return expm1(a[1]) * -expm1(-a[0]); },
    .useRow = {{{{each(Quantity::LogRatioDown), each(Quantity::LogRatioUp)}, Quantity::Chi2},
                {{sup(Quantity::SeqLogRatioDown), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqChi2}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
