#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma essSample = {
    .id = "L-ESS-SAMPLE",
    .statement = "A sample whose log-weights spread by at most omega has an effective sample size "
                 "of at least sech²(omega/2) of its size.",
    .hypotheses = "All weights are positive, and log(max w/min w) <= omega over the sample.",
    .formula = "(Σ w)²/(N·Σ w²) >= sech²(omega/2)",
    .proof = "(M − w)(w − m) >= 0 summed over the sample bounds Σ w² by (m + M)Σ w − N·mM; "
             "minimise over the mean.",
    .trap = "It holds for this sample and says nothing about the kernels: a sample may miss the "
            "tokens with large ratios.",
    .tight = "weights of two values",
    .parameterRow = {{{"omega", Domain::NonNegative, "spread of the sample's log-weights"}}},
    .evaluate = [](Arguments a) -> Result {
      Real half = cosh(a[0] / 2);
      return 1 / (half * half);
    },
};

} // namespace tikc::bounds::lemmas
