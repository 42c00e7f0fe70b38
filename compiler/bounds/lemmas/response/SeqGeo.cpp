#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

constinit const Lemma seqGeo = {
    .id = "L-SEQ-GEO",
    .statement = "If the geometric mean of a response's ratios is at least g, its ratio is at "
                 "least g to the power of its length.",
    .hypotheses = "The geometric mean of p/q over the sampled response's tokens is at least g > 0; "
                  "no response is longer than T.",
    .formula = "log(Q/P) <= T·max(0, −log g)",
    .proof = "log(P/Q) is the length times the logarithm of the geometric mean.",
    .trap = "A geometric mean near 1 says little about a long response: 0.99 over 500 tokens is a "
            "ratio of 0.0066.",
    .tight = "responses of the full length",
    .parameterRow = {{{"g", Domain::Positive, "least geometric mean"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(0, a[0]) ? Result(a[1] * max(0, -log(a[0]))) : std::nullopt;
    },
    .useRow = {{{{each(Quantity::SeqGeoRatio), given(Quantity::Horizon)},
                 Quantity::SeqSampledGap}}},
    .isStrict = true,
};

constinit const Lemma seqGeoUp = {
    .id = "L-SEQ-GEO-UP",
    .statement = "If the geometric mean of a response's ratios is at most g, its ratio is at "
                 "most g to the power of its length.",
    .hypotheses = "The geometric mean of p/q over the sampled response's tokens is at most g; no "
                  "response is longer than T.",
    .formula = "log(P/Q) <= T·log max(g, 1)",
    .proof = "log(P/Q) is the length times the logarithm of the geometric mean.",
    .tight = "responses of the full length",
    .parameterRow = {{{"g", Domain::NonNegative, "largest geometric mean"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result { return a[1] * log(max(a[0], 1)); },
    .useRow = {{{{each(Quantity::SeqGeoRatioUp), given(Quantity::Horizon)},
                 Quantity::SeqSampledRise}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
