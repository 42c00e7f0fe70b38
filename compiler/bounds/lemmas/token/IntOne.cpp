#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma intOne = {
    .id = "L-INT-ONE",
    .statement = "If no log-ratio is above b, total variation is at most 1 − exp(−b).",
    .hypotheses = "log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "TV <= 1 − exp(−b)",
    .proof = "q >= exp(−b)·p, so (p − q)⁺ <= (1 − exp(−b))·p. Sum.",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return -expm1(-a[0]); },
    .useRow = {{{{each(Quantity::LogRatioUp)}, Quantity::Tv},
                {{sup(Quantity::SeqLogRatioUp)}, Quantity::SeqTv}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma intOneKl = {
    .id = "L-INT-ONE-KL",
    .statement = "If no log-ratio is above b, KL(p‖q) is at most b.",
    .hypotheses = "log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(p‖q) <= b",
    .proof = "KL(p‖q) is the mean of log p − log q under p.",
    .trap = "It says nothing about KL(q‖p): a token that p drops makes that infinite.",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::LogRatioUp)}, Quantity::KlTrainInfer},
                {{sup(Quantity::SeqLogRatioUp)}, Quantity::SeqKlTrainInfer}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma intOneChi2 = {
    .id = "L-INT-ONE-CHI2",
    .statement = "If no log-ratio is above b, χ²(p‖q) is at most exp(b) − 1.",
    .hypotheses = "log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q) <= exp(b) − 1",
    .proof = "E_q w² = E_p w <= exp(b).",
    .tight = "p is q without some of its tokens",
    .parameterRow = {{{"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return expm1(a[0]); },
    .useRow = {{{{each(Quantity::LogRatioUp)}, Quantity::Chi2},
                {{sup(Quantity::SeqLogRatioUp)}, Quantity::SeqChi2}}},
    .curvature = Curvature::Convex,
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma intOneDown = {
    .id = "L-INT-ONE-DOWN",
    .statement = "If no log-ratio is below −a, total variation is at most 1 − exp(−a).",
    .hypotheses = "log q − log p <= a for every token that the inference kernel can sample.",
    .formula = "TV <= 1 − exp(−a)",
    .proof = "p >= exp(−a)·q, so (q − p)⁺ <= (1 − exp(−a))·q. Sum.",
    .tight = "q is p without some of its tokens",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result { return -expm1(-a[0]); },
    .useRow = {{{{each(Quantity::LogRatioDown)}, Quantity::Tv},
                {{sup(Quantity::SeqLogRatioDown)}, Quantity::SeqTv}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma intOneKlr = {
    .id = "L-INT-ONE-KLR",
    .statement = "If no log-ratio is below −a, KL(q‖p) is at most a.",
    .hypotheses = "log q − log p <= a for every token that the inference kernel can sample.",
    .formula = "KL(q‖p) <= a",
    .proof = "KL(q‖p) is the mean of log q − log p under q.",
    .trap = "It says nothing about KL(p‖q): mass that q never samples makes that infinite.",
    .tight = "q is p without some of its tokens",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::LogRatioDown)}, Quantity::KlInferTrain},
                {{sup(Quantity::SeqLogRatioDown)}, Quantity::SeqKlInferTrain}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
