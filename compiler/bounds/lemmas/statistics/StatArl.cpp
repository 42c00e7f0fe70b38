#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statArl = {
    .id = "S-ARL",
    .statement = "While the contract holds, an alarm that restarts its bets at every step takes at "
                 "least c steps on average until a false alarm.",
    .hypotheses = "Xᵢ >= 0 with a mean given the past of at most b; λ in [0, 1/b]",
    .formula =
        "Mₙ = (1 + Mₙ₋₁)·(1 + λ(Xₙ − b)), alarm at Mₙ >= c: expected time to a false alarm >= c",
    .proof =
        "Mₙ − n is a supermartingale; optional stopping at the alarm gives c <= E M <= E time.",
    .trap = "It is a rate of false alarms, not a confidence: over a long time, a false alarm is "
            "certain.",
};

} // namespace tikc::bounds::lemmas
