#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma oscMap = {
    .id = "L-OSC-MAP",
    .statement = "A map of single logits whose slope is at most L, such as a softcap (L = 1), "
                 "turns a change of at most eps into one of at most L·eps.",
    .hypotheses = "Both kernels apply the same map to each logit; |z − z′| <= eps for every token; "
                  "the map is L-Lipschitz.",
    .formula = "|g(z) − g(z′)| <= L·eps",
    .proof = "The definition of a Lipschitz constant, token by token.",
    .trap = "X-SOFTCAP: it does not keep the oscillation. A constant shift of all logits has "
            "oscillation 0 before a softcap and more after it. Map the largest change, then apply "
            "L-OSC-EPS. The same bias or mask on both sides changes nothing.",
    .tight = "where the map has slope L",
    .parameterRow = {{{"L", Domain::NonNegative, "Lipschitz constant of the map"},
                      {"eps", Domain::NonNegative, "largest change of any logit before the map"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * a[1]; },
};

} // namespace tikc::bounds::lemmas
