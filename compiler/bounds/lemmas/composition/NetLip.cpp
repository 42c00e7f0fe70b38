#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma netLip = {
    .id = "L-NET-LIP",
    .statement = "Errors of layers reach the last hidden state multiplied by the Lipschitz "
                 "constants of the layers above, and add there.",
    .hypotheses = "layer l adds an error of at most eₗ in the 2-norm, and is Lipschitz with "
                  "constant Lₗ on a region that holds both kernels' states",
    .formula = "e <= Σₗ eₗ·Π_{j > l} Lⱼ",
    .proof = "Replace the layers one after another, from the last to the first, and apply the "
             "triangle inequality.",
    .trap = "A residual block x + f(x) has the constant 1 + Lip f. Softmax attention has no global "
            "constant: state the region. Errors of a KV cache or of quantised weights are the eₗ "
            "of their layer.",
    .tight = "scalar maps",
};

} // namespace tikc::bounds::lemmas
