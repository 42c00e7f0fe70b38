#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Binomial.h"

#include <bit>

namespace tikc::bounds::lemmas {

constinit const Lemma statBetaBin = {
    .id = "S-BETABIN",
    .statement = "The evidence of k failures among n trials against a rate of p, as the logarithm "
                 "of an e-value: once it reaches log(1/alpha), at any time, p is rejected.",
    .hypotheses = "independent trials, or a rate of p given the past; or values in [0, 1] of mean "
                  "p, and for k their sum, rounded up where p is above k/n; k <= n <= 10⁹",
    .formula = "log B(k + ½, n − k + ½) − log B(½, ½) − k·log p − (n − k)·log(1 − p)",
    .proof = "The likelihood ratio of a Beta(½, ½) mixture of rates against p has mean 1 under p; "
             "Ville's inequality. It is convex in p, so the rates that are kept form an interval. "
             "A value x in [0, 1] counts as x of a failure: a^x·b^(1 − x) is convex in x, so that "
             "its mean is at most a coin's. The evidence is convex in k and at most 0 at k = np, "
             "so below that a larger k has less.",
    .trap = "It is two-sided: a small evidence against p does not show that the rate is at most p.",
    .parameterRow = {{{"k", Domain::Whole, "failures so far"},
                      {"n", Domain::Count, "trials so far"},
                      {"p", Domain::OpenShare, "the rate in question"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isSampleSize(a[1]) || !isAtMost(a[0], a[1]))
        return std::nullopt;
      unsigned long n = wholeNumber(a[1]), k = wholeNumber(a[0]);
      unsigned bits = a[2].bits() + 64 + static_cast<unsigned>(std::bit_width(n));
      Real p = a[2].withBits(bits);
      Rational half(1, 2);
      Real mixture =
          logGamma(k + half, bits) + logGamma(n - k + half, bits) - logGamma(n + 1, bits);
      Real prior = 2 * logGamma(half, bits);
      return (mixture - prior - a[0] * log(p) - (a[1] - a[0]) * log1p(-p)).withBits(a[2].bits());
    },
};

} // namespace tikc::bounds::lemmas
