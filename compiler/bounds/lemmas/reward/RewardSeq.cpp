#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma rewardSeq = {
    .id = "L-R-SEQ",
    .statement =
        "If the logit drift oscillates by at most omega at every reachable prefix, the expected "
        "reward of a response changes by at most its range times the bound of L-SEQ-HEL.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "nothing is cut away; rewards lie in an interval of length range.",
    .formula = "|E_P R − E_Q R| <= range·√(1 − sech(omega/4)^(2T))",
    .proof = "L-SEQ-HEL, then L-R-RANGE. Any other bound on the total variation of whole responses "
             "works, too: take the least.",
    .trap = "X-R-HALF: the range is hi − lo, not the largest |R|.",
    .parameterRow = {{{"range", Domain::NonNegative, "length of the reward's range"},
                      {"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * seqHellinger(a[1], a[2]); },
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
