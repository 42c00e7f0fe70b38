#include "bounds/facts/Lemma.h"

#include <algorithm>
#include <cmath>

namespace tikc::bounds::lemmas {
namespace {

constexpr std::string_view tokensTrap =
    "A quantile over tokens is not a quantile over contexts: a context can hide a rare token. Only "
    "a bound on every token that can be drawn holds for the vocabulary.";

/// exp(x) − 1 − x, without the difference of what is nearly equal.
Real k3Of(const Real& x) {
  Real more = x.withBits(x.bits() + 64);
  return (expm1(more) - more).withBits(x.bits());
}

double k3Near(double x) { return std::abs(x) < 1e-4 ? x * x / 2 * (1 + x / 3) : std::expm1(x) - x; }

/// The size of x, of this sign, at which k3 reaches a value; a little more, to be safe.
std::optional<Rational> sizeAt(double k3, double sign) {
  double low = 0, high = 1;
  while (high < 512 && k3Near(sign * high) < k3)
    high *= 2;
  if (!(k3Near(sign * high) >= k3))
    return std::nullopt;
  for (int i = 0; i < 1100 && high - low > 1e-15 * high; ++i) {
    double middle = (low + high) / 2;
    (k3Near(sign * middle) < k3 ? low : high) = middle;
  }
  return k3 > 0 ? Rational(high * (1 + 1e-10)) : Rational(0);
}

} // namespace

constinit const Lemma sampLog = {
    .id = "L-SAMP-LOG",
    .statement = "The log-ratio of a sample is the logarithm of its ratio, from below.",
    .hypotheses = "p/q >= m of the sampled token, or P/Q >= m of the sampled response; m > 0.",
    .formula = "log q − log p <= −log m",
    .proof = "The logarithm increases.",
    .tight = "always",
    .parameterRow = {{{"m", Domain::Positive, "least ratio of a sample"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(0, a[0]) ? Result(-log(a[0])) : std::nullopt;
    },
    .useRow = {{{{each(Quantity::SampledRatio)}, Quantity::SampledGap},
                {{each(Quantity::SeqSampledRatio)}, Quantity::SeqSampledGap}}},
    .isStrict = true,
};

constinit const Lemma sampLogUp = {
    .id = "L-SAMP-LOG-UP",
    .statement = "The log-ratio of a sample is the logarithm of its ratio, from above.",
    .hypotheses = "p/q <= M of the sampled token, or P/Q <= M of the sampled response.",
    .formula = "log p − log q <= log max(M, 1)",
    .proof = "The logarithm increases.",
    .tight = "where M >= 1, which is the least where no mass is missing",
    .parameterRow = {{{"M", Domain::NonNegative, "largest ratio of a sample"}}},
    .evaluate = [](Arguments a) -> Result { return log(max(a[0], 1)); },
    .useRow = {{{{each(Quantity::SampledRatioUp)}, Quantity::SampledRise},
                {{each(Quantity::SeqSampledRatioUp)}, Quantity::SeqSampledRise}}},
    .isStrict = true,
};

constinit const Lemma sampTv = {
    .id = "L-SAMP-TV",
    .statement = "If (1 − w)⁺ of a sample is at most s, its log-ratio is at least log(1 − s).",
    .hypotheses = "(1 − w)⁺ <= s of the sampled token, or of the sampled response; s < 1.",
    .formula = "log q − log p <= −log(1 − s)",
    .proof = "w >= 1 − s.",
    .trap = tokensTrap,
    .tight = "always",
    .parameterRow = {{{"s", Domain::Share, "(1 − w)⁺ of a sample"}}},
    .evaluate = [](Arguments a) -> Result {
      return isLess(a[0], 1) ? Result(-log(1 - a[0])) : std::nullopt;
    },
    .useRow = {{{{each(Quantity::SampledTv)}, Quantity::SampledGap},
                {{each(Quantity::SeqSampledTv)}, Quantity::SeqSampledGap}}},
    .isStrict = true,
};

constinit const Lemma sampAbs = {
    .id = "L-SAMP-ABS",
    .statement = "A bound on the size of a log-ratio bounds it on both sides.",
    .hypotheses = "|log p − log q| <= d of the sampled token, or of the sampled response.",
    .formula = "−d <= log w <= d",
    .proof = "The definition of the absolute value.",
    .trap = tokensTrap,
    .tight = "always",
    .parameterRow = {{{"d", Domain::NonNegative, "|log p − log q| of a sample"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::SampledAbsGap)}, Quantity::SampledGap},
                {{each(Quantity::SampledAbsGap)}, Quantity::SampledRise},
                {{each(Quantity::SeqSampledAbsGap)}, Quantity::SeqSampledGap},
                {{each(Quantity::SeqSampledAbsGap)}, Quantity::SeqSampledRise}}},
    .isStrict = true,
};

constinit const Lemma sampK3 = {
    .id = "L-SAMP-K3",
    .statement = "If k3 = w − 1 − log w of a sample is at most that of w = exp(−a), its ratio "
                 "is at least exp(−a).",
    .hypotheses = "k3 <= kappa of the sampled token; exp(−a) − 1 + a >= kappa.",
    .formula = "log q − log p <= a",
    .proof = "k3 falls with w up to w = 1.",
    .trap = tokensTrap,
    .tight = "where a is the root",
    .parameterRow = {{{"kappa", Domain::NonNegative, "k3 of a sampled token"},
                      {"a", Domain::NonNegative, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(0, a[1]) || !isAtMost(a[0], k3Of(-a[1])))
        return std::nullopt;
      return a[1];
    },
    .useRow = {{{{each(Quantity::SampledK3), chosen()}, Quantity::SampledGap}}},
    .choose = [](Arguments a) { return sizeAt(a[0].approximate(), -1); },
};

constinit const Lemma sampK3Up = {
    .id = "L-SAMP-K3-UP",
    .statement = "If k3 = w − 1 − log w of a sample is at most that of w = exp(b), its ratio is "
                 "at most exp(b).",
    .hypotheses = "k3 <= kappa of the sampled token; exp(b) − 1 − b >= kappa.",
    .formula = "log p − log q <= b",
    .proof = "k3 grows with w from w = 1 on.",
    .trap = tokensTrap,
    .tight = "where b is the root",
    .parameterRow = {{{"kappa", Domain::NonNegative, "k3 of a sampled token"},
                      {"b", Domain::NonNegative, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isAtMost(0, a[1]) || !isAtMost(a[0], k3Of(a[1])))
        return std::nullopt;
      return a[1];
    },
    .useRow = {{{{each(Quantity::SampledK3), chosen()}, Quantity::SampledRise}}},
    .choose = [](Arguments a) { return sizeAt(a[0].approximate(), 1); },
};

constinit const Lemma sampAll = {
    .id = "L-SAMP-ALL",
    .statement =
        "A bound on log q − log p at every token that can be sampled holds at every token.",
    .hypotheses = "log q − log p <= a of every token that the inference kernel can sample.",
    .formula = "max over tokens of log q − log p <= max(a, 0)",
    .proof = "At tokens that the inference kernel cannot sample log q is −∞.",
    .trap = tokensTrap,
    .tight = "always",
    .parameterRow = {{{"a", Domain::Any, "log q − log p of any token that can be sampled"}}},
    .evaluate = [](Arguments a) -> Result { return max(a[0], 0); },
    .useRow = {{{{sup(Quantity::SampledGap)}, Quantity::LogRatioDown}}},
    .isStrict = true,
};

constinit const Lemma sampAllUp = {
    .id = "L-SAMP-ALL-UP",
    .statement = "If the inference kernel can sample every token that the trainer can, a bound "
                 "on every token that can be sampled holds for the vocabulary.",
    .hypotheses = "log p − log q <= b of every token that the inference kernel can sample; nothing "
                  "is cut away.",
    .formula = "max over tokens of log p − log q <= max(b, 0)",
    .proof = "All other tokens have no mass in either.",
    .trap = "At a token that is never sampled the ratio is infinite, and no sample shows it.",
    .tight = "always",
    .parameterRow = {{{"b", Domain::Any, "log p − log q of any token that can be sampled"}}},
    .evaluate = [](Arguments a) -> Result { return max(a[0], 0); },
    .useRow = {{{{sup(Quantity::SampledRise)}, Quantity::LogRatioUp}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma sampSeq = {
    .id = "L-SAMP-SEQ",
    .statement = "A bound on log Q − log P at the sampled responses holds at every response.",
    .hypotheses = "log(Q/P) <= a of the sampled response.",
    .formula = "log(Q/P) <= a",
    .proof = "At responses that the inference kernel cannot sample log Q is −∞.",
    .tight = "always",
    .parameterRow = {{{"a", Domain::Any, "log(Q/P) of a sampled response"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::SeqSampledGap)}, Quantity::SeqLogRatioDown}}},
    .isStrict = true,
};

constinit const Lemma sampSeqUp = {
    .id = "L-SAMP-SEQ-UP",
    .statement = "If the inference kernel can sample every token that the trainer can, a bound "
                 "on sampled responses holds for every response that has a ratio.",
    .hypotheses = "log(P/Q) <= b of the sampled response; nothing is cut away.",
    .formula = "log(P/Q) <= b",
    .proof = "All other responses have no mass in either.",
    .trap = "At a response that is never sampled the ratio is infinite, and no sample shows it.",
    .tight = "always",
    .parameterRow = {{{"b", Domain::Any, "log(P/Q) of a sampled response"}}},
    .evaluate = [](Arguments a) -> Result { return a[0]; },
    .useRow = {{{{each(Quantity::SeqSampledRise)}, Quantity::SeqLogRatioUp}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma sampRatio = {
    .id = "L-SAMP-RATIO",
    .statement = "The ratio of a drawn token is at most the exponential of its log-ratio.",
    .hypotheses = "log p − log q <= b of the sampled token; nothing is cut away.",
    .formula = "w <= exp(b)",
    .proof = "The exponential increases.",
    .trap = tokensTrap,
    .tight = "always",
    .parameterRow = {{{"b", Domain::Any, "log p − log q of a sampled token"}}},
    .evaluate = [](Arguments a) -> Result { return exp(a[0]); },
    .useRow = {{{{each(Quantity::SampledRise)}, Quantity::Ratio}}},
    .isStrict = true,
    .needsFullSupport = true,
};

constinit const Lemma sampFloor = {
    .id = "L-SAMP-FLOOR",
    .statement = "The ratio of a drawn token is at least the exponential of minus the fall of its "
                 "log-ratio.",
    .hypotheses = "log q − log p <= a of the sampled token.",
    .formula = "w >= exp(−a)",
    .proof = "The exponential increases.",
    .trap = tokensTrap,
    .tight = "always",
    .parameterRow = {{{"a", Domain::Any, "log q − log p of a sampled token"}}},
    .evaluate = [](Arguments a) -> Result { return exp(-a[0]); },
    .useRow = {{{{each(Quantity::SampledGap)}, Quantity::RatioFloor}}},
    .isStrict = true,
};

} // namespace tikc::bounds::lemmas
