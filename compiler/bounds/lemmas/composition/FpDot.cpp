#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpDot = {
    .id = "L-FP-DOT",
    .statement = "A dot product of length n, summed in any order, is off by at most γₙ times the "
                 "sum of the products' sizes.",
    .hypotheses = "n·u < 1; rounding to nearest at each step; no overflow, no underflow",
    .formula = "|error| <= γₙ·total, total = Σ|xᵢ·yᵢ|",
    .proof = "Each product takes part in at most n roundings, one of its own and n − 1 of sums; "
             "L-FP-GAMMA.",
    .trap = "Two kernels that sum in different orders differ by 2·γₙ. A tree of height h has "
            "γ_{h+1}. Underflow adds n·(1 + γₙ)/2 smallest subnormals, flushing to zero 2·n·(1 + "
            "γₙ) smallest normals.",
    .parameterRow = {{{"n", Domain::Count, "length"},
                      {"format", Domain::Format, "number format of every step"},
                      {"total", Domain::NonNegative, "sum of the sizes of the products"}}},
    .evaluate = [](Arguments a) -> Result {
      auto gamma = roundingGrowth(a[0], a[1]);
      return gamma ? Result(*gamma * a[2]) : std::nullopt;
    },
};

} // namespace tikc::bounds::lemmas
