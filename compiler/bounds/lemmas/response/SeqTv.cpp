#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqTv = {
    .id = "L-SEQ-TV",
    .statement = "If every reachable prefix has total variation at most tau, whole responses of "
                 "up to T tokens differ by at most 1 − (1 − tau)^T.",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach: a supremum, not a mean",
    .formula = "TV(P, Q) <= 1 − (1 − tau)^T",
    .proof = "Couple the two kernels step by step as well as can be: from an agreed prefix they "
             "agree once more with probability at least 1 − tau, at any prefix.",
    .trap = "X-SEQ-PRODMEAN: with means the product is invalid: means of ½ and ½ can give a total "
            "variation of 1. Means add (L-SEQ-TVMEAN).",
    .tight = "three tokens, the difference on tokens of one kernel only",
    .parameterRow = {{{"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return anyOf(a[0], a[1]); },
    .useRow = {{{{sup(Quantity::Tv), given(Quantity::Horizon)}, Quantity::SeqTv}}},
    .isStrict = true,
    .inverse = &inverseSeqTv,
};

constinit const Lemma inverseSeqTv = {
    .id = "G-SEQ-TV",
    .statement = "The largest total variation of a prefix for which L-SEQ-TV gives b at horizon T.",
    .hypotheses = "b < 1",
    .formula = "tau = 1 − (1 − b)^(1/T)",
    .proof = "L-SEQ-TV solved for tau.",
    .parameterRow = {{{"b", Domain::OpenShare, "the budget of total variation"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return -expm1(log1p(-a[0]) / a[1]); },
};

} // namespace tikc::bounds::lemmas
