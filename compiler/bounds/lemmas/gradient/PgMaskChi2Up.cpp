#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgMaskChi2UpTraps =
    "A mask is discontinuous: a ratio a hair above b loses all of its mass, so in the worst case "
    "masking loses more than clipping. It is p's mass that is lost; q's mass below a can be much "
    "larger.";

Real one(const Real& like) { return {Rational(1), like.bits()}; }

Real zero(const Real& like) { return {Rational(0), like.bits()}; }

/// p(w > b) at most, under a bound on χ².
Real aboveByChi2(const Real& chi2, const Real& b) {
  Real gap = b - 1;
  if (!isLess(chi2, gap))
    return one(chi2);
  return b * chi2 / (chi2 + gap * gap);
}

/// p(w < a) at most, under a bound on χ².
Real belowByChi2(const Real& chi2, const Real& a) {
  if (isAtMost(a, 0))
    return zero(chi2);
  if (!isLess(a, 1))
    return one(chi2);
  Real gap = 1 - a;
  return a * chi2 / (chi2 + gap * gap);
}

/// p(w > b) at most, under an oscillation with growth = exp(omega) − 1.
Real aboveByOsc(const Real& growth, const Real& b) {
  return max(zero(growth), 1 - (b - 1) / growth);
}

/// p(w < a) at most.
Real belowByOsc(const Real& growth, const Real& a) {
  return max(zero(growth), a - (1 - a) / growth);
}

bool keepsOne(const Real& a, const Real& b) { return isLess(a, 1) && isLess(1, b); }

} // namespace

constinit const Lemma pgMaskChi2Up = {
    .id = "L-PG-MASK-CHI2-UP",
    .statement = "If χ²(p‖q) is at most chi2, p's mass on tokens with a ratio above b is at "
                 "most b·chi2/(chi2 + (b − 1)²).",
    .hypotheses = "χ²(p‖q) <= chi2; nothing is cut away; b >= 1.",
    .formula = "p(w > b) <= b·chi2/(chi2 + (b − 1)²), 1 where chi2 >= b − 1",
    .proof = "Given its q-mass, the event has the largest p-mass for the least χ² when w has two "
             "values; the mass above b is largest when the upper value is b.",
    .trap = pgMaskChi2UpTraps,
    .tight = "two ratios, one of them b",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result { return aboveByChi2(a[0], a[1]); },
    .needsFullSupport = true,
};

constinit const Lemma pgMaskChi2Lo = {
    .id = "L-PG-MASK-CHI2-LO",
    .statement = "If χ²(p‖q) is at most chi2, p's mass on tokens with a ratio below a is at "
                 "most a·chi2/(chi2 + (1 − a)²).",
    .hypotheses = "χ²(p‖q) <= chi2; nothing is cut away; a <= 1.",
    .formula = "p(w < a) <= a·chi2/(chi2 + (1 − a)²)",
    .proof = "p(w < a) <= a·q(w < a), and Cantelli's inequality for w, of mean 1 and variance at "
             "most chi2.",
    .trap = pgMaskChi2UpTraps,
    .tight = "two ratios, one of them a",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"a", Domain::Share, "least ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result { return belowByChi2(a[0], a[1]); },
    .needsFullSupport = true,
};

