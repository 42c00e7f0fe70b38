#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma allSlice = {
    .id = "L-ALL-SLICE",
    .statement = "A bound in every context of the mixture holds in every context of each slice.",
    .hypotheses = "the bound is on a supremum",
    .formula = "sup over a slice <= sup over the mixture",
    .proof = "The slice's contexts are some of the mixture's.",
};

constinit const Lemma mixPart = {
    .id = "L-MIX-PART",
    .statement = "A slice with share w has a mean of at most 1/w of the mixture's, and fails a "
                 "quantile on at most 1/w of the share.",
    .hypotheses = "for a mean, the quantity is never negative; w > 0 is the slice's share of the "
                  "mean's population",
    .formula = "mean over the slice <= mean over the mixture / w",
    .proof = "The mixture's mean is w times the slice's and a rest that is not negative; likewise "
             "the share that fails.",
    .trap = "A signed quantity, such as a log-prob gap, lets the rest of the mixture pay for the "
            "slice.",
};

constinit const Lemma mixPartOne = {
    .id = "L-MIX-PART-ONE",
    .statement = "A slice with share w has a mean that exceeds 1 by at most 1/w of the mixture's "
                 "excess.",
    .hypotheses = "the quantity is never below 1; w > 0 is the slice's share of the mean's "
                  "population",
    .formula = "mean over the slice <= 1 + (mean over the mixture - 1) / w",
    .proof = "The quantity less 1 is never negative: L-MIX-PART.",
};

} // namespace tikc::bounds::lemmas
