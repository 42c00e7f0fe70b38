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
             "above js. It is convex in tv, so a mean "
             "of js bounds the mean of TV.",
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
    .shape = Shape::Concave,
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

constinit const Lemma jsTvUp = {
    .id = "L-JS-TV-UP",
    .statement = "The Jensen–Shannon divergence is at most log 2 times the total variation.",
    .hypotheses = "TV <= tv",
    .formula = "JS <= tv·log 2",
    .proof = "Each token's term is at most log 2 times |p − q|/2, by convexity along the line from "
             "p = q to q = 0.",
    .tight = "tokens that only one kernel can draw beside equal ones",
    .parameterRow = {{{"tv", Domain::Share, "total variation"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * log(Real(2, a[0].bits())); },
    .useRow = {{{{each(Quantity::Tv)}, Quantity::Js}}},
    .shape = Shape::Concave,
};

} // namespace tikc::bounds::lemmas
