#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma pgSum = {
    .id = "L-PG-SUM",
    .statement = "The bias of a weighted gradient is at most the sum of three parts: the part that "
                 "the weights do not reach, the part that truncation removes, and the part that is "
                 "never sampled.",
    .hypotheses = "Each of the three bounds its part.",
    .formula = "bias <= prefix + cut + support",
    .proof = "Go from the weights in use to full weights, from there to full support, from there "
             "to the trainer's own gradient: the triangle inequality.",
    .trap = "Exact weights remove only the second part, and whole-response or one-token weights "
            "remove the first. Nothing removes the third.",
    .parameterRow = {{{"prefix", Domain::NonNegative, "the part that the weights do not reach"},
                      {"cut", Domain::NonNegative, "the part that truncated weights add"},
                      {"support", Domain::NonNegative, "the part that missing mass adds"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1] + a[2]; },
    .useRow = {{{{mean(Quantity::PgPrefix), mean(Quantity::PgCut), mean(Quantity::PgSupport)},
                 Quantity::PgBias,
                 Quantifier::Mean}}},
};

} // namespace tikc::bounds::lemmas
