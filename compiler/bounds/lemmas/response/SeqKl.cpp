#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqKl = {
    .id = "L-SEQ-KL",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, "
                 "both divergences of whole responses are at most T·K(omega).",
    .hypotheses = "The oscillation is at most omega at every prefix that the first kernel of the "
                  "divergence can reach; nothing is cut away.",
    .formula = "KL(P‖Q), KL(Q‖P) <= T·K(omega), K of L-KL-OSC",
    .proof = "The divergence of whole responses is the sum over steps of the mean divergence of a "
             "step, over prefixes of its first kernel; each is at most K(omega).",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * largestKl(a[0]); },
    .needsFullSupport = true,
};

constinit const Lemma seqKlSum = {
    .id = "L-SEQ-KL-SUM",
    .statement = "The divergence of whole responses is at most the divergence of a token times the "
                 "number of tokens.",
    .hypotheses =
        "kl bounds the divergence at every prefix, or its mean over prefixes that the first kernel "
        "of the divergence samples; T bounds the length, or the mean length where kl is a mean.",
    .formula = "KL(P‖Q) <= T·kl, or KL(Q‖P) <= T·kl",
    .proof = "The chain rule: the divergence of whole responses is exactly the sum of the steps' "
             "mean divergences.",
    .trap = "The direction and the law of the prefixes belong together: responses of the inference "
            "kernel give KL(Q‖P) from means of KL(q‖p). A mean of KL(p‖q) over its prefixes says "
            "nothing about KL(P‖Q).",
    .tight = "always, when kl is the mean and T the mean length",
    .parameterRow = {{{"kl", Domain::NonNegative, "divergence of a token"},
                      {"T", Domain::NonNegative, "the horizon, or the mean length"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow =
        {{{{sup(Quantity::KlTrainInfer), given(Quantity::Horizon)}, Quantity::SeqKlTrainInfer},
          {{sup(Quantity::KlInferTrain), given(Quantity::Horizon)}, Quantity::SeqKlInferTrain},
          {{mean(Quantity::KlInferTrain), given(Quantity::Horizon)},
           Quantity::SeqKlInferTrain,
           Quantifier::Mean},
          {{mean(Quantity::KlInferTrain), mean(Quantity::MeanLength)},
           Quantity::SeqKlInferTrain,
           Quantifier::Mean}}},
    .isStrict = true,
};

constinit const Lemma seqKlVajda = {
    .id = "L-SEQ-KL-VAJDA",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, "
                 "whole responses differ by at most the exact curve of L-TV-VAJDA at T·K(omega).",
    .hypotheses = "The oscillation is at most omega at every prefix that the inference kernel can "
                  "reach; nothing is cut away.",
    .formula = "TV(P, Q) <= VAJDA(T·K(omega))",
    .proof = "L-SEQ-KL, then L-TV-VAJDA.",
    .trap = "L-SEQ-HEL was at least as good in every case tried.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      Real kl = a[1] * largestKl(a[0]);
      return tvVajda.evaluate(Arguments(&kl, 1));
    },
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
