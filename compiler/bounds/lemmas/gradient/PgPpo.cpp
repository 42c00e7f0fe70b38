#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma pgPpo = {
    .id = "L-PG-PPO",
    .statement = "The gradient of PPO's clipped objective has a bias of at most B times p's mass "
                 "on clipped ratios, so at most B·min(1, 2·tv/c).",
    .hypotheses = "TV <= tv; ratios are clipped at 1 ± c with 0 < c < 1; no term of the gradient "
                  "has a norm above B.",
    .formula = "bias <= B·p(w < 1 − c or w > 1 + c) <= B·min(1, 2·tv/c)",
    .proof = "The gradient of min(wA, clip(w)A) is w·A·∇log p, or zero where A > 0 and w > 1 + c "
             "or A < 0 and w < 1 − c. Then L-PG-MASK-TV with (1 + c)/c + (1 − c)/c = 2/c.",
    .trap = "PPO's clipping is a mask: it drops terms and does not shrink them.",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"tv", Domain::NonNegative, "total variation"},
                      {"c", Domain::OpenShare, "half-width of clipping"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * min(1, 2 * a[1] / a[2]); },
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
