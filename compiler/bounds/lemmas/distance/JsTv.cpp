#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <cmath>

namespace tikc::bounds::lemmas {
namespace {

/// log 2 − h((1 − tv)/2), the least Jensen–Shannon divergence.
Real leastJs(const Real& tv) {
  if (tv.isExact() && tv.lower() == 1)
    return log(Real(2, tv.bits()));
  Real t = tv.withBits(tv.bits() + 32);
  return (log1p(-t * t) / 2 + t * atanh(t)).withBits(tv.bits());
}

} // namespace

constinit const Lemma jsTv = {
    .id = "L-JS-TV",
    .statement = "The Jensen–Shannon divergence is at least log 2 − h((1 − TV)/2).",
    .hypotheses = "TV >= tv; h is the binary entropy.",
    .formula = "JS >= log 2 − h((1 − tv)/2) = ½·log(1 − tv²) + tv·atanh(tv)",
    .proof = "Merge tokens into two and average the pair with its mirror image: joint convexity "
             "leaves the pair (1 ± tv)/2.",
    .tight = "two tokens with probabilities (1 ± tv)/2, swapped",
    .parameterRow = {{{"tv", Domain::Share, "total variation, from below"}}},
    .evaluate = [](Arguments a) -> Result { return leastJs(a[0]); },
};

constinit const Lemma tvJsW = {
    .id = "L-TV-JS-W",
    .statement =
        "Total variation is at most any tv whose least Jensen–Shannon divergence is js or more.",
    .hypotheses = "JS <= js; log 2 − h((1 − tv)/2) >= js",
    .formula = "TV <= tv",
    .proof = "L-JS-TV increases in tv: a larger total variation than tv would have a divergence "
             "above js. It is convex in tv, so a mean of js bounds the mean of TV.",
    .trap = "√(js/2) is too small: the divergence of a total variation tv starts as tv²/2, so TV "
            "is near √(2·js).",
    .tight = "two tokens with probabilities (1 ± tv)/2, swapped",
    .parameterRow = {{{"js", Domain::NonNegative, "Jensen–Shannon divergence"},
                      {"tv", Domain::Share, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(0, a[1]) || !isAtMost(a[1], 1) || !isAtMost(a[0], leastJs(a[1])))
        return std::nullopt;
      return a[1];
    },
    .useRow = {{{{each(Quantity::Js), chosen()}, Quantity::Tv}}},
    .curvature = Curvature::Concave,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double js = a[0].approximate(), low = 0, high = 1;
      for (int i = 0; i < 1100 && high - low > 1e-15 * high; ++i) {
        double middle = (low + high) / 2;
        (std::log1p(-middle * middle) / 2 + middle * std::atanh(middle) < js ? low : high) = middle;
      }
      if (!(high * (1 + 1e-12) < 1))
        return std::nullopt;
      return js > 0 ? Rational(high * (1 + 1e-12)) : Rational(0);
    },
};

constinit const Lemma jsHel = {
    .id = "L-JS-HEL",
    .statement = "The Jensen–Shannon divergence is at most log 2 − h((1 − s)/2), s² = H²(2 − H²).",
    .hypotheses = "H² <= hel, with H² = 1 − Σ√(pq); h is the binary entropy.",
    .formula = "JS <= log 2 − h((1 − s)/2), s = √(hel(2 − hel))",
    .proof = "With θ = (p − q)/(p + q), JS and H² are the means of ψ(u) = log 2 − h((1 − θ)/2) and "
             "of u = 1 − √(1 − θ²) under (p + q)/2. With s = tanh x, dψ/du = x/sinh x, which falls "
             "as u grows: ψ is concave, and Jensen's inequality gives ψ(hel).",
    .tight = "two tokens with probabilities (1 ± s)/2, swapped",
    .parameterRow = {{{"hel", Domain::Share, "squared Hellinger distance"}}},
    .evaluate = [](Arguments a) -> Result { return leastJs(sqrt(a[0] * (2 - a[0]))); },
    .useRow = {{{{each(Quantity::Hellinger)}, Quantity::Js}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma jsKl = {
    .id = "L-JS-KL",
    .statement = "The Jensen–Shannon divergence is at most ½·log 2 times either Kullback–Leibler "
                 "divergence.",
    .hypotheses = "KL(p‖q) <= kl, or KL(q‖p) <= kl.",
    .formula = "JS <= kl·log 2/2",
    .proof = "In terms of w the difference is g(w) = ½[(log 2 − 1)·w·log w + (1 + w)·log((1 + "
             "w)/2) + (1 − w)·log 2] under q. It is 0 at 0 and at 1, where its slope is 0, too; it "
             "is concave up to w = 1/log 2 − 1 and convex above, so nowhere negative.",
    .trap = "A quarter of one of them is not a bound: where p lacks a token of small mass k, JS is "
            "0.35·k and KL(p‖q) is k. A quarter of their sum is a bound, but never a better one.",
    .tight = "in the limit of a small mass that only one kernel has",
    .parameterRow = {{{"kl", Domain::NonNegative, "one of the two divergences"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * log(Real(2, a[0].bits())) / 2; },
    .useRow = {{{{each(Quantity::KlTrainInfer)}, Quantity::Js},
                {{each(Quantity::KlInferTrain)}, Quantity::Js}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
};

constinit const Lemma jsTvUp = {
    .id = "L-JS-TV-UP",
    .statement = "The Jensen–Shannon divergence is at most log 2 times the total variation.",
    .hypotheses = "TV <= tv",
    .formula = "JS <= tv·log 2",
    .proof = "Each token's term is at most log 2 times |p − q|/2, by convexity along the line from "
             "p = q to q = 0.",
    .tight = "tokens that only one kernel can draw, next to equal ones",
    .parameterRow = {{{"tv", Domain::Share, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * log(Real(2, a[0].bits())); },
    .useRow = {{{{each(Quantity::Tv)}, Quantity::Js}}},
    .curvature = Curvature::Concave,
};

} // namespace tikc::bounds::lemmas
