#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvTopk = {
    .id = "L-TV-TOPK",
    .statement = "If both kernels' probabilities are seen only for a set of tokens, all of the "
                 "unseen mass may differ.",
    .hypotheses = "half = ½·Σ|p − q| over the set; restp and restq are the two kernels' masses "
                  "outside of it.",
    .formula = "half + ½|restp − restq| <= TV <= half + ½(restp + restq)",
    .proof = "Outside of the set, |restp − restq| <= Σ|p − q| <= restp + restq.",
    .trap = "The returned top-k of the two kernels are two sets: only tokens that are in both "
            "count as seen.",
    .tight = "disjoint tokens outside of the set, from above; proportional ones, from below",
    .parameterRow = {{{"half", Domain::Share, "half the sum of |p − q| over the set"},
                      {"restp", Domain::Share, "the training kernel's mass outside of it"},
                      {"restq", Domain::Share, "the inference kernel's mass outside of it"}}},
    .evaluate = [](Arguments a) -> Result { return min(a[0] + (a[1] + a[2]) / 2, 1); },
};

} // namespace tikc::bounds::lemmas
