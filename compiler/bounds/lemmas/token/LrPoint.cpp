#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma lrPoint = {
    .id = "L-LR-POINT",
    .statement = "If the inference kernel gives a token probability q, its log-ratio is further "
                 "below omega the larger q is.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula =
        "log w <= −log(q + (1 − q)·exp(−omega)); from below, log w >= −log(q + (1 − q)·exp(omega))",
    .proof = "1/w of token i is q_i + Σ_{j≠i} q_j·exp(d_j − d_i), and each exponent lies in "
             "[−omega, omega].",
    .tight = "every other token has the opposite drift",
    .parameterRow = {{{"q", Domain::Share, "the inference kernel's probability of the token"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return -log1p((1 - a[0]) * expm1(-a[1])); },
};

} // namespace tikc::bounds::lemmas
