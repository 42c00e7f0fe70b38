#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma score = {
    .id = "L-SCORE",
    .statement = "The score of a token with respect to the logits has 2-norm at most √2·(1 − py), "
                 "py being the token's probability.",
    .hypotheses = "The gradient is taken with respect to the logits, at temperature 1.",
    .formula = "‖e_y − p‖₂ <= √2·(1 − py) <= √2; its 1-norm is 2(1 − py)",
    .proof = "The entry of the token is 1 − py; the others are −p_j, which sum to −(1 − py), so "
             "their squares to at most its square.",
    .trap = "With respect to the parameters of the network the score is as large as the network's "
            "Jacobian makes it: declare it.",
    .tight = "all other mass on one token",
    .parameterRow = {{{"py", Domain::Share, "probability of the token"}}},
    .evaluate = [](Arguments a) -> Result {
      return sqrt(Real(Rational(2), a[0].bits())) * (1 - a[0]);
    },
};

} // namespace tikc::bounds::lemmas
