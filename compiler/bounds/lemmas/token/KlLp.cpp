#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {
namespace {

Real largestKlOfLp(const Real& delta) { return delta * tanh(delta / 2); }

} // namespace

constinit const Lemma klLp = {
    .id = "L-KL-LP",
    .statement = "If no log-prob of the vocabulary changes by more than delta, both "
                 "Kullback–Leibler divergences are at most delta·tanh(delta/2).",
    .hypotheses =
        "|log p − log q| <= delta for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(p‖q), KL(q‖p) <= delta·tanh(delta/2)",
    .proof = "L-KL-INT at a = b = delta.",
    .trap = "Loose forms in print: delta, delta², delta(exp(delta) − 1). L-KL-OSC at 2·delta is "
            "also larger.",
    .tight = "two tokens with probabilities 1/(1 + exp(∓delta)), swapped",
    .parameterRow = {{{"delta", Domain::NonNegative, "largest change of any log-prob"}}},
    .evaluate = [](Arguments a) -> Result { return largestKlOfLp(a[0]); },
    .useRow = {{{{each(Quantity::LogprobLinf)}, Quantity::KlTrainInfer},
                {{each(Quantity::LogprobLinf)}, Quantity::KlInferTrain}}},
    .needsFullSupport = true,
    .inverse = &inverseKlLp,
};

constinit const Lemma inverseKlLp = {
    .id = "G-KL-LP",
    .statement = "The largest change of log-probs for which L-KL-LP gives a divergence of b.",
    .hypotheses = "b >= 0",
    .formula = "the root delta of delta·tanh(delta/2) = b",
    .proof = "delta·tanh(delta/2) increases and is at most delta²/2, so delta = √(2b) is enough.",
    .parameterRow = {{{"b", Domain::NonNegative, "the budget of the divergence"}}},
    .evaluate = [](Arguments a) -> Result {
      return solveIncreasing(largestKlOfLp, a[0], sqrt(2 * a[0]), a[0] + 2);
    },
};

} // namespace tikc::bounds::lemmas
