#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma rewardOdds = {
    .id = "L-R-ODDS",
    .statement = "A success rate r under the inference kernel rises by at most the effect of a "
                 "change of its log-odds by Omega.",
    .hypotheses = "0 <= R <= 1 with mean r under the inference kernel; the log-ratio of the sample "
                  "(a token or a whole response) oscillates by at most Omega; nothing is cut away.",
    .formula = "E_p R − r <= r/(r + (1 − r)·exp(−Omega)) − r",
    .proof = "R is the probability of an event once coins are added, and the log-odds of an event "
             "change by at most Omega (L-ODDS).",
    .trap = "This is the rise. The fall is the rise of 1 − R: use 1 − r. A claim on the drift "
            "takes the larger of the two.",
    .tight = "two tokens, R the indicator of one",
    .parameterRow = {{{"r", Domain::Share, "mean reward under the inference kernel"},
                      {"Omega", Domain::NonNegative, "oscillation of the log-ratio"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &r = a[0], &omega = a[1];
      Real fails = 1 - r;
      // r/(r + fails·x) − r = r·fails·(1 − x)/(r + fails·x), at x = exp(−omega).
      return r * fails * -expm1(-omega) / (r + fails * exp(-omega));
    },
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
