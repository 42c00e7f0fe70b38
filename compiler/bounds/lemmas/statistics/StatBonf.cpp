#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statBonf = {
    .id = "S-BONF",
    .statement = "If each of K statements is wrong with a probability of at most alpha/K, all are "
                 "right with confidence 1 − alpha.",
    .hypotheses = "none: the statements may depend on one another in any way",
    .formula = "level of each statement = alpha/K",
    .proof = "The union bound.",
    .trap = "K counts all statements that could have been reported, not only the reported ones. "
            "For a weighted sum of slices, S-STRAT is better.",
    .tight = "where at most one statement can be wrong at a time",
    .parameterRow = {{{"alpha", Domain::OpenShare, "probability that any statement is wrong"},
                      {"K", Domain::Count, "statements"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / a[1]; },
};

constinit const Lemma statStrat = {
    .id = "S-STRAT",
    .statement = "A weighted sum of slices' means is, with confidence 1 − alpha, at most that of "
                 "their sample means plus one common radius, smaller than Bonferroni's.",
    .hypotheses = "nₖ independent draws in [0, Bₖ] of each slice, the slices independent of one "
                  "another; shares wₖ and all nₖ fixed beforehand",
    .formula = "Σ wₖ·E Xₖ <= Σ wₖ·xbarₖ + √(½·log(1/alpha)·Σ wₖ²·Bₖ²/nₖ)",
    .proof = "Hoeffding for independent draws of different ranges: draw i of slice k enters with "
             "the range wₖ·Bₖ/nₖ.",
    .trap = "The shares are known, not estimated from the same sample. Uncovered traffic enters at "
            "its trivial bound (L-MIX).",
};

} // namespace tikc::bounds::lemmas
