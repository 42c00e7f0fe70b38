#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma mq = {
    .id = "L-MQ",
    .statement = "A mean and a quantile of the oscillation together bound the mean total variation "
                 "better than either alone.",
    .hypotheses = "mean, quantile and conclusion are about the same law of contexts; cap holds for "
                  "every context",
    .formula = "E TV <= tanh(mean/4) where mean <= omega, else (1 − alpha)·tanh(omega/4) + "
               "alpha·tanh(min(cap, (mean − (1 − alpha)·omega)/alpha)/4)",
    .proof = "Let x be the mean on the contexts above the quantile and y the mean on the others, y "
             "<= omega. By Jensen on each part the mean is at most (1 − alpha)φ(y) + alpha·φ(x), "
             "and since φ is concave it is largest with y as near to x as the constraints allow: y "
             "= mean where that is allowed, else y = omega.",
    .trap =
        "It applies to concave bounds; for KL or χ², take the smaller of L-M-CHORD and L-Q-MEAN.",
    .tight = "omega on a share 1 − alpha of the contexts, one larger value on the rest",
    .parameterRow = {{{"mean", Domain::NonNegative, "mean oscillation over the contexts"},
                      {"alpha", Domain::Share,
                       "share of the contexts on which the oscillation may exceed omega"},
                      {"omega", Domain::NonNegative, "oscillation on all other contexts"},
                      {"cap", Domain::NonNegative, "oscillation of any context"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &mean = a[0], &alpha = a[1], &cap = a[3];
      Real omega = min(a[2], cap);
      // The first form is a bound at every mean, the second only above omega.
      if (!isAtMost(omega, mean))
        return tanh(mean / 4);
      if (alpha.lower() == 0)
        return tanh(omega / 4);
      Real beyond = min(cap, (mean - (1 - alpha) * omega) / alpha);
      return (1 - alpha) * tanh(omega / 4) + alpha * tanh(beyond / 4);
    },
};

} // namespace tikc::bounds::lemmas
