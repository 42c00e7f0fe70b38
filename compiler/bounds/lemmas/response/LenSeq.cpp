#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma lenSeq = {
    .id = "L-LEN-SEQ",
    .statement = "Mean lengths of the two kernels' responses differ by at most T − 1 times the "
                 "total variation of responses.",
    .hypotheses =
        "Mean total variation of whole responses is at most tv; no response is longer than T, and "
        "each has a token.",
    .formula = "|E_P L − E_Q L| <= (T − 1)·tv",
    .proof = "The length is a figure of the response, between 1 and T.",
    .tight = "responses of lengths 1 and T",
    .parameterRow = {{{"tv", Domain::Share, "mean total variation of responses"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] * (a[1] - 1); },
    .useRow = {{{{mean(Quantity::SeqTv), given(Quantity::Horizon)},
                 Quantity::LengthDrift,
                 Quantifier::Mean}}},
    .isStrict = true,
};

constinit const Lemma lenOne = {
    .id = "L-LEN-ONE",
    .statement = "Each response has a token.",
    .hypotheses = "Responses are drawn token by token, up to a horizon of T >= 1.",
    .formula = "E_Q L >= 1",
    .proof = "The first token is drawn before a response can end.",
    .parameterRow = {{{"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return Real(Rational(1), a[0].bits()); },
    .useRow = {{{{given(Quantity::Horizon)}, Quantity::LeastLength, Quantifier::Sup}}},
};

constinit const Lemma lenTv = {
    .id = "L-LEN-TV",
    .statement = "Mean lengths of the two kernels' responses differ by at most the sum of 1 − (1 − "
                 "tau)^(t−1).",
    .hypotheses = "TV <= tau at every prefix that either kernel can reach; no response is longer "
                  "than T, and each has a token.",
    .formula = "|E_P L − E_Q L| <= Σ_{t<=T} (1 − (1 − tau)^(t−1))",
    .proof = "E L is the sum of P(L >= t), and whether L >= t is decided by the first t − 1 "
             "tokens; then L-SEQ-TV for these.",
    .parameterRow = {{{"tau", Domain::Share, "total variation of any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return discountedAnyOf(a[0], 1, a[1] - 1); },
    .useRow =
        {{{{sup(Quantity::Tv), given(Quantity::Horizon)}, Quantity::LengthDrift, Quantifier::Sup}}},
};

constinit const Lemma lenHel = {
    .id = "L-LEN-HEL",
    .statement = "Mean lengths of the two kernels' responses differ by at most the sum of "
                 "L-SEQ-HEL's bounds at t − 1.",
    .hypotheses =
        "The oscillation is at most omega at every prefix that either kernel can reach; nothing is "
        "cut away; no response is longer than T, which is at most 100 000, and each has a token.",
    .formula = "|E_P L − E_Q L| <= Σ_{t<=T} √(1 − sech(omega/4)^(2(t−1)))",
    .proof = "As L-LEN-TV, with L-SEQ-HEL for the first t − 1 tokens.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return discountedHellinger(a[0], 1, a[1] - 1); },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Horizon)},
                 Quantity::LengthDrift,
                 Quantifier::Sup}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
