#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma mJensen = {
    .id = "L-M-JENSEN",
    .statement = "A concave bound that holds in every context also holds for the means over all "
                 "contexts. L-TV-OSC, for example, bounds the mean total variation by "
                 "tanh(mean/4), where mean is the mean oscillation.",
    .hypotheses = "both means are taken under the same law of contexts",
    .formula = "E TV <= tanh(mean/4)",
    .proof =
        "tanh(s/4) is concave for s >= 0, so by Jensen E tanh(s/4) <= tanh(E s/4). The same holds "
        "for every concave bound with φ(0) >= 0, such as L-TV-VAJDA, L-TV-CHI2 and L-TV-MALP.",
    .trap = "X-M-JENSEN-KL: it is wrong for a convex bound. K(mean) of L-KL-OSC understates the "
            "mean divergence by a factor of 6.7 at a mean of 0.5 under a cap of 4: use L-M-CHORD.",
    .tight = "the same oscillation in every context",
    .parameterRow = {{{"mean", Domain::NonNegative, "mean oscillation over the contexts"}}},
    .evaluate = [](Arguments a) -> Result { return tanh(a[0] / 4); },
};

} // namespace tikc::bounds::lemmas
