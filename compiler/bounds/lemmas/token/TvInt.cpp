#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma tvInt = {
    .id = "L-TV-INT",
    .statement = "If log-ratios lie in [−a, b], total variation is at most "
                 "expm1(a)·expm1(b)/expm1(a + b).",
    .hypotheses =
        "−a <= log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "TV <= (M − 1)(1 − m)/(M − m), m = exp(−a), M = exp(b)",
    .proof = "½|w − 1| lies below its chord over [m, M], and E_q w = 1: the chord's value at 1.",
    .tight = "two tokens with ratios m and M",
    .parameterRow = {{{"a", Domain::NonNegative, "largest log q − log p"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      for (const Real& end : a)
        if (end.isExact() && end.lower() == 0)
          return end; // ratios all on one side of 1 whose mean is 1
      return expm1(a[0]) * expm1(a[1]) / expm1(a[0] + a[1]);
    },
    .useRow = {{{{each(Quantity::LogRatioDown), each(Quantity::LogRatioUp)}, Quantity::Tv},
                {{sup(Quantity::SeqLogRatioDown), sup(Quantity::SeqLogRatioUp)}, Quantity::SeqTv}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
