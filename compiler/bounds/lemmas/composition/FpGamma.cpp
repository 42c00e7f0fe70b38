#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpGamma = {
    .id = "L-FP-GAMMA",
    .statement = "n roundings in a row change a number by a factor within 1 ± γₙ.",
    .hypotheses = "n·u < 1; no overflow, no underflow",
    .formula = "γₙ = n·u/(1 − n·u)",
    .proof = "(1 + u)ⁿ − 1 <= n·u/(1 − n·u), and likewise below.",
    .trap =
        "X-FP-BF16ACC: in bf16 n·u reaches 1 at n = 256: no bound, and 4096 ones do sum to 256.",
    .tight = "to first order in u",
    .parameterRow = {{{"n", Domain::Whole, "roundings"},
                      {"format", Domain::Format, "number format"}}},
    .evaluate = [](Arguments a) -> Result { return roundingGrowth(a[0], a[1]); },
};

} // namespace tikc::bounds::lemmas
