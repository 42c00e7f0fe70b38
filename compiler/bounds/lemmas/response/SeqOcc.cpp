#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqOcc = {
    .id = "L-SEQ-OCC",
    .statement = "If every reachable prefix has total variation at most tau, the discounted "
                 "occupancies of prefixes differ by at most gamma·tau/(1 − gamma + gamma·tau).",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; gamma < 1.",
    .formula = "TV <= gamma·tau/(1 − gamma + gamma·tau)",
    .proof = "Prefixes of t tokens differ by at most 1 − (1 − tau)^t (L-SEQ-TV); weigh by (1 − "
             "gamma)·gamma^t and sum.",
    .trap = "The textbook gamma·tau/(1 − gamma) exceeds 1.",
    .tight = "the kernels of L-SEQ-TV's worst case",
    .parameterRow = {{{"tau", Domain::Share, "total variation of any prefix"},
                      {"gamma", Domain::Share, "the discount factor"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(a[1], 1))
        return std::nullopt;
      Real lost = a[1] * a[0];
      return lost / (1 - a[1] + lost);
    },
};

} // namespace tikc::bounds::lemmas
