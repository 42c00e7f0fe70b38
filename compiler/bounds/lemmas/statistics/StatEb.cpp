#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma statEb = {
    .id = "S-EB",
    .statement = "The mean of a quantity in [0, B] is, with confidence 1 − alpha, at most the "
                 "sample mean plus a term in the sample's own variance: better than S-HOEFF where "
                 "the variance is small.",
    .hypotheses = "n >= 2 independent draws of values in [0, B], n fixed beforehand; var is the "
                  "unbiased sample variance",
    .formula = "E X <= xbar + √(2·var·log(2/alpha)/n) + 7·B·log(2/alpha)/(3(n − 1))",
    .proof = "Maurer and Pontil: Bennett's inequality for the mean, and a concentration bound of "
             "the sample's standard deviation, at alpha/2 each.",
    .trap = "With the divisor n in place of n − 1 the variance is too small. X-PEEK: n is fixed "
            "beforehand.",
    .parameterRow = {{{"xbar", Domain::NonNegative, "sample mean"},
                      {"var", Domain::NonNegative, "unbiased sample variance"},
                      {"n", Domain::Count, "independent samples"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"},
                      {"B", Domain::Positive, "upper end of the range"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &xbar = a[0], &variance = a[1], &n = a[2], &range = a[4];
      if (!isAtMost(2, n) || !isAtMost(xbar, range))
        return std::nullopt;
      Real logTerm = log(2 / a[3]);
      return xbar + sqrt(2 * variance * logTerm / n) + 7 * range * logTerm / (3 * (n - 1));
    },
};

} // namespace tikc::bounds::lemmas
