#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view k123Traps = "It is KL(q‖p), the sampler against the trainer, not "
                                       "KL(p‖q), which is the mean of w·log w − (w − 1).";

} // namespace

constinit const Lemma k123 = {
    .id = "L-K123",
    .statement = "The mean of k3 = w − 1 − log w over sampled tokens is KL(q‖p).",
    .hypotheses = "Tokens are sampled from q; w = p/q; the inference kernel can sample every token "
                  "that the trainer can.",
    .formula = "KL(q‖p) = E_q k3 <= k3",
    .proof = "E_q (w − 1) = 0, and E_q (−log w) is KL(q‖p) by definition.",
    .trap = k123Traps,
    .tight = "always",
    .parameterRow = {{{"k3", Domain::NonNegative, "mean of k3 over sampled tokens"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{mean(Quantity::SampledK3)}, Quantity::KlInferTrain, Quantifier::Mean},
                {{sup(Quantity::SampledK3)}, Quantity::KlInferTrain}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma k1 = {
    .id = "L-K1",
    .statement = "The mean of k1 = −log w over samples is KL(q‖p).",
    .hypotheses = "Tokens, or whole responses, are sampled from q; w = p/q; the inference kernel "
                  "can sample every token that the trainer can.",
    .formula = "KL(q‖p) = E_q k1 <= k1",
    .proof = "The definition of KL(q‖p).",
    .trap = k123Traps,
    .tight = "always",
    .parameterRow = {{{"k1", Domain::NonNegative, "mean of log q − log p over samples"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{mean(Quantity::SampledK1)}, Quantity::KlInferTrain, Quantifier::Mean},
                {{mean(Quantity::SeqSampledK1)}, Quantity::SeqKlInferTrain, Quantifier::Mean}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma k1Abs = {
    .id = "L-K1-ABS",
    .statement = "The mean change of sampled log-probs, in absolute value, is at least KL(q‖p).",
    .hypotheses = "Tokens, or whole responses, are sampled from the inference kernel.",
    .formula = "KL(q‖p) <= E_q |log w| <= beta",
    .proof = "KL(q‖p) = E_q (−log w) <= E_q |log w|.",
    .trap = k123Traps,
    .tight = "never, unless both are 0: where log w is never positive it is 0",
    .parameterRow = {{{"beta", Domain::NonNegative, "mean of |log p − log q| over samples"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{mean(Quantity::SampledAbsGap)}, Quantity::KlInferTrain, Quantifier::Mean},
                {{mean(Quantity::SeqSampledAbsGap)}, Quantity::SeqKlInferTrain, Quantifier::Mean}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
