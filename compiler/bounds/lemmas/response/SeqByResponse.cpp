#include "bounds/facts/Lemma.h"

/// Figures of responses that are made of their tokens' figures.
namespace tikc::bounds::lemmas {

constinit const Lemma seqTvByResponse = {
    .id = "L-SEQ-TV-BYRESP",
    .statement = "If the mean over responses of their tokens' mean (1 − w)⁺ is at most tau, whole "
                 "responses of up to T tokens differ by at most T·tau.",
    .hypotheses = "Responses are sampled from the inference kernel; none is longer than T.",
    .formula = "TV(P, Q) <= min(1, T·tau)",
    .proof = "A response's sum of (1 − w)⁺ is at most T times its mean, and the mean of that sum "
             "is the mean of the total variations of its prefixes, added up; then as L-SEQ-TVMEAN.",
    .trap = "The mean over responses gives tokens of short responses more weight: it bounds no "
            "mean over tokens.",
    .parameterRow = {{{"tau", Domain::NonNegative, "mean over responses of their tokens' mean"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[1] * a[0]); },
    .useRow = {{{{mean(Quantity::TvByResponse), given(Quantity::Horizon)},
                 Quantity::SeqTv,
                 Quantifier::Mean}}},
    .isStrict = true,
};

constinit const Lemma seqKlByResponse = {
    .id = "L-SEQ-KL-BYRESP",
    .statement = "If the mean over responses of their tokens' mean k3 is at most k3, KL(Q‖P) of "
                 "responses of up to T tokens is at most T·k3.",
    .hypotheses = "Responses are sampled from the inference kernel, which can sample every token "
                  "that the trainer can; none is longer than T.",
    .formula = "KL(Q‖P) <= T·k3",
    .proof = "k3 >= 0, so that a response's sum is at most T times its mean; the mean of that sum "
             "is KL(Q‖P), by L-K123 at each prefix and the chain rule.",
    .trap = "With k1, which can be below 0, it does not hold.",
    .parameterRow = {{{"k3", Domain::NonNegative, "mean over responses of their tokens' mean k3"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * a[0]; },
    .useRow = {{{{mean(Quantity::K3ByResponse), given(Quantity::Horizon)},
                 Quantity::SeqKlInferTrain,
                 Quantifier::Mean}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma seqGapByResponse = {
    .id = "L-SEQ-GAP-BYRESP",
    .statement = "If the mean over responses of their tokens' mean |log p − log q| is at most d, "
                 "that of |log P − log Q| of responses of up to T tokens is at most T·d.",
    .hypotheses = "Responses are sampled from the inference kernel; none is longer than T.",
    .formula = "E_Q |log(P/Q)| <= T·d",
    .proof = "|log(P/Q)| is at most the sum over its tokens, which is at most T times their mean.",
    .tight = "responses of the full length whose gaps have one sign",
    .parameterRow = {{{"d", Domain::NonNegative, "mean over responses of their tokens' mean"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * a[0]; },
    .useRow = {{{{mean(Quantity::AbsGapByResponse), given(Quantity::Horizon)},
                 Quantity::SeqSampledAbsGap,
                 Quantifier::Mean}}},
    .isStrict = true,
};

constinit const Lemma seqVeto = {
    .id = "L-SEQ-VETO",
    .statement = "Where no token of a response has a ratio below m, the response's ratio is at "
                 "least m to the power of T.",
    .hypotheses = "p/q >= m for every token of the sampled response, of at most T tokens.",
    .formula = "P/Q >= min(m, 1)^T",
    .proof = "The response's ratio is the product of its tokens' ratios.",
    .tight = "responses of the full length",
    .parameterRow = {{{"m", Domain::NonNegative, "least ratio of the response's tokens"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return pow(min(1, a[0]), a[1]); },
    .useRow = {{{{each(Quantity::SeqLeastRatio), given(Quantity::Horizon)},
                 Quantity::SeqSampledRatio}}},
};

} // namespace tikc::bounds::lemmas
