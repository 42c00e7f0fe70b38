#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

// One divergence from another under a bounded ratio. Both are means of convex functions f(w) and
// g(w) of the ratio under q, and f <= κ·g token by token, so that the bound holds for every
// context, every mean and every slice. f/g is monotone, so κ is its value at one end.
namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view fdivProof =
    "Both are E_q of a function of w, f and g, with f(1) = g(1) = f′(1) = g′(1) = 0. f″/g″ is "
    "monotone, so f/g is as well (l'Hôpital's rule for monotone quotients), and κ = f/g at the end "
    "of the ratios bounds it. Then f(w) <= κ·g(w) for every token.";
constexpr std::string_view fdivTight =
    "as the ratios come close to 1, or nearly all of the divergence comes from one ratio";

/// The functions of a log-ratio x whose means under q are the divergences, with more bits: each
/// vanishes at 0 to second order.
struct Divergence {
  explicit Divergence(const Real& ratio) : x(guarded(ratio, 2)) {}

  Real chi2() const { return square(expm1(x)); }              // χ²(p‖q)
  Real kl() const { return x * exp(x) - expm1(x); }           // KL(p‖q)
  Real klr() const { return expm1(x) - x; }                   // KL(q‖p), the mean of k3
  Real hellinger() const { return square(expm1(x / 2)) / 2; } // H²

  Real x;
};

using Of = Real (Divergence::*)() const;

/// f/g at a log-ratio; at 0, its limit.
Real quotient(Of f, Of g, const Real& ratio, const Rational& atZero) {
  if (ratio.isExact() && ratio.lower() == 0)
    return {atZero, ratio.bits()};
  const Divergence at(ratio);
  return ((at.*f)() / (at.*g)()).withBits(ratio.bits());
}

} // namespace

