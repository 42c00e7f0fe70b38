#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view k2BandTraps = "k2 = ½·log²w is not a divergence: without a bound on log "
                                         "w, its mean is neither KL(q‖p) nor on one side of it.";

/// 2(exp(x) − 1 − x)/x², which increases and is 1 at 0.
Real curvature(const Real& x) {
  if (x.isExact() && x.lower() == 0)
    return {Rational(1), x.bits()};
  Real y = guarded(x, 2);
  return (2 * (expm1(y) - y) / (y * y)).withBits(x.bits());
}

} // namespace

constinit const Lemma k2Band = {
    .id = "L-K2-BAND",
    .statement = "If no log-ratio is below −a, the mean of k2 = ½·log²w over sampled tokens is "
                 "at most a multiple of KL(q‖p).",
    .hypotheses = "KL(q‖p) <= kl; log w >= −a for every token; the inference kernel can sample "
                  "every token that the trainer can.",
    .formula = "E_q k2 <= kl/φ(−a), φ(x) = 2(exp(x) − 1 − x)/x²",
    .proof = "k3 = φ(log w)·k2, token by token, and φ increases.",
    .trap = k2BandTraps,
    .tight = "as a goes to 0",
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(q‖p)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / curvature(-a[1]); },
};

constinit const Lemma k2BandUp = {
    .id = "L-K2-BAND-UP",
    .statement = "If no log-ratio is above b, KL(q‖p) is at most φ(b) times the mean of k2 = "
                 "½·log²w over sampled tokens.",
    .hypotheses = "Tokens are sampled from q; log w <= b for every token; the inference kernel can "
                  "sample every token that the trainer can.",
    .formula = "KL(q‖p) <= φ(b)·k2, φ(x) = 2(exp(x) − 1 − x)/x²",
    .proof = "KL(q‖p) = E_q k3 (L-K123), k3 = φ(log w)·k2, and φ increases.",
    .trap = k2BandTraps,
    .tight = "as b goes to 0",
    .parameterRow = {{{"k2", Domain::NonNegative, "mean of ½·log²w over sampled tokens"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * curvature(a[1]); },
    .useRow = {{{{mean(Quantity::SampledK2), sup(Quantity::LogRatioUp)},
                 Quantity::KlInferTrain,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
