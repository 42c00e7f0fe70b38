#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma helTv = {
    .id = "L-HEL-TV",
    .statement = "The squared Hellinger distance is at most the total variation.",
    .hypotheses = "TV <= tv",
    .formula = "H² <= tv",
    .proof = "(√p − √q)² <= |p − q|, token by token.",
    .tight = "tokens that only one kernel can draw, next to equal ones",
    .parameterRow = {{{"tv", Domain::Share, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::Tv)}, Quantity::Hellinger}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
