#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpJr = {
    .id = "L-FP-JR",
    .statement = "The relative error bound n·u of dot products, which needs no restriction on n.",
    .hypotheses = "rounding to nearest at each step; no overflow, no underflow",
    .formula = "|error| <= n·u·Σ|xᵢ·yᵢ|",
    .proof = "Jeannerod and Rump: to nearest, the error of a sum is also at most its smaller "
             "summand, which spares an induction the second-order terms.",
    .trap = "Not for chopping adders. From n·u = 1 on it no longer excludes a result of 0.",
    .parameterRow = {{{"n", Domain::Count, "length"},
                      {"format", Domain::Format, "number format of every step"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
};

} // namespace tikc::bounds::lemmas
