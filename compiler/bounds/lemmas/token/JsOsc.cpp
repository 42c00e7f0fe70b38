#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

Real largestJs(const Real& omega) {
  auto size = static_cast<unsigned>(std::clamp(omega.magnitude(), 0L, 4096L));
  Real x = omega.withBits(omega.bits() + 32 + size) / 4;
  return (x * tanh(x) - logCosh(x)).withBits(omega.bits());
}

} // namespace

constinit const Lemma jsOsc = {
    .id = "L-JS-OSC",
    .statement = "If the logit drift oscillates by at most omega, the Jensen–Shannon divergence "
                 "is at most x·tanh(x) − log cosh(x) at x = omega/4.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "JS <= x·tanh(x) − log cosh(x), x = omega/4",
    .proof = "Among pairs of two tokens with log-odds u ± omega/2 the divergence falls as u leaves "
             "0, by the sign of its derivative in u; evaluate at u = 0.",
    .trap = "omega²/32 bounds it, but is never better.",
    .tight = "two tokens with log-odds omega/2 and −omega/2",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return largestJs(a[0]); },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::Js}}},
    .needsFullSupport = true,
    .inverse = &inverseJsOsc,
};

constinit const Lemma inverseJsOsc = {
    .id = "G-JS-OSC",
    .statement =
        "The largest oscillation for which L-JS-OSC gives a Jensen–Shannon divergence of b.",
    .hypotheses = "b < log 2",
    .formula = "the root omega of L-JS-OSC = b",
    .proof = "L-JS-OSC increases to log 2 and is at most omega²/32, so omega = √(32b) is enough.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the divergence"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[0], log(Real(2, a[0].bits()))))
        return std::nullopt;
      return solveIncreasing(largestJs, a[0], sqrt(32 * a[0]), sqrt(32 * a[0]) + 1);
    },
};

} // namespace tikc::bounds::lemmas
