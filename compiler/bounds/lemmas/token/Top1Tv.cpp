#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma top1Tv = {
    .id = "L-TOP1-TV",
    .statement = "If the two largest probabilities are further apart than twice the total "
                 "variation, both kernels have the same most likely token.",
    .hypotheses = "p₁ − p₂ >= gap in either kernel; TV <= tv; 2·tv < gap.",
    .formula = "2·tv < gap: argmax p = argmax q",
    .proof = "(p₁ − q₁) + (qⱼ − pⱼ) <= 2·TV for every other token j.",
    .trap = "The form in logits, L-TOP1, is the stronger of the two.",
    .tight = "two tokens",
    .parameterRow = {{{"tv", Domain::Share, "total variation"},
                      {"gap", Domain::Share, "gap between the two largest probabilities"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(2 * a[0], a[1]))
        return std::nullopt;
      return Real(Rational(0), a[0].bits());
    },
};

} // namespace tikc::bounds::lemmas
