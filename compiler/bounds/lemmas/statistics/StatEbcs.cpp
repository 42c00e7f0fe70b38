#include "bounds/facts/Lemma.h"

#include <algorithm>

namespace tikc::bounds::lemmas {

constinit const Lemma statEbcs = {
    .id = "S-EBCS",
    .statement =
        "For all n at once, with confidence 1 − alpha, the constant mean of values in [0, 1] is at "
        "most Uₙ: the data's own variance sets the width, and you may look at any time.",
    .hypotheses = "Xᵢ in [0, 1] with the same mean given the past; every λᵢ in [0, 1) and every "
                  "centre is chosen from the past",
    .formula = "Uₙ = (Σ λᵢXᵢ + log(1/alpha) + Σ (Xᵢ − μ̂ᵢ₋₁)²·(−log(1 − λᵢ) − λᵢ))/Σ λᵢ, with μ̂ᵢ = "
               "(½ + ΣX)/(i + 1) and λᵢ = min(½, √(2·log(1/alpha)/(σ̂²ᵢ₋₁·i·log(1 + i))))",
    .proof =
        "log(1 + λy) >= λy + y²·(log(1 − λ) + λ) for y >= −1 makes the exponential a "
        "supermartingale; Ville's inequality. Hence the running minimum of Uₙ is a bound, too.",
    .trap = "If the mean changes over time, it bounds only the λ-weighted average.",
};

constinit const Lemma statEbcsPsi = {
    .id = "S-EBCS-PSI",
    .statement = "The weight of a squared deviation in S-EBCS.",
    .hypotheses = "0 <= lam < 1",
    .formula = "ψ(lam) = −log(1 − lam) − lam",
    .proof =
        "The smallest c with log(1 + lam·y) >= lam·y − c·y² at y = −1, and so for all y >= −1.",
    .parameterRow = {{{"lam", Domain::Share, "the bet, below 1"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], 1))
        return std::nullopt;
      // The two terms agree up to lam²/2.
      auto lost = static_cast<unsigned>(2 * std::clamp(-a[0].magnitude(), 0L, 4096L));
      Real lam = a[0].withBits(a[0].bits() + lost + 32);
      return (-log1p(-lam) - lam).withBits(a[0].bits());
    },
};

} // namespace tikc::bounds::lemmas
