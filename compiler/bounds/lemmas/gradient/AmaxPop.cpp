#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma amaxPop = {
    .id = "L-AMAX-POP",
    .statement = "Advantages normalised within a group of n by the population's standard deviation "
                 "are at most √(n − 1) in size.",
    .hypotheses = "A = (R − mean)/std over a group of n, std dividing by n; a small constant added "
                  "to std only helps.",
    .formula = "|A| <= √(n − 1)",
    .proof = "Given the largest of n deviations from their mean, the sum of squares is least when "
             "the others are equal.",
    .trap = "Not ±1, and not a few standard deviations: one success in a group of 64 has an "
            "advantage of 7.9.",
    .tight = "one response differs from all others",
    .parameterRow = {{{"n", Domain::Count, "responses of a group"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(a[0] - 1); },
    .useRow = {{{{given(Quantity::GroupSize)}, Quantity::Advantage, Quantifier::Given}}},
};

constinit const Lemma amaxSamp = {
    .id = "L-AMAX-SAMP",
    .statement = "Advantages normalised within a group of n by the sample's standard deviation are "
                 "at most (n − 1)/√n in size.",
    .hypotheses = "A = (R − mean)/std over a group of n, std dividing by n − 1.",
    .formula = "|A| <= (n − 1)/√n",
    .proof = "L-AMAX-POP times √((n − 1)/n).",
    .tight = "one response differs from all others",
    .parameterRow = {{{"n", Domain::Count, "responses of a group"}}},
    .evaluate = [](Arguments a) -> Result { return (a[0] - 1) / sqrt(a[0]); },
};

} // namespace tikc::bounds::lemmas
