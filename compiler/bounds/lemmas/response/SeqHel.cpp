#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqHel = {
    .id = "L-SEQ-HEL",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, "
                 "whole responses differ by an amount that grows with √T and not with T.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach: "
                  "a supremum over prefixes, not over sampled ones. Nothing is cut away.",
    .formula = "TV(P, Q) <= √(1 − sech(omega/4)^(2T)), about √T·omega/4",
    .proof = "The affinity Σ√(PQ) of whole responses is at least the product of the least "
             "affinities of the steps, each at least sech(omega/4); and TV <= √(1 − affinity²). "
             "Never above L-SEQ-TV fed with tanh(omega/4).",
    .trap =
        "The curve 2Φ(√T·omega/4) − 1 of the Gaussian limit is not a bound: it fails at T = 1. The "
        "worst kernels adapt to the prefix, so simulating independent steps shows too little.",
    .tight = "T = 1; the best adaptive kernels reach 0.80 of it as T grows",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return seqHellinger(a[0], a[1]); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon)}, Quantity::SeqTv}}},
    .needsFullSupport = true,
    .inverse = &inverseSeqHel,
};

constinit const Lemma seqHelH2 = {
    .id = "L-SEQ-HEL-H2",
    .statement = "If the squared Hellinger distance is at most h2v at every reachable prefix, "
                 "whole responses differ by at most √(1 − (1 − h2v)^(2T)).",
    .hypotheses = "H² <= h2v at every prefix that either kernel can reach.",
    .formula = "TV(P, Q) <= √(1 − (1 − h2v)^(2T))",
    .proof = "Affinities multiply as in L-SEQ-HEL, each at least 1 − h2v.",
    .trap = "A mean of H² may not enter: the product needs every prefix.",
    .parameterRow = {{{"h2v", Domain::Share, "squared Hellinger distance at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(anyOf(a[0], 2 * a[1])); },
    .useRow = {{{{sup(Quantity::Hellinger), given(Quantity::Horizon)}, Quantity::SeqTv}}},
};

constinit const Lemma inverseSeqHel = {
    .id = "G-SEQ-HEL",
    .statement = "The largest oscillation for which L-SEQ-HEL gives b at horizon T.",
    .hypotheses = "b < 1",
    .formula = "omega = 4·acosh((1 − b²)^(−1/(2T)))",
    .proof = "L-SEQ-HEL solved for omega.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of total variation"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return 4 * acosh1p(expm1(-log1p(-a[0] * a[0]) / (2 * a[1])));
    },
};

} // namespace tikc::bounds::lemmas
