#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Binomial.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view statCpTraps =
    "n counts responses or prompts, not tokens of one response. X-PEEK: n is fixed beforehand. "
    "Rows that were dropped, as NaN or for time, count as failures.";

/// 1 − alpha^(1/n)
Real afterNone(const Real& n, const Real& alpha) { return -expm1(log(alpha) / n); }

bool isCount(const Real& k, const Real& n) { return isSampleSize(n) && isAtMost(k, n); }

Real largestRate(const Real& k, const Real& n, const Real& alpha) {
  if (k.lower() == n.lower())
    return {Rational(1), alpha.bits()};
  if (k.lower() == 0)
    return afterNone(n, alpha);
  return binomialRoot(wholeNumber(k), wholeNumber(n), alpha);
}

} // namespace

constinit const Lemma statCp = {
    .id = "S-CP",
    .statement = "After k failures among n independent trials the rate of failure is, with "
                 "confidence 1 − alpha, at most the Clopper–Pearson bound.",
    .hypotheses = "n independent trials of one rate, n fixed beforehand and at most 10⁹; k <= n",
    .formula = "rate <= the p with P(Bin(n, p) <= k) = alpha, the 1 − alpha quantile of Beta(k + "
               "1, n − k); 1 where k = n",
    .proof = "P(Bin(n, p) <= k) falls in p. Where the true rate is above the bound, so few "
             "failures have a probability of at most alpha.",
    .trap = statCpTraps,
    .tight = "exact for the binomial law, up to its steps",
    .parameterRow = {{{"k", Domain::Whole, "failures"},
                      {"n", Domain::Count, "independent trials"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isCount(a[0], a[1]))
        return std::nullopt;
      return largestRate(a[0], a[1], a[2]);
    },
};

constinit const Lemma statCpWitness = {
    .id = "S-CP-W",
    .statement = "Every U under which k failures or fewer among n trials have a probability of at "
                 "most alpha bounds the rate of failure with confidence 1 − alpha.",
    .hypotheses = "n independent trials, n fixed beforehand and at most 10⁹; P(Bin(n, U) <= k) <= "
                  "alpha, for certain, or U = 1",
    .formula = "rate <= U",
    .proof = "S-CP before its root is found: the tail falls in U, so U is at or above the root. A "
             "checker only evaluates.",
    .trap = statCpTraps,
    .parameterRow = {{{"k", Domain::Whole, "failures"},
                      {"n", Domain::Count, "independent trials"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"},
                      {"U", Domain::Share, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &k = a[0], &n = a[1], &u = a[3];
      if (!isCount(k, n))
        return std::nullopt;
      if (u.lower() == 1 || isAtMost(binomialTail(wholeNumber(k), wholeNumber(n), u), a[2]))
        return u;
      return std::nullopt;
    },
    .choose = [](Arguments a) -> std::optional<Rational> {
      if (!isCount(a[0], a[1]))
        return std::nullopt;
      Real near =
          largestRate(a[0], a[1], a[2].withBits(96)) * Real(1 + Rational(1, 1'000'000'000'000), 96);
      return min(near, 1).ceiling(64).upper();
    },
};

constinit const Lemma statCp0 = {
    .id = "S-CP0",
    .statement = "After no failure among n independent trials the rate of failure is, with "
                 "confidence 1 − alpha, at most 1 − alpha^(1/n), about log(1/alpha)/n.",
    .hypotheses = "n independent trials of one rate, n fixed beforehand",
    .formula = "rate <= 1 − alpha^(1/n)",
    .proof = "S-CP at k = 0: P(Bin(n, p) = 0) = (1 − p)^n.",
    .trap = "A maximum over n samples shows exactly this: a quantile at a confidence, never a "
            "supremum. X-PEEK: n is fixed beforehand.",
    .tight = "exact",
    .parameterRow = {{{"n", Domain::Count, "independent trials"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"}}},
    .evaluate = [](Arguments a) -> Result { return afterNone(a[0], a[1]); },
};

constinit const Lemma statCp0Count = {
    .id = "S-CP0-N",
    .statement = "The fewest independent trials, all without failure, after which the rate of "
                 "failure is at most theta with confidence 1 − alpha.",
    .hypotheses = "independent trials of one rate",
    .formula = "n = ⌈log(alpha)/log(1 − theta)⌉",
    .proof = "S-CP0 solved for n: (1 − theta)^n <= alpha.",
    .trap = "One failure voids the plan: at 95 % confidence, S-CP at k = 1 needs 58 % more trials. "
            "X-PEEK: n is fixed beforehand.",
    .parameterRow = {{{"alpha", Domain::OpenShare, "probability of being wrong"},
                      {"theta", Domain::OpenShare, "rate of failure to show"}}},
    .evaluate = [](Arguments a) -> Result { return fewestTrials(1 - a[1], log1p(-a[1]), a[0]); },
};

} // namespace tikc::bounds::lemmas
