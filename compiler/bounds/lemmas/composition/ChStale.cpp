#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chStale = {
    .id = "L-CH-STALE",
    .statement = "An inference kernel that still holds older weights is a chain: new trainer to "
                 "old trainer to old inference kernel. The "
                 "lag needs a clause of its own.",
    .hypotheses =
        "a clause bounds the drift between the trainer's distributions at the two sets of weights",
    .formula = "omega(new trainer, old inference) <= omega(new trainer, old trainer) + omega(old "
               "trainer, old inference)",
    .proof = "L-CH-OSC, or L-CH-TV for total variation.",
    .trap = "A clause that compares the kernels at the same weights says nothing about the lag.",
    .tight = "lag and kernel drift the same way",
};

} // namespace tikc::bounds::lemmas
