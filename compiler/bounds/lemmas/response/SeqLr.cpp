#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqLr = {
    .id = "L-SEQ-LR",
    .statement =
        "If no token's log-ratio exceeds r at any reachable prefix, no response's exceeds r·T.",
    .hypotheses = "log p − log q <= r for every token at every reachable prefix (or log q − log p, "
                  "which bounds the other side); no response is longer than T.",
    .formula = "log(P/Q) <= r·T, or log(Q/P) <= r·T",
    .proof = "The log-ratio of a response is the sum of its tokens' log-ratios.",
    .trap = "Do not apply it to a bound on logits: a change of every logit by at most eps allows "
            "log-ratios of 2·eps, not of eps.",
    .tight = "the largest ratio at every step",
    .parameterRow = {{{"r", Domain::NonNegative, "largest log-ratio of a token"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{sup(Quantity::LogRatioUp), given(Quantity::Horizon)}, Quantity::SeqLogRatioUp},
                {{sup(Quantity::LogRatioDown), given(Quantity::Horizon)},
                 Quantity::SeqLogRatioDown}}},
    .isStrict = true,
};

constinit const Lemma seqRatio = {
    .id = "L-SEQ-RATIO",
    .statement = "A response's ratio is the exponential of its log-ratio.",
    .hypotheses = "log(P/Q) <= b",
    .formula = "P/Q <= exp(b)",
    .proof = "The exponential increases.",
    .parameterRow = {{{"b", Domain::Any, "largest log-ratio of a response"}}},
    .evaluate = [](Arguments a) -> Result { return exp(a[0]); },
    .useRow = {{{{each(Quantity::SeqLogRatioUp)}, Quantity::SeqRatio}}},
    .isStrict = true,
};

constinit const Lemma seqFloor = {
    .id = "L-SEQ-FLOOR",
    .statement =
        "A response's ratio is at least the exponential of minus the fall of its log-ratio.",
    .hypotheses = "log(Q/P) <= a",
    .formula = "P/Q >= exp(−a)",
    .proof = "The exponential increases.",
    .parameterRow = {{{"a", Domain::Any, "largest log-ratio of a response, the other way round"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-a[0]); },
    .useRow = {{{{each(Quantity::SeqLogRatioDown)}, Quantity::SeqRatioFloor}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
