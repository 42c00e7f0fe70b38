#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpProb = {
    .id = "L-FP-PROB",
    .statement = "If rounding errors average out, the relative error of a dot product of length n "
                 "grows only with √n, except with the probability of L-FP-PROB-FAIL.",
    .hypotheses = "each rounding error has mean 0 given those before it: true of stochastic "
                  "rounding, with u doubled; a model for rounding to nearest",
    .formula = "exp(lam·√n·u + n·u²/(1 − u)) − 1",
    .proof = "Higham and Mary: Azuma's inequality for the logarithm of the product of the rounding "
             "factors.",
    .trap = "A result that rests on this must state that it assumes mean-zero roundings: sums of "
            "like signs in low precision do not have them.",
    .parameterRow = {{{"n", Domain::Count, "length"},
                      {"format", Domain::Format, "number format of every step"},
                      {"lam", Domain::Positive, "how many standard deviations to allow"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &n = a[0], &u = a[1];
      return expm1(a[2] * sqrt(n) * u + n * u * u / (1 - u));
    },
};

constinit const Lemma fpProbFail = {
    .id = "L-FP-PROB-FAIL",
    .statement = "The probability with which L-FP-PROB may fail.",
    .hypotheses = "those of L-FP-PROB",
    .formula = "min(1, 2·n·exp(−lam²·(1 − u)²/2))",
    .proof = "Azuma's inequality for each of the n products, and the union bound.",
    .parameterRow = {{{"n", Domain::Count, "length"},
                      {"format", Domain::Format, "number format of every step"},
                      {"lam", Domain::Positive, "how many standard deviations to allow"}}},
    .evaluate = [](Arguments a) -> Result {
      Real reach = a[2] * (1 - a[1]);
      return min(1, 2 * a[0] * exp(-(reach * reach) / 2));
    },
};

} // namespace tikc::bounds::lemmas
