#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

/// n·KL(x‖u) loses to cancellation what n gains.
unsigned working(const Real& x, const Real& n) {
  return x.bits() + 64 + 2 * static_cast<unsigned>(std::clamp(n.magnitude(), 0L, 4096L));
}

/// KL(x‖u) of two coins where u = 1 − exp(−v).
Real coinKl(const Real& x, const Real& v) {
  return xLogX(x) + xLogX(1 - x) - x * log(-expm1(-v)) + (1 - x) * v;
}

Real largestMean(const Real& xbar, const Real& n, const Real& alpha) {
  if (xbar.lower() == 1)
    return xbar;
  Real x = xbar.withBits(working(xbar, n));
  Real budget = -log(alpha.withBits(x.bits())) / n;
  Real start = -log1p(-x);
  Real v = x.lower() == 0 ? budget
                          : solveIncreasing([&](const Real& at) { return coinKl(x, at); }, budget,
                                            start, 2 * start + 1);
  return (-expm1(-v)).withBits(xbar.bits());
}

constexpr std::string_view independence = "n independent draws, from the law that the mean is "
                                          "taken under, of values in [0, 1]; n is fixed beforehand";

} // namespace

constinit const Lemma statChern = {
    .id = "S-CHERN",
    .statement =
        "The mean of a quantity in [0, 1] is, with confidence 1 − alpha, at most the largest u "
        "that a sample mean of xbar does not rule out; never worse than S-HOEFF.",
    .hypotheses = independence,
    .formula = "E X <= the u >= xbar with n·kl(xbar, u) = log(1/alpha), kl(x, u) = x·log(x/u) + (1 "
               "− x)·log((1 − x)/(1 − u))",
    .proof = "Chernoff: among laws on [0, 1] of mean u, coins have the largest moment generating "
             "function, so P(mean of n <= x) <= exp(−n·kl(x, u)) for x <= u.",
    .trap = "X-PEEK: n is fixed beforehand. Choosing n by looking at the data voids it.",
    .tight = "to first order in the exponent, for a coin",
    .parameterRow = {{{"xbar", Domain::Share, "sample mean"},
                      {"n", Domain::Count, "independent samples"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"}}},
    .evaluate = [](Arguments a) -> Result { return largestMean(a[0], a[1], a[2]); },
};

constinit const Lemma statChernWitness = {
    .id = "S-CHERN-W",
    .statement = "Every U that a sample mean of xbar rules out bounds the mean of a quantity in "
                 "[0, 1] with confidence 1 − alpha.",
    .hypotheses = "n independent draws of values in [0, 1], n fixed beforehand; U >= xbar and "
                  "n·kl(xbar, U) >= log(1/alpha), for certain",
    .formula = "E X <= U",
    .proof = "S-CHERN before its root is found: kl(xbar, u) increases in u >= xbar, so U is at or "
             "above the root. A checker only evaluates.",
    .parameterRow = {{{"xbar", Domain::Share, "sample mean"},
                      {"n", Domain::Count, "independent samples"},
                      {"alpha", Domain::OpenShare, "probability of being wrong"},
                      {"U", Domain::Share, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &x = a[0], &u = a[3];
      if (u.lower() == 1)
        return u;
      Real v = -log1p(-u.withBits(working(x, a[1])));
      if (isLess(x, u) && isAtMost(-log(a[2]), a[1] * coinKl(x, v)))
        return u;
      return std::nullopt;
    },
    .choose = [](Arguments a) -> std::optional<Rational> {
      Real near =
          largestMean(a[0].withBits(96), a[1], a[2]) * Real(1 + Rational(1, 1'000'000'000'000), 96);
      return min(near, 1).ceiling(64).upper();
    },
};

} // namespace tikc::bounds::lemmas
