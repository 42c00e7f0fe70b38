#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Binomial.h"

namespace tikc::bounds::lemmas {
namespace {

/// At most the probability that r of n samples or more lie below the quantile, and so n − r of them
/// or fewer elsewhere.
Real missed(unsigned long r, unsigned long n, const Real& p) {
  return binomialTail(n - r, n, 1 - p);
}

/// The least rank whose tail is at most alpha for certain; n at most. A search with few bits finds
/// its neighbourhood, where every rank is then decided anew.
unsigned long firstRank(unsigned long n, const Real& p, const Real& alpha) {
  unsigned long low = 1, high = n;
  while (low < high) {
    unsigned long middle = low + (high - low) / 2;
    if (isAtMost(missed(middle, n, p.withBits(64)), alpha))
      high = middle;
    else
      low = middle + 1;
  }
  auto isEnough = [&](unsigned long rank) { return isAtMost(missed(rank, n, p), alpha); };
  while (high > 1 && isEnough(high - 1))
    --high;
  while (high < n && !isEnough(high))
    ++high;
  return high;
}

} // namespace

constinit const Lemma statOrder = {
    .id = "S-ORDER",
    .statement = "The rank r of the sample that bounds the p-quantile with confidence 1 − alpha: "
                 "the quantile is at most the r-th smallest of n samples.",
    .hypotheses = "n independent samples, n fixed beforehand and at most 10⁹; pⁿ <= alpha, or no "
                  "sample is large enough",
    .formula = "r = the least r with P(Bin(n, p) <= r − 1) >= 1 − alpha",
    .proof = "The r-th smallest lies below the quantile only if at least r of the n samples do, "
             "each with a probability of p at most.",
    .trap = "The sample's own p-quantile is not a bound: it lies below the true one about half of "
            "the time. A p99 with 95 % confidence needs 299 samples, and is then their maximum.",
    .tight = "exact for a continuous law",
    .parameterRow = {{{"n", Domain::Count, "independent samples"},
                      {"p", Domain::OpenShare, "level of the quantile"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isSampleSize(a[0]))
        return std::nullopt;
      const Real &p = a[1], &alpha = a[2];
      unsigned long n = wholeNumber(a[0]), rank = firstRank(n, p, alpha), least = rank;
      if (!isAtMost(missed(rank, n, p), alpha))
        return std::nullopt;
      while (least > 1 && !isLess(alpha, missed(least - 1, n, p)))
        --least;
      return hull(Real(Rational(least), alpha.bits()), Real(Rational(rank), alpha.bits()));
    },
};

constinit const Lemma statOrderCount = {
    .id = "S-ORDER-N",
    .statement = "The fewest independent samples whose maximum bounds the p-quantile with "
                 "confidence 1 − alpha.",
    .hypotheses = "independent samples, their number fixed beforehand",
    .formula = "n = ⌈log(alpha)/log(p)⌉",
    .proof = "The maximum lies below the quantile with a probability of at most pⁿ.",
    .trap = "With fewer samples nothing bounds the quantile, however small all of them are.",
    .tight = "exact for a continuous law",
    .parameterRow = {{{"p", Domain::OpenShare, "level of the quantile"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"}}},
    .evaluate = [](Arguments a) -> Result { return fewestTrials(a[0], log1p(a[0] - 1), a[1]); },
};

} // namespace tikc::bounds::lemmas
