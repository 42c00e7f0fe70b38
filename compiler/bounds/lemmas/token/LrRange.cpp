#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma lrRange = {
    .id = "L-LR-RANGE",
    .statement = "If the logit drift oscillates by at most omega, the ratio of any token lies "
                 "between exp(−omega) and exp(omega).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "−omega <= log w <= omega",
    .proof = "Since E_q w = 1, some token has w >= 1 and some has w <= 1; no log-ratio is further "
             "than omega from either.",
    .trap = "X-LR-EPS: with a drift of at most eps the range is ±2·eps, not ±eps.",
    .tight = "never attained in one context; approached as one token's mass vanishes",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::LogRatioUp},
                {{each(Quantity::Omega)}, Quantity::LogRatioDown}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
    .inverse = &inverseLrRange,
};

constinit const Lemma lrLp = {
    .id = "L-LR-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, no log-ratio is "
                 "further than delta from 0.",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary; nothing is cut away.",
    .formula = "−delta <= log w <= delta",
    .proof = "log w = log p − log q.",
    .tight = "always",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::LogRatioUp},
                {{each(Quantity::LogprobLinf)}, Quantity::LogRatioDown}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma lrCap = {
    .id = "L-LR-CAP",
    .statement = "If a hard cap bounds every token's ratio, its logarithm bounds every "
                 "log-ratio from above.",
    .hypotheses = "p/q <= cap for every token that can be sampled, by construction and not by "
                  "observation; cap >= 1.",
    .formula = "log w <= log(cap)",
    .proof = "The logarithm increases.",
    .trap = "The cap of truncated importance sampling applies to weights afterwards; it does not "
            "cap the kernels' ratios.",
    .tight = "always",
    .parameterRow = {{{"cap", Domain::AtLeastOne, "hard cap on every token's ratio"}}},
    .evaluate = [](Arguments a) -> Result { return log(a[0]); },
    .useRow = {{{{given(Quantity::RatioCap)}, Quantity::LogRatioUp}}},
};

constinit const Lemma lrRatio = {
    .id = "L-LR-RATIO",
    .statement = "If no log-ratio is above b, no ratio is above exp(b).",
    .hypotheses = "log p − log q <= b for every token that can be sampled.",
    .formula = "w <= exp(b)",
    .proof = "The exponential increases.",
    .trap = "X-TV-RATIO: a small total variation does not bound a ratio. One token of mass 10^−30 "
            "that the trainer lifts to t has total variation t and a log-ratio of 69 + log t.",
    .tight = "always",
    .parameterRow = {{{"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return exp(a[0]); },
    .useRow = {{{{each(Quantity::LogRatioUp)}, Quantity::Ratio},
                {{each(Quantity::LogRatioUp)}, Quantity::LargestRatio}}},
    .isStrict = true,
};

constinit const Lemma lrFloor = {
    .id = "L-LR-FLOOR",
    .statement = "If no log-ratio is below −a, no ratio is below exp(−a).",
    .hypotheses = "log q − log p <= a for every token that the inference kernel can sample.",
    .formula = "w >= exp(−a)",
    .proof = "The exponential increases.",
    .trap = "Cutting tokens makes a kernel's other tokens likelier, and so their ratios smaller.",
    .tight = "always",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-a[0]); },
    .useRow = {{{{each(Quantity::LogRatioDown)}, Quantity::RatioFloor},
                {{each(Quantity::LogRatioDown)}, Quantity::LeastRatio}}},
    .isStrict = true,
};

constinit const Lemma inverseLrRange = {
    .id = "G-LR-RANGE",
    .statement = "The largest oscillation for which L-LR-RANGE keeps every ratio at most M.",
    .hypotheses = "M >= 1",
    .formula = "omega = log M",
    .proof = "L-LR-RANGE, then the logarithm.",
    .parameterRow = {{{"M", Domain::AtLeastOne, "the budget of the ratio"}}},
    .evaluate = [](Arguments a) -> Result { return log(a[0]); },
};

} // namespace tikc::bounds::lemmas
