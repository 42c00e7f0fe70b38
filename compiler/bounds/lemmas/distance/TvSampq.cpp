#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view tvSampqTraps =
    "A clause on sampled tokens says nothing about unsampled tokens: it gives 1 − exp(−d), not "
    "tanh(d/2), and no drift of the vocabulary.";

} // namespace

constinit const Lemma tvSampq = {
    .id = "L-TV-SAMPQ",
    .statement =
        "If the trainer's log-prob is at most d below the inference kernel's on all but alpha "
        "of the samples, mean total variation is at most (1 − alpha)(1 − exp(−d)) + alpha.",
    .hypotheses = "Contexts and tokens, or whole responses, are sampled from the inference kernel; "
                  "P(log q − log p > d) <= alpha.",
    .formula = "mean TV <= (1 − alpha)(1 − exp(−d)) + alpha",
    .proof = "TV = E (1 − w)⁺ (L-TV-EST), at most 1 − exp(−d) on the samples that hold and 1 on "
             "the others.",
    .trap = tvSampqTraps,
    .tight = "one token of vanishing probability takes all the mass that the others lose",
    .parameterRow = {{{"alpha", Domain::Share, "share of samples on which the bound fails"},
                      {"d", Domain::NonNegative, "bound on log q − log p of the others"}}},
    .evaluate = [](Arguments a) -> Result { return (1 - a[0]) * -expm1(-max(a[1], 0)) + a[0]; },
    .useRow = {{{{shareOf(Quantity::SampledGap), atShare(Quantity::SampledGap)},
                 Quantity::Tv,
                 Quantifier::Mean},
                {{shareOf(Quantity::SeqSampledGap), atShare(Quantity::SeqSampledGap)},
                 Quantity::SeqTv,
                 Quantifier::Mean}}},
};

constinit const Lemma tvSampqRatio = {
    .id = "L-TV-SAMPQ-RATIO",
    .statement = "If the ratio p/q is at least m on all but alpha of the sampled tokens, mean "
                 "total variation is at most (1 − alpha)(1 − m) + alpha.",
    .hypotheses = "Contexts and tokens are sampled from the inference kernel; P(p/q < m) <= alpha.",
    .formula = "mean TV <= (1 − alpha)(1 − min(m, 1)) + alpha",
    .proof =
        "TV = E (1 − w)⁺ (L-TV-EST), at most 1 − m on the samples that hold and 1 on the others.",
    .trap = tvSampqTraps,
    .tight = "one token of vanishing probability takes all the mass that the others lose",
    .parameterRow = {{{"alpha", Domain::Share, "share of samples on which the bound fails"},
                      {"m", Domain::NonNegative, "least ratio of the others"}}},
    .evaluate = [](Arguments a) -> Result { return (1 - a[0]) * (1 - min(a[1], 1)) + a[0]; },
};

} // namespace tikc::bounds::lemmas
