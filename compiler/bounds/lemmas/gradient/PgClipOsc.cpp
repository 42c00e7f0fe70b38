#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view pgClipOscTraps =
    "X-CLIP0: at c = 0 the weight is the constant 1: the uncorrected estimator, with a bias of up "
    "to 2B·TV. It changes neither kernel and "
    "forces no equivalence. c is how much correction is allowed: the bias falls as it grows.";

} // namespace

constinit const Lemma pgClipOsc = {
    .id = "L-PG-CLIP-OSC",
    .statement = "Where the logit drift oscillates by at most omega, clipping ratios to 1 ± c "
                 "takes away at most 2·tanh(omega/4) − c, or "
                 "what one side alone can lose.",
    .hypotheses = "The logit drift oscillates by at most omega; nothing is cut away; c >= 0.",
    .formula =
        "E_q |w − clip(w, 1 − c, 1 + c)| <= max(2·tanh(omega/4) − c, HS_{1+c}, HS_{1−c} − c, 0)",
    .proof = "The loss is convex in w, so two ratios m and m·exp(omega) lose most. Where both are "
             "clipped they lose 2·TV − c; where one is, "
             "L-HS-OSC, with E_q (C − w)⁺ = HS_C + C − 1.",
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
        "Clipping ratios around 1, however narrowly, takes away at most twice the total variation.",
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
    .shape = Shape::Concave,
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
