#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view tvOscTraps =
    "Loose forms in print: exp(2·eps) − 1, eps, and √(KL/2) after a bound on KL. A bound on the "
    "drift of probabilities, a mean over vocabulary entries or a cosine similarity bounds nothing "
    "here.";

} // namespace

constinit const Lemma tvOsc = {
    .id = "L-TV-OSC",
    .statement = "If the logit drift z − z′ oscillates by at most omega, the two distributions "
                 "differ by at most tanh(omega/4) in total variation.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "TV <= tanh(omega/4)",
    .proof = "The ratio w = p/q lies in [m, mR] with R = exp(omega), and E_q w = 1. A convex "
             "function lies below its chord, so ½E_q|w − 1| <= (R + 1 − mR − 1/m)/(R − 1), which "
             "is largest at m = R^(−1/2): (√R − 1)/(√R + 1).",
    .trap = tvOscTraps,
    .tight = "two tokens with log-odds omega/2 and −omega/2",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return tanh(a[0] / 4); },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::Tv}}},
    .curvature = Curvature::Concave,
    .isStrict = true,
    .needsFullSupport = true,
    .inverse = &inverseTvOsc,
};

constinit const Lemma tvEps = {
    .id = "L-TV-EPS",
    .statement = "If no logit changes by more than eps, the two distributions differ by at most "
                 "tanh(eps/2) in total variation.",
    .hypotheses = "|z − z′| <= eps for every token of the vocabulary; the masks are the same; "
                  "nothing is cut away.",
    .formula = "TV <= tanh(eps/2)",
    .proof = "The drift oscillates by at most 2·eps (L-OSC-EPS); then L-TV-OSC.",
    .trap = tvOscTraps,
    .tight = "two tokens with drifts eps and −eps",
    .parameterRow = {{{"eps", Domain::NonNegative, "largest change of any logit"}}},
    .evaluate = [](Arguments a) -> Result { return tanh(a[0] / 2); },
};

constinit const Lemma tvL2 = {
    .id = "L-TV-L2",
    .statement = "If the logit drift has 2-norm at most rho, the two distributions differ by at "
                 "most tanh(rho/(2√2)) in total variation.",
    .hypotheses = "‖z − z′‖₂ <= rho over the whole vocabulary, a shift removed or not; the masks "
                  "are the same; nothing is cut away.",
    .formula = "TV <= tanh(rho/(2√2))",
    .proof = "The drift oscillates by at most √2·rho (L-OSC-L2); then L-TV-OSC.",
    .trap = "An RMS over V tokens is rho/√V. A q-weighted RMS bounds nothing.",
    .tight = "two tokens with drifts rho/√2 and −rho/√2",
    .parameterRow = {{{"rho", Domain::NonNegative, "2-norm of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return tanh(a[0] / (2 * sqrt(Real(2, a[0].bits())))); },
};

constinit const Lemma inverseTvOsc = {
    .id = "G-TV-OSC",
    .statement = "The largest oscillation for which L-TV-OSC gives a total variation of b.",
    .hypotheses = "b < 1",
    .formula = "omega = 4·atanh(b)",
    .proof = "tanh increases.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of total variation"}}},
    .evaluate = [](Arguments a) -> Result { return 4 * atanh(a[0]); },
};

} // namespace tikc::bounds::lemmas
