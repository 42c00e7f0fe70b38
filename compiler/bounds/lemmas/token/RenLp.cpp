#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma renLp = {
    .id = "L-REN-LP",
    .statement =
        "If no log-prob of the vocabulary changes by more than delta, the Rényi divergence of "
        "order alpha is at most the value of the pair with ratios exp(−delta) and exp(delta).",
    .hypotheses = "|log p − log q| <= delta for every token of the vocabulary; nothing is cut "
                  "away; alpha > 0, not 1 (L-KL-LP).",
    .formula = "D <= log(cosh((2·alpha − 1)·delta/2)/cosh(delta/2))/(alpha − 1)",
    .proof = "The chord of w^alpha over [exp(−delta), exp(delta)] at 1 is (sinh(alpha·delta) − "
             "sinh((alpha − 1)·delta))/sinh(delta).",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"alpha", Domain::Positive, "order of the divergence"},
                      {"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(1, a[0]) && !isLess(a[0], 1))
        return std::nullopt;
      // cosh u − cosh v = 2·sinh((u + v)/2)·sinh((u − v)/2)
      Real half = a[1] / 2;
      Real change = 2 * sinh(a[0] * half) * sinh((a[0] - 1) * half) / cosh(half);
      return log1p(change) / (a[0] - 1);
    },
};

} // namespace tikc::bounds::lemmas
