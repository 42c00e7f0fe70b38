#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chStale = {
    .id = "L-CH-STALE",
    .statement =
        "An inference kernel that still holds older weights is a chain: new trainer to old trainer "
        "to old inference kernel. Where it is at most s steps behind, and a step changes the "
        "trainer's logits by at most omega, the first link's drift oscillates by at most s·omega.",
    .hypotheses = "each step's bound is over the whole vocabulary, in every context; a step masks "
                  "no token that was not masked, and unmasks none",
    .formula = "omega(new trainer, old trainer) <= s·omega(one step), and omega(new trainer, old "
               "inference) <= omega(new trainer, old trainer) + omega(old trainer, old inference)",
    .proof = "The change of s steps is the sum of their changes, and the oscillation is a "
             "seminorm. Then L-CH-OSC, or L-CH-TV for total variation.",
    .trap = "A clause that compares the kernels at the same weights says nothing about the lag.",
    .tight = "steps and kernels drift the same way",
    .parameterRow = {{{"s", Domain::NonNegative, "steps between the two sets of weights"},
                      {"omega", Domain::NonNegative, "oscillation of one step's drift"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
    .useRow = {{{{given(Quantity::StaleSteps), given(Quantity::StepDrift)}, Quantity::LogitOsc}}},
};

} // namespace tikc::bounds::lemmas
