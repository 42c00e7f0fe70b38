#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpMix = {
    .id = "L-FP-MIX",
    .statement = "A dot product of short numbers that is summed in fp32 and stored in another "
                 "format: its error relative to the sum of the products' sizes.",
    .hypotheses = "factors of at most 12 significant bits (fp16, bf16, fp8), so that products are "
                  "exact in fp32; (n − 1)·2^−24 < 1; no overflow, no underflow",
    .formula = "γ + u + γ·u, γ = γₙ₋₁ of fp32, u the unit roundoff of the stored format",
    .proof =
        "Only the n − 1 sums round, then the store does: |stored − exact| <= γ·S + u·(1 + γ)·S.",
    .trap = "It is for accumulation in fp32. bf16 accumulation has no bound from n = 256 on "
            "(X-FP-BF16ACC).",
    .parameterRow = {{{"n", Domain::Count, "length"},
                      {"format", Domain::Format, "number format of the stored result"}}},
    .evaluate = [](Arguments a) -> Result {
      auto gamma = roundingGrowth(a[0] - 1, Real(Rational(1, 1 << 24), a[1].bits()));
      return gamma ? Result(*gamma + a[1] + *gamma * a[1]) : std::nullopt;
    },
};

} // namespace tikc::bounds::lemmas
