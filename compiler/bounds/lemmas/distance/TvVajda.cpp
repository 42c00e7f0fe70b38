#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>
#include <cmath>

namespace tikc::bounds::lemmas {
namespace {

/// (K + log(expm1(λ)/λ) − 1)/λ + 1/expm1(λ): for every λ > 0 a bound on TV.
Real vajda(const Real& kl, const Real& lambda) {
  long lost = 2 * std::clamp(-lambda.magnitude(), 0L, 4096L);
  Real l = lambda.withBits(lambda.bits() + static_cast<unsigned>(lost) + 32);
  Real growth = expm1(l);
  return ((kl + log(growth / l) - 1) / l + 1 / growth).withBits(kl.bits());
}

// The exact curve has TV and KL as functions of one t, with λ = 2t the best free parameter.
Real curveKl(const Real& t) {
  Real x =
      t.withBits(t.bits() + 64 + 4 * static_cast<unsigned>(std::clamp(-t.magnitude(), 0L, 2048L)));
  Real s = sinh(x);
  return log(x / s) + x / tanh(x) - x * x / (s * s);
}

Real curveTv(const Real& t) {
  Real x =
      t.withBits(t.bits() + 64 + 4 * static_cast<unsigned>(std::clamp(-t.magnitude(), 0L, 2048L)));
  Real difference = 1 / tanh(x) - 1 / x;
  return x / 2 * (1 - difference * difference);
}

/// λ by Newton's method from a start that is good at either end; the bound is flat around the best
/// λ, so half of a double's digits in λ are all of a double's digits in the bound.
double nearBest(double kl) {
  auto slope = [kl](double l) { // of the bound in λ, up to a positive factor
    double growth = std::expm1(l);
    double logRatio = l < 1e-3 ? l / 2 + l * l / 24 : std::log(growth / l);
    return -(kl + logRatio - 1) / (l * l) + (1 + 1 / growth - 1 / l) / l -
           (1 + 1 / growth) / growth;
  };
  double low = 1e-200, high = 2;
  while (high < 690 && slope(high) < 0)
    high *= 2;
  if (kl < 1e-4)
    return std::sqrt(8 * kl);
  low = high / 4096;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return high;
}

} // namespace

constinit const Lemma tvVajda = {
    .id = "L-TV-VAJDA",
    .statement = "The exact curve of total variation against Kullback–Leibler divergence.",
    .hypotheses = "KL(p‖q) <= kl or KL(q‖p) <= kl",
    .formula = "TV <= min over λ > 0 of (kl + log((exp(λ) − 1)/λ) − 1)/λ + 1/(exp(λ) − 1)",
    .proof = "Donsker–Varadhan for the indicator of a set A: λp(A) <= kl + log(1 + q(A)(exp(λ) − "
             "1)). Subtract λq(A) and maximise over q(A). Pairs of two tokens attain it.",
    .trap = "Pinsker's √(kl/2) exceeds 1 from kl = 2 on; the Bretagnolle–Huber form is loose below "
            "1.6. This curve is below both.",
    .tight = "two tokens, for every kl",
    .parameterRow = {{{"kl", Domain::NonNegative, "the divergence, in either direction"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real& kl = a[0];
      if (kl.isExact() && kl.lower() == 0)
        return kl;
      // TV increases along the curve as KL does.
      Real small(Rational(0), kl.bits());
      Real t = solveIncreasing(curveKl, kl, Real(Rational(1, 2), kl.bits()) * min(sqrt(kl), 1),
                               max(2 * sqrt(kl), 1));
      return hull(curveTv(Real(t.lower(), kl.bits())), curveTv(Real(t.upper(), kl.bits())));
    },
};

constinit const Lemma tvVajdaLam = {
    .id = "L-TV-VAJDA-LAM",
    .statement =
        "A bound on total variation from a Kullback–Leibler divergence, for any positive λ.",
    .hypotheses = "KL(p‖q) <= kl or KL(q‖p) <= kl; lam > 0",
    .formula = "TV <= (kl + log((exp(lam) − 1)/lam) − 1)/lam + 1/(exp(lam) − 1)",
    .proof = "L-TV-VAJDA before its minimum is taken: a derivation states its λ, and a checker "
             "only evaluates.",
    .tight = "two tokens, at the best λ for kl",
    .parameterRow = {{{"kl", Domain::NonNegative, "the divergence, in either direction"},
                      {"lam", Domain::Positive, "the free parameter"}}},
    .evaluate = [](Arguments a) -> Result { return vajda(a[0], a[1]); },
    .useRow = {{{{each(Quantity::KlTrainInfer), chosen()}, Quantity::Tv},
                {{each(Quantity::KlInferTrain), chosen()}, Quantity::Tv},
                {{each(Quantity::SeqKlTrainInfer), chosen()}, Quantity::SeqTv},
                {{each(Quantity::SeqKlInferTrain), chosen()}, Quantity::SeqTv}}},
    .curvature = Curvature::Concave,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double kl = a[0].approximate();
      if (!(kl > 0) || kl > 500)
        return std::nullopt;
      return Rational(nearBest(kl));
    },
};

} // namespace tikc::bounds::lemmas
