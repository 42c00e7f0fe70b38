#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statHoeff = {
    .id = "S-HOEFF",
    .statement = "The mean of a quantity in [0, B] is, with confidence 1 − alpha, at most the "
                 "sample mean plus B·√(log(1/alpha)/(2n)).",
    .hypotheses = "n independent draws, from the law that the mean is taken under, of values in "
                  "[0, B]; n is fixed beforehand",
    .formula = "E X <= xbar + B·√(log(1/alpha)/(2n)); a radius t needs n = B²·log(1/alpha)/(2t²)",
    .proof = "Hoeffding: a variable in [0, B] is sub-Gaussian with parameter B/2; Chernoff's bound "
             "on the mean of n.",
    .trap = "X-PEEK: if you look at each new sample and stop at the first success, it misses 6 to "
            "8 times as often as alpha says; use S-LOOKS, S-EBCS or S-BET. Tokens of one response "
            "are not independent: average them first. Means of k3 or |log w| have no B without a "
            "hard cap on ratios. Dropped NaN rows void it: count them as B.",
    .parameterRow = {{{"xbar", Domain::NonNegative, "sample mean"},
                      {"n", Domain::Count, "independent samples"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"},
                      {"B", Domain::Positive, "upper end of the range"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(a[0], a[3]))
        return std::nullopt;
      return a[0] + a[3] * sqrt(-log(a[2]) / (2 * a[1]));
    },
};

} // namespace tikc::bounds::lemmas
