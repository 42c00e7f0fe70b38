#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

Real largestJef(const Real& omega) { return omega * tanh(omega / 4); }

} // namespace

constinit const Lemma jefOsc = {
    .id = "L-JEF-OSC",
    .statement = "If the logit drift oscillates by at most omega, the two Kullback–Leibler "
                 "divergences add up to at most omega·tanh(omega/4).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "KL(p‖q) + KL(q‖p) <= omega·tanh(omega/4)",
    .proof = "The sum is Σ (p − q)(z − z′), at most the oscillation times total variation; then "
             "L-TV-OSC.",
    .tight = "two tokens with log-odds omega/2 and −omega/2",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return largestJef(a[0]); },
    .inverse = &inverseJefOsc,
};

constinit const Lemma inverseJefOsc = {
    .id = "G-JEF-OSC",
    .statement = "The largest oscillation for which L-JEF-OSC gives a sum of b.",
    .hypotheses = "b >= 0",
    .formula = "the root omega of omega·tanh(omega/4) = b",
    .proof = "omega·tanh(omega/4) increases and is at most omega²/4, so omega = 2√b is enough.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the sum"}}},
    .evaluate = [](Arguments a) -> Result {
      return solveIncreasing(largestJef, a[0], 2 * sqrt(a[0]), a[0] + 4);
    },
};

} // namespace tikc::bounds::lemmas
