#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma qMean = {
    .id = "L-Q-MEAN",
    .statement = "If the drift oscillates by at most omega on all but a share alpha of the "
                 "contexts, and by at most cap on those, the mean total variation is at most (1 − "
                 "alpha)·tanh(omega/4) + alpha·tanh(cap/4).",
    .hypotheses = "the share alpha and the mean are taken under the same law of contexts; cap "
                  "holds for every context",
    .formula = "E TV <= (1 − alpha)·tanh(omega/4) + alpha·tanh(cap/4)",
    .proof = "Split the mean into the contexts that keep omega and the share that does not; tanh "
             "increases, and so does the sum in the share that fails, hence the full alpha.",
    .trap = "No claim about the worst context follows, and without a cap none about KL, χ² or "
            "ratios. A maximum over n samples is itself only a quantile (S-CP0). A quantile over "
            "tokens is not one over responses. The same sum bounds with cap as the mean over the "
            "worst share alpha (a CVaR clause).",
    .tight = "omega on a share 1 − alpha of the contexts, cap on the rest",
    .parameterRow = {{{"alpha", Domain::Share,
                       "share of the contexts on which the oscillation may exceed omega"},
                      {"omega", Domain::NonNegative, "oscillation on all other contexts"},
                      {"cap", Domain::NonNegative, "oscillation of any context"}}},
    .evaluate = [](Arguments a) -> Result {
      return (1 - a[0]) * tanh(min(a[1], a[2]) / 4) + a[0] * tanh(a[2] / 4);
    },
};

constinit const Lemma qMeanNoCap = {
    .id = "L-Q-MEAN-NOCAP",
    .statement = "If the drift oscillates by at most omega on all but a share alpha of the "
                 "contexts, and by anything on those, the mean total variation is at most (1 − "
                 "alpha)·tanh(omega/4) + alpha.",
    .hypotheses = "the share alpha and the mean are taken under the same law of contexts",
    .formula = "E TV <= (1 − alpha)·tanh(omega/4) + alpha",
    .proof =
        "L-Q-MEAN with the trivial bound of 1 on the total variation of the contexts that fail.",
    .trap = "No omega meets a budget below alpha.",
    .tight = "in the limit: omega on a share 1 − alpha of the contexts, disjoint distributions on "
             "the rest",
    .parameterRow = {{{"alpha", Domain::Share,
                       "share of the contexts on which the oscillation may exceed omega"},
                      {"omega", Domain::NonNegative, "oscillation on all other contexts"}}},
    .evaluate = [](Arguments a) -> Result { return (1 - a[0]) * tanh(a[1] / 4) + a[0]; },
    .inverse = &inverseQMean,
};

constinit const Lemma inverseQMean = {
    .id = "G-Q-MEAN",
    .statement = "The largest oscillation, on all but a share alpha of the contexts, for which "
                 "L-Q-MEAN-NOCAP gives a mean total variation of b.",
    .hypotheses = "alpha <= b < 1: the share that fails can use up alpha of the budget",
    .formula = "omega = 4·atanh((b − alpha)/(1 − alpha))",
    .proof = "L-Q-MEAN-NOCAP solved for omega.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of mean total variation"},
                      {"alpha", Domain::Share,
                       "share of the contexts on which the oscillation may exceed omega"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(a[1], a[0]))
        return std::nullopt;
      return 4 * atanh((a[0] - a[1]) / (1 - a[1]));
    },
};

} // namespace tikc::bounds::lemmas
