#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chOsc = {
    .id = "L-CH-OSC",
    .statement = "Along a chain of kernels the drifts of logits and of log-probabilities add; "
                 "convert to a distance after adding.",
    .hypotheses = "every link has the same masks; the drift of each is over the whole vocabulary",
    .formula = "omega <= Σ omegaᵢ, and likewise for the sup-norm, the 2-norm and log ratios",
    .proof = "The drift of the chain is the sum of the links' drifts, and each of these sizes is a "
             "seminorm. Ratios multiply, so their logarithms add.",
    .trap =
        "Converting each link first is sound but looser: tanh((a + b)/4) <= tanh(a/4) + tanh(b/4).",
    .tight = "links that drift the same way",
};

constinit const Lemma chOscTv = {
    .id = "L-CH-OSC-TV",
    .statement = "Two links whose logit drifts oscillate by at most omega1 and omega2 differ, end "
                 "to end, by at most tanh((omega1 + omega2)/4) in total variation.",
    .hypotheses = "both oscillations are over the whole vocabulary; the masks are the same; "
                  "nothing is cut away",
    .formula = "TV <= tanh((omega1 + omega2)/4)",
    .proof = "L-CH-OSC, then L-TV-OSC.",
    .trap = "A lag between weights is one more link, with a clause of its own (L-CH-STALE).",
    .tight = "two tokens, both links drifting the same way",
    .parameterRow = {{{"omega1", Domain::NonNegative, "oscillation of the first link's drift"},
                      {"omega2", Domain::NonNegative, "oscillation of the second link's drift"}}},
    .evaluate = [](Arguments a) -> Result { return tanh((a[0] + a[1]) / 4); },
};

} // namespace tikc::bounds::lemmas
