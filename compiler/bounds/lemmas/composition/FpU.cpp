#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma fpU = {
    .id = "L-FP-U",
    .statement = "The unit roundoff of a number format: half of the gap above 1.",
    .hypotheses = "rounding to nearest; no overflow, no underflow",
    .formula = "u = 2^−p: fp64 2^−53, fp32 2^−24, tf32 and fp16 2^−11, bf16 2^−8, e4m3 2^−4, e5m2 "
               "2^−3, e2m1 2^−2",
    .proof = "Numbers in [1, 2) lie 2·u apart.",
    .trap = "Adders of tensor cores that chop need 2·u. Largest numbers: e4m3 448, e5m2 57344, "
            "fp16 65504; smallest: e4m3 2^−9, e5m2 2^−16, fp16 2^−24, bf16 2^−133, fp32 2^−149.",
    .tight = "one rounding has a relative error of at most u/(1 + u), attained at 1 + u",
    .parameterRow = {{{"format", Domain::Format, "number format"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
};

} // namespace tikc::bounds::lemmas