constinit const Lemma pgMaskChi2 = {
    .id = "L-PG-MASK-CHI2",
    .statement = "If χ²(p‖q) is at most chi2, a mask that keeps ratios from a to b drops at "
                 "most the sum of what lies above and below.",
    .hypotheses = "χ²(p‖q) <= chi2; nothing is cut away; a < 1 < b.",
    .formula = "p(w < a or w > b) <= min(1, L-PG-MASK-CHI2-UP + L-PG-MASK-CHI2-LO)",
    .proof = "The two events exclude each other.",
    .trap = pgMaskChi2UpTraps,
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"a", Domain::NonNegative, "least ratio that is kept"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!keepsOne(a[1], a[2]))
        return std::nullopt;
      return min(1, aboveByChi2(a[0], a[2]) + belowByChi2(a[0], a[1]));
    },
    .useRow = {{{{each(Quantity::Chi2), given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::Masked},
                {{each(Quantity::SeqChi2), given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::SeqMasked}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
};

constinit const Lemma pgMaskTv = {
    .id = "L-PG-MASK-TV",
    .statement = "A mask that keeps ratios from a to b drops at most tv·(b/(b − 1) + a/(1 − a)) of "
                 "p's mass.",
    .hypotheses = "TV <= tv; a < 1 < b.",
    .formula = "p(w < a or w > b) <= min(1, tv·(b/(b − 1) + a/(1 − a)))",
    .proof = "For S = {w > b}: p(S)(1 − 1/b) <= p(S) − q(S) <= tv. For S = {w < a}: p(S)(1/a − 1) "
             "<= q(S) − p(S) <= tv.",
    .trap = pgMaskChi2UpTraps,
    .tight = "two ratios, one of them at the mask's edge; each side separately",
    .parameterRow = {{{"tv", Domain::NonNegative, "total variation"},
                      {"a", Domain::NonNegative, "least ratio that is kept"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &low = a[1], &high = a[2];
      if (!keepsOne(low, high))
        return std::nullopt;
      Real below = isAtMost(low, 0) ? zero(low) : low / (1 - low);
      return min(1, a[0] * (high / (high - 1) + below));
    },
    .useRow = {{{{each(Quantity::Tv), given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::Masked},
                {{each(Quantity::SeqTv), given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::SeqMasked}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
};

constinit const Lemma pgMaskOscUp = {
    .id = "L-PG-MASK-OSC-UP",
    .statement = "If the logit drift oscillates by at most omega, p's mass on tokens with a "
                 "ratio above b is at most (R − b)/(R − 1), R = exp(omega).",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; b >= 1.",
    .formula = "p(w > b) <= (R − b)/(R − 1), 0 where b >= R",
    .proof = "Let w be u > b on average where it is above b. Elsewhere it is at least u/R, so from "
             "E_q w = 1 the event's p-mass is at most (R − u)/(R − 1).",
    .trap = pgMaskChi2UpTraps,
    .tight = "two ratios, b and b/R",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(1, a[1]))
        return std::nullopt;
      if (a[0].isExact() && a[0].lower() == 0)
        return a[0];
      return aboveByOsc(expm1(a[0]), a[1]);
    },
    .needsFullSupport = true,
};

constinit const Lemma pgMaskOsc = {
    .id = "L-PG-MASK-OSC",
    .statement = "If the logit drift oscillates by at most omega, a mask that keeps ratios from "
                 "a to b drops at most (R − b)/(R − 1) + (aR − 1)/(R − 1) of p's mass, R = "
                 "exp(omega); nothing where all ratios are kept.",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; a < 1 < b.",
    .formula = "p(w < a or w > b) <= min(1, ((R − b)⁺ + (aR − 1)⁺)/(R − 1))",
    .proof = "Above b: L-PG-MASK-OSC-UP. Below a: let w be u < a on average there. Elsewhere w <= "
             "uR, so from E_q w = 1 the event has q-mass at most (uR − 1)/(u(R − 1)), and p-mass u "
             "times that.",
    .trap = pgMaskChi2UpTraps,
    .tight = "two ratios, b and b/R or a and aR; each side separately",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"a", Domain::NonNegative, "least ratio that is kept"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!keepsOne(a[1], a[2]))
        return std::nullopt;
      if (a[0].isExact() && a[0].lower() == 0)
        return a[0];
      Real growth = expm1(a[0]);
      return min(1, aboveByOsc(growth, a[2]) + belowByOsc(growth, a[1]));
    },
    .useRow = {{{{each(Quantity::Omega), given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::Masked}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
