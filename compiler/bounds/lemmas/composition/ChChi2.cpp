#include "bounds/facts/Lemma.h"

namespace tikc::bounds::lemmas {

namespace {
constexpr std::string_view carriedHypotheses = "the log-ratios are over the whole vocabulary, in "
                                               "every context; nothing is cut away; quantiles "
                                               "keep their share";
} // namespace

constinit const Lemma chChi2 = {
    .id = "L-CH-CHI2",
    .statement = "χ² of one link of a chain leads to that of its ends, if the ratios of the other "
                 "links are bounded.",
    .hypotheses = carriedHypotheses,
    .formula = "1 + χ²(K₀‖Kₙ) <= (1 + χ²)·exp(2·before + after), with the sums of the largest log "
               "ratios of the links before and after",
    .proof = "Of two links, Σ p²/q = Σ (p²/m)(m/q) <= max(m/q)·Σ p²/m, and Σ p²/q = Σ (p/m)²(m²/q) "
             "<= max(p/m)²·Σ m²/q.",
    .trap = "X-CH-KL: without bounds on ratios, χ² of two links gives nothing for both together.",
    .tight = "after: the ratios take their largest values where p is, and the rest of the mass is "
             "elsewhere; before: in the limit of a large χ²",
    .parameterRow =
        {{{"chi2", Domain::NonNegative, "χ² of one link"},
          {"before", Domain::NonNegative, "sum of the largest log-ratios of the links before it"},
          {"after", Domain::NonNegative, "sum of the largest log-ratios of the links after it"}}},
    .evaluate = [](Arguments a) -> Result { return (1 + a[0]) * exp(2 * a[1] + a[2]) - 1; },
};

constinit const Lemma chChi2Sum = {
    .id = "L-CH-CHI2-SUM",
    .statement = "Along a chain of kernels the square roots of χ² add, each times the square root "
                 "of the largest ratios of the links after it.",
    .hypotheses = "each link's bound has the same quantifier and, for means, the same law of "
                  "contexts; the log-ratios are over the whole vocabulary, in every context; "
                  "nothing is cut away; quantiles add the shares on which they fail",
    .formula = "√χ²(K₀‖Kₙ) <= Σ √χ²(Kᵢ₋₁‖Kᵢ)·exp(after/2), with the sum of the largest log-ratios "
               "of the links after link i",
    .proof = "p/q − 1 = (p/m − 1)·m/q + (m/q − 1). Under q, the first term has the second moment "
             "Σ m·(p/m − 1)²·m/q <= max(m/q)·χ²(p‖m), and the second χ²(m‖q). Norms add; for "
             "means, Minkowski's inequality.",
    .trap = "X-CH-KL: √χ² is not a metric. Without a bound on the ratios of the later links, χ² of "
            "two links gives nothing for both together.",
    .tight = "in the limit of small steps along a line of ratios",
};

constinit const Lemma chKl = {
    .id = "L-CH-KL",
    .statement = "KL(p‖q) of the first link of a chain leads to that of its ends, if the ratios of "
                 "the links after it are bounded.",
    .hypotheses = carriedHypotheses,
    .formula = "KL(K₀‖Kₙ) <= KL(K₀‖K₁) + after, with the sum of the largest log p − log q after it",
    .proof = "KL(p‖q) = KL(p‖m) + Σ p·log(m/q), and no log(m/q) is above its maximum.",
    .trap = "X-CH-KL: KL obeys no triangle inequality; the other link needs a bound on its ratios.",
    .tight = "log(m/q) is the same wherever p is",
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q) of the first link"},
                      {"after", Domain::NonNegative,
                       "sum of the largest log p − log q of the links after it"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1]; },
};

constinit const Lemma chKlr = {
    .id = "L-CH-KLR",
    .statement = "KL(q‖p) of the last link of a chain leads to that of its ends, if the ratios of "
                 "the links before it are bounded.",
    .hypotheses = carriedHypotheses,
    .formula =
        "KL(Kₙ‖K₀) <= before + KL(Kₙ‖Kₙ₋₁), with the sum of the largest log q − log p before it",
    .proof = "KL(q‖p) = KL(q‖m) + Σ q·log(m/p), and no log(m/p) is above its maximum.",
    .trap = "X-CH-KL: KL obeys no triangle inequality; the other link needs a bound on its ratios.",
    .tight = "log(m/p) is the same wherever q is",
    .parameterRow = {{{"klr", Domain::NonNegative, "KL(q‖p) of the last link"},
                      {"before", Domain::NonNegative,
                       "sum of the largest log q − log p of the links before it"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] + a[1]; },
};

} // namespace tikc::bounds::lemmas
