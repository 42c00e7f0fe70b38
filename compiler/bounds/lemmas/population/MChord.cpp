#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma mChord = {
    .id = "L-M-CHORD",
    .statement = "A convex bound takes a mean only together with a cap: it then lies below the "
                 "straight line from 0 to its value at the cap.",
    .hypotheses = "φ is convex with φ(0) = 0; 0 <= s <= S in every context; E s <= mean",
    .formula = "E φ(s) <= (mean/S)·φ(S)",
    .proof = "A convex function lies below its chord on [0, S]; take the mean of the chord.",
    .trap = "Without a cap nothing follows about χ² from a mean. The mean KL is at most the mean "
            "oscillation, since K(s) <= s.",
    .tight = "S on a share mean/S of the contexts, 0 on the rest",
};

constinit const Lemma mChordKl = {
    .id = "L-M-CHORD-KL",
    .statement = "If the oscillation is at most mean on average and at most cap in every "
                 "context, the mean Kullback–Leibler divergence is at most (mean/cap)·K(cap).",
    .hypotheses =
        "both means are taken under the same law of contexts; cap holds for every context",
    .formula = "E KL <= (mean/cap)·K(cap), K as in L-KL-OSC",
    .proof = "L-M-CHORD: K is convex, and K(0) = 0.",
    .trap = "X-M-JENSEN-KL: K(mean) is not a bound. It is too small by a factor of 6.7 at a mean "
            "of 0.5 and a cap of 4.",
    .tight = "cap on a share mean/cap of the contexts, no drift on the rest",
    .parameterRow = {{{"mean", Domain::NonNegative, "mean oscillation over the contexts"},
                      {"cap", Domain::Positive, "oscillation of any context"}}},
    .evaluate = [](Arguments a) -> Result { return min(a[0], a[1]) / a[1] * largestKl(a[1]); },
};

} // namespace tikc::bounds::lemmas
