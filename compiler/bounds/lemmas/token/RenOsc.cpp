#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

/// Nothing at alpha = 1, where the order has another formula.
Result renyi(const Real& alpha, const Real& omega) {
  if (!isLess(1, alpha) && !isLess(alpha, 1))
    return std::nullopt;
  if (omega.isExact() && omega.lower() == 0)
    return omega;
  long nearOne = std::clamp(-(alpha - 1).magnitude(), 0L, 4096L);
  Real x = guarded(omega, 3);
  x = x.withBits(x.bits() + 64 + 2 * static_cast<unsigned>(nearOne));
  Real order = alpha.withBits(x.bits());
  Real growth = expm1(order * x);
  Real logM = log((order - 1) / order * growth / expm1((order - 1) * x)) - x;
  Real value = logM + log(growth / (order * expm1(x))) / (order - 1);
  return value.withBits(omega.bits());
}

} // namespace

constinit const Lemma renOsc = {
    .id = "L-REN-OSC",
    .statement = "If the logit drift oscillates by at most omega, the Rényi divergence of order "
                 "alpha is at most the value of the worst pair of two tokens.",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; nothing is cut "
                  "away; alpha > 0, not 1 (L-KL-OSC).",
    .formula = "D <= log m + log((R^alpha − 1)/(alpha(R − 1)))/(alpha − 1), R = exp(omega), m = "
               "(alpha − 1)(R^alpha − 1)/(alpha(R^alpha − R))",
    .proof = "The chord of w^alpha over [m, mR] is m^(alpha − 1)·((R^alpha − 1) − m(R^alpha − "
             "R))/(R − 1); its best m is the one stated.",
    .trap = "alpha·omega²/8 and omega bound it, but are never better.",
    .tight = "two tokens, ratios m and mR",
    .parameterRow = {{{"alpha", Domain::Positive, "order of the divergence"},
                      {"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return renyi(a[0], a[1]); },
    .inverse = &inverseRenOsc,
};

constinit const Lemma inverseRenOsc = {
    .id = "G-REN-OSC",
    .statement = "The largest oscillation for which L-REN-OSC gives a Rényi divergence of b.",
    .hypotheses = "b >= 0; alpha > 0, not 1",
    .formula = "the root omega of L-REN-OSC = b",
    .proof = "L-REN-OSC increases in omega and is at most alpha·omega²/8, so omega = √(8b/alpha) "
             "is enough.",
    .parameterRow = {{{"alpha", Domain::Positive, "order of the divergence"},
                      {"b", Domain::NonNegative, "the budget of the divergence"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!renyi(a[0], a[1]))
        return std::nullopt;
      return solveIncreasing([&](const Real& omega) { return renyi(a[0], omega).value(); }, a[1],
                             sqrt(8 * a[1] / a[0]), a[1] + 4);
    },
};

} // namespace tikc::bounds::lemmas
