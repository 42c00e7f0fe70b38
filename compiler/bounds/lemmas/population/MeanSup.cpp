#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma meanSup = {
    .id = "L-MEAN-SUP",
    .statement = "A mean is at most the supremum.",
    .hypotheses = "the supremum is over every context that the mean's law can reach",
    .formula = "E s <= sup s",
    .proof = "s <= sup s in every context; take means.",
    .trap = "The largest of n measured values is not a supremum: it is a quantile at some "
            "confidence (S-CP0).",
    .tight = "the same drift in every context",
};

constinit const Lemma quantileSup = {
    .id = "L-QUANTILE-SUP",
    .statement = "A quantile is at most the supremum, at any level.",
    .hypotheses = "the supremum is over every context that the quantile's law can reach",
    .formula = "P(s <= sup s) = 1",
    .proof = "No context exceeds the supremum, so the share that does is 0.",
    .trap =
        "The converse fails: a quantile at any level below 1 says nothing about the worst context.",
    .tight = "the same drift in every context",
};

} // namespace tikc::bounds::lemmas
