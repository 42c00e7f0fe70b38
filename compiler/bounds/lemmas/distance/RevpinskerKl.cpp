#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

enum class Ends { Proper, Equal, Wrong };

/// A ratio that is always at most 1, or always at least 1, is 1 everywhere.
Ends endsOf(const Real& low, const Real& high) {
  if (!isAtMost(0, low) || !isAtMost(low, 1) || !isAtMost(1, high))
    return Ends::Wrong;
  return isLess(low, 1) && isLess(1, high) ? Ends::Proper : Ends::Equal;
}

/// The slopes of the two chords are near ±1 and cancel as the ratios near 1.
Real widened(const Real& ratio, const Real& low, const Real& high) {
  long lost = std::clamp(-(high - low).magnitude(), 0L, 4096L);
  return ratio.withBits(ratio.bits() + 32 + 2 * static_cast<unsigned>(lost));
}

constexpr std::array<Parameter, maxParameters> row = {
    {{"tv", Domain::Share, "total variation"},
     {"m", Domain::Share, "least ratio of a token"},
     {"M", Domain::AtLeastOne, "largest ratio of a token"}}};

constexpr std::string_view revpinskerKlTraps =
    "X-TV-RATIO: without the range of ratios, total variation does not bound it. One token of mass "
    "10^−30 that the trainer lifts to t has total variation t and a log-ratio of 69 + log t.";

constexpr std::array<Use, maxUses> usesFor(Quantity concludes) {
  return {
      {{{each(Quantity::Tv), each(Quantity::LeastRatio), each(Quantity::LargestRatio)}, concludes},
       {{mean(Quantity::Tv), sup(Quantity::LeastRatio), sup(Quantity::LargestRatio)},
        concludes,
        Quantifier::Mean}}};
}

} // namespace

constinit const Lemma revpinskerKl = {
    .id = "L-REVPINSKER-KL",
    .statement = "If ratios lie in [m, M], KL(p‖q) is at most a multiple of total variation, so "
                 "a mean of one bounds a mean of the other.",
    .hypotheses =
        "TV <= tv and m <= p/q <= M for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(p‖q) <= tv·(M·log(M)/(M − 1) + m·log(m)/(1 − m))",
    .proof = "w·log w lies below its chords from (1, 0) to either end, and E_q (w − 1)⁺ = E_q (1 − "
             "w)⁺ = TV.",
    .trap = revpinskerKlTraps,
    .tight = "three tokens, ratios m, 1 and M",
    .parameterRow = row,
    .evaluate = [](Arguments a) -> Result {
      Ends ends = endsOf(a[1], a[2]);
      if (ends != Ends::Proper)
        return ends == Ends::Equal ? Result(Real(Rational(0), a[0].bits())) : std::nullopt;
      Real low = widened(a[1], a[1], a[2]), high = widened(a[2], a[1], a[2]);
      Real slopes = xLogX(high) / (high - 1) + xLogX(low) / (1 - low);
      return a[0] * slopes.withBits(a[0].bits());
    },
    .useRow = usesFor(Quantity::KlTrainInfer),
    .needsFullSupport = true,
};

constinit const Lemma revpinskerKlr = {
    .id = "L-REVPINSKER-KLR",
    .statement = "If ratios lie in [m, M], KL(q‖p) is at most a multiple of total variation, so "
                 "a mean of one bounds a mean of the other.",
    .hypotheses =
        "TV <= tv and m <= p/q <= M for every token of the vocabulary; m > 0; nothing is cut away.",
    .formula = "KL(q‖p) <= tv·(−log(M)/(M − 1) − log(m)/(1 − m))",
    .proof = "As L-REVPINSKER-KL, with −log w.",
    .trap = revpinskerKlTraps,
    .tight = "three tokens, ratios m, 1 and M",
    .parameterRow = row,
    .evaluate = [](Arguments a) -> Result {
      Ends ends = endsOf(a[1], a[2]);
      if (ends == Ends::Wrong || !isLess(0, a[1]))
        return std::nullopt;
      if (ends == Ends::Equal)
        return Real(Rational(0), a[0].bits());
      Real low = widened(a[1], a[1], a[2]), high = widened(a[2], a[1], a[2]);
      Real slopes = -log(low) / (1 - low) - log(high) / (high - 1);
      return a[0] * slopes.withBits(a[0].bits());
    },
    .useRow = usesFor(Quantity::KlInferTrain),
    .needsFullSupport = true,
};

constinit const Lemma revpinskerChi2 = {
    .id = "L-REVPINSKER-CHI2",
    .statement = "If ratios lie in [m, M], χ²(p‖q) is at most M − m times total variation.",
    .hypotheses =
        "TV <= tv and m <= p/q <= M for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q) <= tv·(M − m)",
    .proof = "As L-REVPINSKER-KL, with (w − 1)².",
    .trap = revpinskerKlTraps,
    .tight = "three tokens, ratios m, 1 and M",
    .parameterRow = row,
    .evaluate = [](Arguments a) -> Result {
      Ends ends = endsOf(a[1], a[2]);
      if (ends == Ends::Wrong)
        return std::nullopt;
      return ends == Ends::Equal ? Real(Rational(0), a[0].bits()) : a[0] * (a[2] - a[1]);
    },
    .useRow = usesFor(Quantity::Chi2),
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
