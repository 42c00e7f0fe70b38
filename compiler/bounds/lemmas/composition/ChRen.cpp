#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma chRen = {
    .id = "L-CH-REN",
    .statement = "A triangle inequality of Rényi divergences, which pays with the order.",
    .hypotheses = "alpha > 1; first bounds the divergence of order 2·alpha of P from M, second "
                  "that of order 2·alpha − 1 of M from Q",
    .formula = "D_alpha(P‖Q) <= (alpha − ½)/(alpha − 1)·first + second",
    .proof = "Write P^alpha·Q^(1 − alpha) as (P^alpha·M^(½ − alpha))·(M^(alpha − ½)·Q^(1 − alpha)) "
             "and apply Cauchy–Schwarz.",
    .trap = "X-CH-KL: in the limit alpha → 1 the factor grows without bound, since KL obeys no "
            "triangle inequality.",
    .parameterRow =
        {{{"alpha", Domain::AtLeastOne, "order of the divergence, above 1"},
          {"first", Domain::NonNegative, "divergence of order 2·alpha of the first link"},
          {"second", Domain::NonNegative, "divergence of order 2·alpha − 1 of the second link"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(1, a[0]))
        return std::nullopt;
      return (2 * a[0] - 1) / (2 * (a[0] - 1)) * a[1] + a[2];
    },
};

} // namespace tikc::bounds::lemmas
