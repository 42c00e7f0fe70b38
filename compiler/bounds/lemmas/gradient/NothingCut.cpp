#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view ofTheseWeights =
    "The ratio in the weight counts: of tokens for token weights, of whole responses for "
    "whole-response weights.";

Result nothingIf(bool isKept, const Real& like) {
  return isKept ? Result(Real(Rational(0), like.bits())) : std::nullopt;
}

} // namespace

constinit const Lemma nothingCut = {
    .id = "L-CUT-NONE",
    .statement = "If no ratio is above the cap, truncation removes nothing.",
    .hypotheses = "p/q <= M for every token or response that can be sampled; M <= C.",
    .formula = "E_q (w − C)⁺ = 0 where M <= C",
    .proof = "Every term is 0.",
    .trap = ofTheseWeights,
    .tight = "always",
    .parameterRow = {{{"M", Domain::NonNegative, "largest ratio"},
                      {"C", Domain::Positive, "cap of the ratios"}}},
    .evaluate = [](Arguments a) { return nothingIf(isAtMost(a[0], a[1]), a[0]); },
    .useRow = {{{{each(Quantity::LargestRatio), given(Quantity::Cap)}, Quantity::Excess},
                {{sup(Quantity::SeqRatio), given(Quantity::Cap)}, Quantity::SeqExcess}}},
};

constinit const Lemma nothingMasked = {
    .id = "L-MASK-NONE",
    .statement = "If the mask keeps every ratio, it drops nothing.",
    .hypotheses = "m <= p/q <= M for every token or response that can be sampled; a <= m, M <= b.",
    .formula = "p(w < a or w > b) = 0 where a <= m and M <= b",
    .proof = "No ratio is outside.",
    .trap = ofTheseWeights,
    .tight = "always",
    .parameterRow = {{{"m", Domain::NonNegative, "least ratio"},
                      {"M", Domain::NonNegative, "largest ratio"},
                      {"a", Domain::NonNegative, "least ratio that is kept"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"}}},
    .evaluate =
        [](Arguments a) { return nothingIf(isAtMost(a[2], a[0]) && isAtMost(a[1], a[3]), a[0]); },
    .useRow = {{{{each(Quantity::LeastRatio), each(Quantity::LargestRatio),
                  given(Quantity::MaskLow), given(Quantity::MaskHigh)},
                 Quantity::Masked},
                {{sup(Quantity::SeqRatioFloor), sup(Quantity::SeqRatio), given(Quantity::MaskLow),
                  given(Quantity::MaskHigh)},
                 Quantity::SeqMasked}}},
};

constinit const Lemma nothingClipped = {
    .id = "L-CLIP-NONE",
    .statement = "If no ratio is further than c from 1, clipping removes nothing.",
    .hypotheses =
        "m <= p/q <= M for every token or response that can be sampled; 1 − c <= m, M <= 1 + c.",
    .formula = "E_q |w − clip(w, 1 − c, 1 + c)| = 0 where 1 − c <= m and M <= 1 + c",
    .proof = "Every term is 0.",
    .trap = ofTheseWeights,
    .tight = "always",
    .parameterRow = {{{"m", Domain::NonNegative, "least ratio"},
                      {"M", Domain::NonNegative, "largest ratio"},
                      {"c", Domain::NonNegative, "half-width of clipping"}}},
    .evaluate =
        [](Arguments a) {
          return nothingIf(isAtMost(1 - a[2], a[0]) && isAtMost(a[1], 1 + a[2]), a[0]);
        },
    .useRow =
        {{{{each(Quantity::LeastRatio), each(Quantity::LargestRatio), given(Quantity::ClipWidth)},
           Quantity::ClipLoss},
          {{sup(Quantity::SeqRatioFloor), sup(Quantity::SeqRatio), given(Quantity::ClipWidth)},
           Quantity::SeqClipLoss}}},
};

} // namespace tikc::bounds::lemmas
