#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma klOsc = {
    .id = "L-KL-OSC",
    .statement = "If the logit drift oscillates by at most omega, both Kullback–Leibler "
                 "divergences are at most K(omega).",
    .hypotheses = "max(z − z′) − min(z − z′) <= omega over the whole vocabulary; the masks are the "
                  "same; nothing is cut away.",
    .formula = "KL(p‖q), KL(q‖p) <= K(omega) = (y·coth y − 1) + log(sinh y / y), y = omega/2",
    .proof = "The chord of w·log w over [m, mR] is log m + omega·R(1 − m)/(R − 1), stationary at m "
             "= (1 − exp(−omega))/omega. Swapping the kernels keeps the oscillation, hence the "
             "reverse divergence.",
    .trap = "K is convex, so a mean of omega may not enter: K(mean) is wrong by a factor of 6.7 at "
            "a mean of 0.5 with a cap of 4. The loose forms omega²/8 and omega are never better.",
    .tight = "two tokens, ratios m and mR",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift"}}},
    .evaluate = [](Arguments a) -> Result { return largestKl(a[0]); },
    .useRow = {{{{each(Quantity::Omega)}, Quantity::KlTrainInfer},
                {{each(Quantity::Omega)}, Quantity::KlInferTrain}}},
    .curvature = Curvature::Convex,
    .needsFullSupport = true,
    .inverse = &inverseKlOsc,
};

constinit const Lemma inverseKlOsc = {
    .id = "G-KL-OSC",
    .statement = "The largest oscillation for which L-KL-OSC gives a divergence of b.",
    .hypotheses = "b >= 0",
    .formula = "omega = g − h, where g > 1 > h are the roots of x − 1 − log x = b",
    .proof = "K(omega) = g − 1 − log g at g = omega/(1 − exp(−omega)), and K increases. omega = "
             "√(8b) is enough.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the divergence"}}},
    .evaluate = [](Arguments a) -> Result {
      // √(8b) is enough, and K(omega) >= omega − 1 − log(1 + omega).
      return solveIncreasing(largestKl, a[0], sqrt(8 * a[0]), 2 * a[0] + 4);
    },
};

} // namespace tikc::bounds::lemmas
