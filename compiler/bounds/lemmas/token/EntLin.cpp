#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <cmath>

namespace tikc::bounds::lemmas {
namespace {

/// The root x of log(V − 1) + x = coth(x/2): t = tanh(x/2) is that of log(V − 1) + 2·atanh t = 1/t.
Real worstLogit(const Real& logRest) {
  auto slope = [&](const Real& x) { return logRest + x - 1 / tanh(x / 2); };
  unsigned bits = logRest.bits();
  return solveIncreasing(slope, Real(Rational(0), bits), 1 / (logRest + 1),
                         Real(Rational(2), bits));
}

/// Entropy per oscillation; nothing for one token, whose entropy is 0.
Result slopeOf(const Real& tokens) {
  if (!isAtMost(2, tokens))
    return std::nullopt;
  return 1 / (2 * sinh(worstLogit(log(tokens - 1))));
}

} // namespace

constinit const Lemma entC = {
    .id = "L-ENT-C",
    .statement =
        "The largest change of entropy for each unit of oscillation, in a vocabulary of V tokens.",
    .hypotheses = "V >= 2",
    .formula = "c(V) = (1 − t²)/(4t), t in (0, 1) the root of log(V − 1) + 2·atanh(t) = 1/t",
    .proof = "The entropy's derivative along the drift is at most omega·P(1 − P)(logit P + log(V − "
             "1)), P the mass of the tokens whose log-prob is above its mean; maximise over P.",
    .trap =
        "It grows with the vocabulary, about as ¼·log V: 0.22 at 2 tokens, 3.0 at 152 thousand.",
    .tight = "as omega goes to 0",
    .parameterRow = {{{"V", Domain::Count, "tokens of the vocabulary"}}},
    .evaluate = [](Arguments a) -> Result { return slopeOf(a[0]); },
};

constinit const Lemma entLin = {
    .id = "L-ENT-LIN",
    .statement = "If the logit drift oscillates by at most omega, the two entropies differ by "
                 "at most omega·c(V), and by at most log V.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over all V >= 2 tokens; the masks are the "
                  "same; nothing is cut away.",
    .formula = "|H(p) − H(q)| <= min(omega·c(V), log V), c(V) of L-ENT-C",
    .proof = "Integrate the derivative that L-ENT-C bounds along the line from z′ to z.",
    .tight = "as omega goes to 0",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"V", Domain::Count, "tokens of the vocabulary"}}},
    .evaluate = [](Arguments a) -> Result {
      Result slope = slopeOf(a[1]);
      if (!slope)
        return std::nullopt;
      return min(a[0] * *slope, log(a[1]));
    },
    .inverse = &inverseEntLin,
};

constinit const Lemma entLinW = {
    .id = "L-ENT-LIN-W",
    .statement =
        "L-ENT-LIN with a t that is easy to check: a t below the root only makes the bound larger.",
    .hypotheses = "As L-ENT-LIN; 0 < t < 1 and log(V − 1) + 2·atanh(t) <= 1/t.",
    .formula = "|H(p) − H(q)| <= min(omega·(1 − t²)/(4t), log V)",
    .proof = "The left side of the condition increases in t and the right side falls, so t is at "
             "most the root; (1 − t²)/(4t) falls in t.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"V", Domain::Count, "tokens of the vocabulary"},
                      {"t", Domain::OpenShare, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real& t = a[2];
      if (!isAtMost(2, a[1]) || !isLess(0, t) || !isLess(t, 1))
        return std::nullopt;
      if (!isAtMost(log(a[1] - 1) + 2 * atanh(t), 1 / t))
        return std::nullopt;
      return min(a[0] * (1 - t * t) / (4 * t), log(a[1]));
    },
    .useRow = {{{{each(Quantity::Omega), given(Quantity::Vocabulary), chosen()},
                 Quantity::EntropyGap}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double logRest = std::log(a[1].approximate() - 1);
      if (!(logRest >= 0))
        return std::nullopt;
      double low = 0, high = 2;
      for (int i = 0; i < 80; ++i) {
        double middle = (low + high) / 2;
        (logRest + middle < 1 / std::tanh(middle / 2) ? low : high) = middle;
      }
      return Rational(std::tanh(low / 2) * (1 - 1e-12));
    },
};

constinit const Lemma inverseEntLin = {
    .id = "G-ENT-LIN",
    .statement = "The largest oscillation for which L-ENT-LIN gives a change of entropy of b.",
    .hypotheses = "V >= 2",
    .formula = "omega = b/c(V)",
    .proof = "L-ENT-LIN solved for omega.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of entropy"},
                      {"V", Domain::Count, "tokens of the vocabulary"}}},
    .evaluate = [](Arguments a) -> Result {
      Result slope = slopeOf(a[1]);
      if (!slope)
        return std::nullopt;
      return a[0] / *slope;
    },
};

} // namespace tikc::bounds::lemmas
