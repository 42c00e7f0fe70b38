#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma mix = {
    .id = "L-MIX",
    .statement = "The mean over all traffic is at most the weighted sum of the slices' means, with "
                 "uncovered traffic at its trivial bound.",
    .hypotheses = "slices are disjoint, with shares wₖ >= 0 that sum to at most 1, under the law "
                  "that the mean is taken under",
    .formula = "E s <= Σ wₖ·bₖ + (1 − Σ wₖ)·trivial; trivial is 1 for total variation, the range "
               "for a reward, and infinite for KL, χ² and ratios",
    .proof = "The law of total expectation.",
    .trap = "Shares of tokens are not shares of responses, and shares under the trainer are not "
            "shares under the inference kernel. For KL, χ² and ratios a remainder above 0 leaves "
            "no bound at all.",
    .tight = "each slice at its own bound",
};

constinit const Lemma mixBox = {
    .id = "L-MIXBOX",
    .statement = "If shares of slices are known only as ranges, the mean is at most the "
                 "weighted sum under the worst shares in these ranges.",
    .hypotheses = "slices are disjoint; lowₖ <= wₖ <= highₖ; Σ lowₖ <= 1",
    .formula = "E s <= max of Σ wₖ·bₖ over the shares in their ranges that sum to 1: every slice "
               "gets lowₖ, and the rest goes to the largest bₖ first, up to highₖ; the remainder "
               "is a slice with its trivial bound",
    .proof = "A linear function on a box cut by one equation is largest where weight is given "
             "greedily: moving weight from a smaller b to a larger one never lowers the sum.",
    .trap = "The remainder takes part: leaving it out assumes that the slices cover all traffic.",
    .tight = "those shares",
};

} // namespace tikc::bounds::lemmas
