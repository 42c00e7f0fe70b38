#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view shareTrap =
    "It says nothing about the remaining share alpha: X-TV-RATIO, a token of vanishing probability "
    "can have any ratio.";

/// No ratio is below 0.
Result aboveZero(const Real& ratio) { return isLess(0, ratio) ? Result(ratio) : std::nullopt; }

} // namespace

constinit const Lemma ratioTv = {
    .id = "L-RATIO-TV",
    .statement = "All but a share alpha of the inference kernel's samples have a ratio of at most "
                 "1 + TV/alpha.",
    .hypotheses = "Mean total variation is at most tv, of tokens or of whole responses; they are "
                  "drawn by the inference kernel.",
    .formula = "P(w > 1 + tv/alpha) <= alpha",
    .proof = "E_q (w − 1)⁺ <= TV, and Markov's inequality.",
    .trap = shareTrap,
    .tight = "a share alpha with that ratio",
    .parameterRow = {{{"tv", Domain::Share, "mean total variation"},
                      {"alpha", Domain::OpenShare, "share that may be above"}}},
    .evaluate = [](Arguments a) -> Result { return 1 + a[0] / a[1]; },
    .useRow = {{{{mean(Quantity::Tv), asked()}, Quantity::Ratio, Quantifier::Quantile},
                {{mean(Quantity::SeqTv), asked()}, Quantity::SeqRatio, Quantifier::Quantile}}},
    .needsDraws = true,
};

constinit const Lemma ratioTvLo = {
    .id = "L-RATIO-TV-LO",
    .statement = "All but a share alpha of the inference kernel's samples have a ratio of at least "
                 "1 − TV/alpha.",
    .hypotheses = "Mean total variation is at most tv < alpha, of tokens or of whole responses; "
                  "they are drawn by the inference kernel.",
    .formula = "P(w < 1 − tv/alpha) <= alpha",
    .proof = "E_q (1 − w)⁺ = TV (L-TV-EST), and Markov's inequality.",
    .trap = shareTrap,
    .tight = "a share alpha with that ratio",
    .parameterRow = {{{"tv", Domain::Share, "mean total variation"},
                      {"alpha", Domain::OpenShare, "share that may be below"}}},
    .evaluate = [](Arguments a) { return aboveZero(1 - a[0] / a[1]); },
    .useRow = {{{{mean(Quantity::Tv), asked()}, Quantity::RatioFloor, Quantifier::Quantile},
                {{mean(Quantity::SeqTv), asked()}, Quantity::SeqRatioFloor, Quantifier::Quantile}}},
    .needsDraws = true,
};

constinit const Lemma ratioChi2 = {
    .id = "L-RATIO-CHI2",
    .statement = "All but a share alpha of the inference kernel's samples have a ratio of at most "
                 "1 + √(χ²·(1 − alpha)/alpha).",
    .hypotheses = "Mean χ²(p‖q), of tokens or of whole responses, is at most chi2; the inference "
                  "kernel draws them; nothing is cut away.",
    .formula = "P(w > 1 + √(chi2·(1 − alpha)/alpha)) <= alpha",
    .proof = "w has mean 1 and variance E χ²: Cantelli's inequality.",
    .trap = shareTrap,
    .tight = "two ratios, the larger one of probability alpha",
    .parameterRow = {{{"chi2", Domain::NonNegative, "mean χ²(p‖q)"},
                      {"alpha", Domain::OpenShare, "share that may be above"}}},
    .evaluate = [](Arguments a) -> Result { return 1 + sqrt(a[0] * (1 - a[1]) / a[1]); },
    .useRow = {{{{mean(Quantity::Chi2), asked()}, Quantity::Ratio, Quantifier::Quantile},
                {{mean(Quantity::SeqChi2), asked()}, Quantity::SeqRatio, Quantifier::Quantile}}},
    .needsFullSupport = true,
    .needsDraws = true,
};

constinit const Lemma ratioChi2Lo = {
    .id = "L-RATIO-CHI2-LO",
    .statement = "All but a share alpha of the inference kernel's samples have a ratio of at least "
                 "1 − √(χ²·(1 − alpha)/alpha).",
    .hypotheses = "Mean χ²(p‖q), of tokens or of whole responses, is at most chi2; the inference "
                  "kernel draws them; nothing is cut away; the bound is above 0.",
    .formula = "P(w < 1 − √(chi2·(1 − alpha)/alpha)) <= alpha",
    .proof = "w has mean 1 and variance E χ²: Cantelli's inequality.",
    .trap = shareTrap,
    .tight = "two ratios, the smaller one of probability alpha",
    .parameterRow = {{{"chi2", Domain::NonNegative, "mean χ²(p‖q)"},
                      {"alpha", Domain::OpenShare, "share that may be below"}}},
    .evaluate = [](Arguments a) { return aboveZero(1 - sqrt(a[0] * (1 - a[1]) / a[1])); },
    .useRow =
        {{{{mean(Quantity::Chi2), asked()}, Quantity::RatioFloor, Quantifier::Quantile},
          {{mean(Quantity::SeqChi2), asked()}, Quantity::SeqRatioFloor, Quantifier::Quantile}}},
    .needsFullSupport = true,
    .needsDraws = true,
};

} // namespace tikc::bounds::lemmas
