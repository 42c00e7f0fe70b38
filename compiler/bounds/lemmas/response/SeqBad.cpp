#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqBad = {
    .id = "L-SEQ-BAD",
    .statement = "If the oscillation is at most omega except on responses of probability beta, "
                 "whole responses differ by at most L-SEQ-HEL's bound plus beta.",
    .hypotheses = "Under the inference kernel a response meets a prefix with a larger oscillation "
                  "with probability at most beta; nothing is cut away.",
    .formula = "TV(P, Q) <= min(1, beta + √(1 − sech(omega/4)^(2T)))",
    .proof = "Let P′ use p on good prefixes and q on bad ones. TV = E_Q (1 − W)⁺, and W is that of "
             "P′ on all responses but a share beta.",
    .trap = "beta counts responses, not tokens: a share of bad tokens is a share of up to T times "
            "as many responses.",
    .tight = "up to a factor of 0.998",
    .parameterRow = {{{"beta", Domain::Share, "share of the responses that meet a bad prefix"},
                      {"omega", Domain::NonNegative,
                       "oscillation of the drift at any other prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return min(1, a[0] + seqHellinger(a[1], a[2])); },
    .needsFullSupport = true,
};

constinit const Lemma seqBadUnion = {
    .id = "L-SEQ-BAD-UNION",
    .statement =
        "If the oscillation is at most omega except at a share abar of the sampled prefixes, "
        "whole responses differ on average by at most L-SEQ-HEL's bound plus T·abar.",
    .hypotheses =
        "Of the prefixes that the inference kernel samples, each token counted once, at most a "
        "share abar has a larger oscillation; nothing is cut away; no response is longer than T.",
    .formula = "TV(P, Q) <= min(1, T·abar + √(1 − sech(omega/4)^(2T)))",
    .proof = "A response meets abar times the mean length of bad prefixes on average, so it meets "
             "one with probability at most T·abar; then L-SEQ-BAD.",
    .trap = "A p99 clause leaves abar = 1 %: it says nothing from T = 100 on.",
    .parameterRow = {{{"abar", Domain::Share, "share of the sampled prefixes that are bad"},
                      {"omega", Domain::NonNegative,
                       "oscillation of the drift at any other prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return min(1, a[2] * a[0] + seqHellinger(a[1], a[2]));
    },
    .useRow = {{{{shareOf(Quantity::Omega), atShare(Quantity::Omega), given(Quantity::Horizon)},
                 Quantity::SeqTv,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