constinit const Lemma fdivChi2Klr = {
    .id = "L-FDIV-CHI2-KLR",
    .statement = "If no log-ratio is above b, χ²(p‖q) is at most κ times KL(q‖p).",
    .hypotheses = "KL(q‖p) <= klr; log p − log q <= b for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "χ²(p‖q) <= κ·klr, κ = (t − 1)²/(t − 1 − log t) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"klr", Domain::NonNegative, "KL(q‖p)"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::chi2, &Divergence::klr, a[1], Rational(2));
    },
    .useRow = {{{{each(Quantity::KlInferTrain), each(Quantity::LogRatioUp)}, Quantity::Chi2},
                {{mean(Quantity::KlInferTrain), sup(Quantity::LogRatioUp)},
                 Quantity::Chi2,
                 Quantifier::Mean},
                {{mean(Quantity::SeqKlInferTrain), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqChi2,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlKlr = {
    .id = "L-FDIV-KL-KLR",
    .statement = "If no log-ratio is above b, KL(p‖q) is at most κ times KL(q‖p).",
    .hypotheses = "KL(q‖p) <= klr; log p − log q <= b for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "KL(p‖q) <= κ·klr, κ = (t·log t − t + 1)/(t − 1 − log t) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"klr", Domain::NonNegative, "KL(q‖p)"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::kl, &Divergence::klr, a[1], Rational(1));
    },
    .useRow = {{{{each(Quantity::KlInferTrain), each(Quantity::LogRatioUp)},
                 Quantity::KlTrainInfer},
                {{mean(Quantity::KlInferTrain), sup(Quantity::LogRatioUp)},
                 Quantity::KlTrainInfer,
                 Quantifier::Mean},
                {{mean(Quantity::SeqKlInferTrain), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqKlTrainInfer,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivHelKlr = {
    .id = "L-FDIV-HEL-KLR",
    .statement = "If no log-ratio is above b, H² is at most κ times KL(q‖p).",
    .hypotheses = "KL(q‖p) <= klr; log p − log q <= b for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "H² <= κ·klr, κ = ½(√t − 1)²/(t − 1 − log t) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"klr", Domain::NonNegative, "KL(q‖p)"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::hellinger, &Divergence::klr, a[1], Rational(1, 4));
    },
    .useRow = {{{{each(Quantity::KlInferTrain), each(Quantity::LogRatioUp)}, Quantity::Hellinger},
                {{mean(Quantity::KlInferTrain), sup(Quantity::LogRatioUp)},
                 Quantity::Hellinger,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivChi2Kl = {
    .id = "L-FDIV-CHI2-KL",
    .statement = "If no log-ratio is above b, χ²(p‖q) is at most κ times KL(p‖q).",
    .hypotheses =
        "KL(p‖q) <= kl; log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q) <= κ·kl, κ = (t − 1)²/(t·log t − t + 1) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q)"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::chi2, &Divergence::kl, a[1], Rational(2));
    },
    .useRow = {{{{each(Quantity::KlTrainInfer), each(Quantity::LogRatioUp)}, Quantity::Chi2},
                {{mean(Quantity::KlTrainInfer), sup(Quantity::LogRatioUp)},
                 Quantity::Chi2,
                 Quantifier::Mean},
                {{mean(Quantity::SeqKlTrainInfer), sup(Quantity::SeqLogRatioUp)},
                 Quantity::SeqChi2,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivHelKl = {
    .id = "L-FDIV-HEL-KL",
    .statement = "If no log-ratio is below −a, H² is at most κ times KL(p‖q).",
    .hypotheses = "KL(p‖q) <= kl; log p − log q >= −a for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "H² <= κ·kl, κ = ½(√t − 1)²/(t·log t − t + 1) at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::hellinger, &Divergence::kl, -a[1], Rational(1, 4));
    },
    .useRow = {{{{each(Quantity::KlTrainInfer), each(Quantity::LogRatioDown)}, Quantity::Hellinger},
                {{mean(Quantity::KlTrainInfer), sup(Quantity::LogRatioDown)},
                 Quantity::Hellinger,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivChi2Hel = {
    .id = "L-FDIV-CHI2-HEL",
    .statement = "If no log-ratio is above b, χ²(p‖q) is at most κ times H².",
    .hypotheses =
        "H² <= h2; log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "χ²(p‖q) <= κ·h2, κ = (t − 1)²/(½(√t − 1)²) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"h2", Domain::NonNegative, "H²"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::chi2, &Divergence::hellinger, a[1], Rational(8));
    },
    .useRow = {{{{each(Quantity::Hellinger), each(Quantity::LogRatioUp)}, Quantity::Chi2},
                {{mean(Quantity::Hellinger), sup(Quantity::LogRatioUp)},
                 Quantity::Chi2,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlHel = {
    .id = "L-FDIV-KL-HEL",
    .statement = "If no log-ratio is above b, KL(p‖q) is at most κ times H².",
    .hypotheses =
        "H² <= h2; log p − log q <= b for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(p‖q) <= κ·h2, κ = (t·log t − t + 1)/(½(√t − 1)²) at t = exp(b)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"h2", Domain::NonNegative, "H²"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::kl, &Divergence::hellinger, a[1], Rational(4));
    },
    .useRow = {{{{each(Quantity::Hellinger), each(Quantity::LogRatioUp)}, Quantity::KlTrainInfer},
                {{mean(Quantity::Hellinger), sup(Quantity::LogRatioUp)},
                 Quantity::KlTrainInfer,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlrKl = {
    .id = "L-FDIV-KLR-KL",
    .statement = "If no log-ratio is below −a, KL(q‖p) is at most κ times KL(p‖q).",
    .hypotheses = "KL(p‖q) <= kl; log p − log q >= −a for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "KL(q‖p) <= κ·kl, κ = (t − 1 − log t)/(t·log t − t + 1) at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"kl", Domain::NonNegative, "KL(p‖q)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::klr, &Divergence::kl, -a[1], Rational(1));
    },
    .useRow = {{{{each(Quantity::KlTrainInfer), each(Quantity::LogRatioDown)},
                 Quantity::KlInferTrain},
                {{mean(Quantity::KlTrainInfer), sup(Quantity::LogRatioDown)},
                 Quantity::KlInferTrain,
                 Quantifier::Mean},
                {{mean(Quantity::SeqKlTrainInfer), sup(Quantity::SeqLogRatioDown)},
                 Quantity::SeqKlInferTrain,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlrHel = {
    .id = "L-FDIV-KLR-HEL",
    .statement = "If no log-ratio is below −a, KL(q‖p) is at most κ times H².",
    .hypotheses =
        "H² <= h2; log p − log q >= −a for every token of the vocabulary; nothing is cut away.",
    .formula = "KL(q‖p) <= κ·h2, κ = (t − 1 − log t)/(½(√t − 1)²) at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"h2", Domain::NonNegative, "H²"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::klr, &Divergence::hellinger, -a[1], Rational(4));
    },
    .useRow = {{{{each(Quantity::Hellinger), each(Quantity::LogRatioDown)}, Quantity::KlInferTrain},
                {{mean(Quantity::Hellinger), sup(Quantity::LogRatioDown)},
                 Quantity::KlInferTrain,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlrChi2 = {
    .id = "L-FDIV-KLR-CHI2",
    .statement = "If no log-ratio is below −a, KL(q‖p) is at most κ times χ²(p‖q).",
    .hypotheses = "χ²(p‖q) <= chi2; log p − log q >= −a for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "KL(q‖p) <= κ·chi2, κ = (t − 1 − log t)/(t − 1)² at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::klr, &Divergence::chi2, -a[1], Rational(1, 2));
    },
    .useRow = {{{{each(Quantity::Chi2), each(Quantity::LogRatioDown)}, Quantity::KlInferTrain},
                {{mean(Quantity::Chi2), sup(Quantity::LogRatioDown)},
                 Quantity::KlInferTrain,
                 Quantifier::Mean},
                {{mean(Quantity::SeqChi2), sup(Quantity::SeqLogRatioDown)},
                 Quantity::SeqKlInferTrain,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivKlChi2 = {
    .id = "L-FDIV-KL-CHI2",
    .statement = "If no log-ratio is below −a, KL(p‖q) is at most κ times χ²(p‖q).",
    .hypotheses = "χ²(p‖q) <= chi2; log p − log q >= −a for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "KL(p‖q) <= κ·chi2, κ = (t·log t − t + 1)/(t − 1)² at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::kl, &Divergence::chi2, -a[1], Rational(1, 2));
    },
    .useRow = {{{{each(Quantity::Chi2), each(Quantity::LogRatioDown)}, Quantity::KlTrainInfer},
                {{mean(Quantity::Chi2), sup(Quantity::LogRatioDown)},
                 Quantity::KlTrainInfer,
                 Quantifier::Mean},
                {{mean(Quantity::SeqChi2), sup(Quantity::SeqLogRatioDown)},
                 Quantity::SeqKlTrainInfer,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

constinit const Lemma fdivHelChi2 = {
    .id = "L-FDIV-HEL-CHI2",
    .statement = "If no log-ratio is below −a, H² is at most κ times χ²(p‖q).",
    .hypotheses = "χ²(p‖q) <= chi2; log p − log q >= −a for every token of the vocabulary; nothing "
                  "is cut away.",
    .formula = "H² <= κ·chi2, κ = ½(√t − 1)²/(t − 1)² at t = exp(−a)",
    .proof = fdivProof,
    .tight = fdivTight,
    .parameterRow = {{{"chi2", Domain::NonNegative, "χ²(p‖q)"},
                      {"a", Domain::NonNegative, "largest log q − log p"}}},
    .evaluate = [](Arguments a) -> Result {
      return a[0] * quotient(&Divergence::hellinger, &Divergence::chi2, -a[1], Rational(1, 8));
    },
    .useRow = {{{{each(Quantity::Chi2), each(Quantity::LogRatioDown)}, Quantity::Hellinger},
                {{mean(Quantity::Chi2), sup(Quantity::LogRatioDown)},
                 Quantity::Hellinger,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
