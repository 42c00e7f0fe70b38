#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgClipOscTraps =
    "X-CLIP0: at c = 0 the weight is the constant 1: the uncorrected estimator, with a bias of up "
    "to 2B·TV. It changes neither kernel and forces no equivalence. c is how much correction is "
    "allowed: the bias falls as it grows.";

} // namespace

constinit const Lemma pgClipOsc = {
    .id = "L-PG-CLIP-OSC",
    .statement = "If the logit drift oscillates by at most omega, clipping ratios to 1 ± c "
                 "removes at most 2·tanh(omega/4) − c, or the largest loss of one side alone.",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; c >= 0.",
    .formula =
        "E_q |w − clip(w, 1 − c, 1 + c)| <= max(2·tanh(omega/4) − c, HS_{1+c}, HS_{1−c} − c, 0)",
    .proof =
        "The loss is convex in w, so two ratios m and m·exp(omega) lose most. Where both are "
        "clipped they lose 2·TV − c; where one is, L-HS-OSC, with E_q (C − w)⁺ = HS_C + C − 1.",
    .trap = pgClipOscTraps,
    .tight = "two ratios",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"},
                      {"c", Domain::NonNegative, "half-width of clipping"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &omega = a[0], &c = a[1];
      Real both = 2 * tanh(omega / 4) - c;
      Real most = max(max(both, hockeyStick(omega, 1 + c)), 0);
      return isLess(c, 1) ? max(most, hockeyStick(omega, 1 - c) - c) : most;
    },
    .useRow = {{{{each(Quantity::Omega), given(Quantity::ClipWidth)}, Quantity::ClipLoss}}},
    .needsFullSupport = true,
};

constinit const Lemma clipTv = {
    .id = "L-CLIP-TV",
    .statement =
        "Clipping ratios around 1, however narrowly, removes at most twice the total variation.",
    .hypotheses = "TV <= tv; nothing is cut away; c >= 0.",
    .formula = "E_q |w − clip(w, 1 − c, 1 + c)| <= E_q |w − 1| = 2·tv",
    .proof = "Clipping around 1 moves a ratio by no more than its distance from 1.",
    .trap = pgClipOscTraps,
    .tight = "c = 0",
    .parameterRow = {{{"tv", Domain::NonNegative, "total variation"},
                      {"c", Domain::NonNegative, "half-width of clipping"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(0, a[1]))
        return std::nullopt;
      return 2 * a[0];
    },
    .useRow = {{{{each(Quantity::Tv), given(Quantity::ClipWidth)}, Quantity::ClipLoss},
                {{each(Quantity::SeqTv), given(Quantity::ClipWidth)}, Quantity::SeqClipLoss}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
};

constinit const Lemma clipChi2 = {
    .id = "L-CLIP-CHI2",
    .statement =
        "Clipping ratios to 1 ± c removes at most χ²/(4c), or √χ² − c where that is above c.",
    .hypotheses = "χ²(p‖q) <= chi2; nothing is cut away; c >= 0.",
    .formula = "E_q |w − clip(w, 1 − c, 1 + c)| <= chi2/(4c) where √chi2 <= 2c, else √chi2 − c",
    .proof = "The loss is (|x| − c)⁺, x = w − 1. It is at most x²/(4c), since (|x| − 2c)² >= 0; "
             "and with s = √chi2 >= 2c at most x²/(2s) + s/2 − c, which has mean s − c.",
    .trap = pgClipOscTraps,
    .tight = "ratios 1 − 2c, 1 and 1 + 2c; otherwise, ratios 1 ± s",
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"c", Domain::NonNegative, "half-width of clipping"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &chi2 = a[0], &c = a[1];
      // Where it is not certain which side of the seam it is on, both hold.
      return isAtMost(chi2, 4 * c * c) && isLess(0, c) ? chi2 / (4 * c) : sqrt(chi2) - c;
    },
    .useRow = {{{{each(Quantity::Chi2), given(Quantity::ClipWidth)}, Quantity::ClipLoss},
                {{each(Quantity::SeqChi2), given(Quantity::ClipWidth)}, Quantity::SeqClipLoss}}},
    .curvature = Curvature::Concave,
    .needsFullSupport = true,
};

constinit const Lemma clipSeq = {
    .id = "L-CLIP-SEQ",
    .statement = "Clipping the ratio of a whole response removes at most the excess above 1 + c "
                 "plus the deficit below 1 − c, each by L-HS-SEQ.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "responses of up to T tokens; nothing is cut away; c >= 0.",
    .formula = "E_Q |W − clip(W, 1 − c, 1 + c)| <= HS_{1+c} + HS_{1−c} − c, HS of omega·T",
    .proof = "E_Q (W − C)⁺ is HS_C by L-HS-SEQ, and E_Q (C − W)⁺ = HS_C + C − 1.",
    .trap = pgClipOscTraps,
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"c", Domain::NonNegative, "half-width of clipping"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      Real omega = a[0] * a[2];
      const Real& c = a[1];
      Real above = hockeyStick(omega, 1 + c);
      return isLess(c, 1) ? above + max(0, hockeyStick(omega, 1 - c) - c) : above;
    },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::ClipWidth), given(Quantity::Horizon)},
                 Quantity::SeqClipLoss}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
