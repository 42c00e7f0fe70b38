#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statLooks = {
    .id = "S-LOOKS",
    .statement = "Looking at the data repeatedly is sound if look j = 1, 2, … uses the level "
                 "alpha/(j(j + 1)).",
    .hypotheses = "each look's statement holds at its own level, for a number of samples that was "
                  "fixed beforehand",
    .formula = "level of look j = alpha/(j(j + 1))",
    .proof = "Σ 1/(j(j + 1)) = 1, and the union bound.",
    .trap = "X-PEEK: at the full alpha for each look, a bound for fixed n misses 6 to 8 times as "
            "often as it says.",
    .parameterRow = {{{"alpha", Domain::OpenShare, "probability that any look is wrong"},
                      {"j", Domain::Count, "number of the look"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / (a[1] * (a[1] + 1)); },
};

} // namespace tikc::bounds::lemmas
