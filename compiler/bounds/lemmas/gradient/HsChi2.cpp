#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

/// E_q (w − C)⁺ at most, under a bound on χ².
Real scarf(const Real& chi2, const Real& c) {
  if (chi2.isExact() && chi2.lower() == 0)
    return max(chi2, 1 - c);
  Real second = 1 + chi2;
  if (isAtMost(2 * c, second))
    return 1 - c / second;
  // ½(√(chi2 + (C−1)²) − (C−1)) holds for every C; it cancels for C above 1 only.
  Real gap = c - 1;
  Real root = sqrt(chi2 + gap * gap);
  return isLess(gap, 0) ? (root - gap) / 2 : chi2 / (2 * (root + gap));
}

} // namespace

constinit const Lemma hsChi2 = {
    .id = "L-HS-CHI2",
    .statement =
        "If χ²(p‖q) is at most chi2, truncating ratios at C removes at most Scarf's bound.",
    .hypotheses = "χ²(p‖q) <= chi2; nothing is cut away; C > 0.",
    .formula = "E_q (w − C)⁺ <= 1 − C/(1 + chi2) where 2C <= 1 + chi2, else ½(√(chi2 + (C − 1)²) − "
               "(C − 1))",
    .proof = "x⁺ = ½(|x| + x) and Jensen for |w − C|. For small C: (w − C)⁺ <= w − C(1 − (1 − "
             "w/s)²) with s = 1 + chi2 >= 2C, whose mean is at most 1 − C/s.",
    .trap = "chi2/(4(C − 1)) is also a bound, but a weaker one. A bound on the total variation "
            "instead of χ² gains nothing from C > 1.",
    .tight = "two ratios, for every chi2 and C",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"C", Domain::Positive, "cap of the weights"}}},
    .evaluate = [](Arguments a) -> Result { return scarf(a[0], a[1]); },
    .useRow = {{{{each(Quantity::Chi2), given(Quantity::Cap)}, Quantity::Excess},
                {{each(Quantity::SeqChi2), given(Quantity::Cap)}, Quantity::SeqExcess}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
};

constinit const Lemma pgTisOsc = {
    .id = "L-PG-TIS-OSC",
    .statement = "Truncating weights at C has a bias of at most B times the hockey-stick bound of "
                 "L-HS-OSC; none once C reaches exp(omega).",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; no term of "
                  "the gradient has a norm above B.",
    .formula = "‖E_q min(w, C)·f − E_p f‖ <= B·HS_C(omega)",
    .proof = "The bias is exactly −E_q (w − C)⁺f; then L-HS-OSC.",
    .trap = "C gains nothing where ratios stay below it, and weights above it are not rare where p "
            "is much above q.",
    .tight = "f of one direction wherever w > C",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"C", Domain::Positive, "cap of the weights"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * hockeyStick(a[1], a[2]); },
    .needsFullSupport = true,
};

constinit const Lemma pgTisChi2 = {
    .id = "L-PG-TIS-CHI2",
    .statement = "Truncating weights at C has a bias of at most B times Scarf's bound for χ²(p‖q).",
    .hypotheses =
        "χ²(p‖q) <= chi2; nothing is cut away; no term of the gradient has a norm above B.",
    .formula = "‖E_q min(w, C)·f − E_p f‖ <= B·E_q (w − C)⁺, bounded by L-HS-CHI2",
    .proof = "The bias is exactly −E_q (w − C)⁺f; then L-HS-CHI2.",
    .trap = "For whole responses, use χ² of whole responses and B·T.",
    .tight = "two ratios, f of one direction",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"C", Domain::Positive, "cap of the weights"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * scarf(a[1], a[2]); },
    .needsFullSupport = true,
};

constinit const Lemma pgTisEst = {
    .id = "L-PG-TIS-EST",
    .statement = "The mean of truncated weights over samples bounds the bias of truncation, "
                 "including missing support.",
    .hypotheses = "kept is at most E_q min(w, C), or E_q w·1{a <= w <= b} for a mask; no term of "
                  "the gradient has a norm above B.",
    .formula = "bias <= B·(1 − kept)",
    .proof = "The weights miss p − q·min(w, C) >= 0 of p, of total mass 1 − E_q min(w, C).",
    .trap = "kept is a lower confidence bound, of variables in [0, C] (in [0, b] for a mask).",
    .tight = "f of one direction wherever mass is lost",
    .parameterRow = {{{"B", Domain::NonNegative, "largest norm of a token's term"},
                      {"kept", Domain::Share, "mean of the weights"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (1 - a[1]); },
};

} // namespace tikc::bounds::lemmas
