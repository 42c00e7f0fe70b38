#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma odds = {
    .id = "L-ODDS",
    .statement = "If the logit drift oscillates by at most omega, the log-odds of every event "
                 "differ by at most omega.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "p(A) <= q(A)/(q(A) + (1 − q(A))·exp(−omega))",
    .proof = "Merge A into one token and the rest into another: their ratios are averages of "
             "ratios, so no further apart. Then L-LR-POINT.",
    .tight = "two tokens",
    .parameterRow = {{{"q", Domain::Share, "the inference kernel's probability of the event"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / (a[0] + (1 - a[0]) * exp(-a[1])); },
};

} // namespace tikc::bounds::lemmas
