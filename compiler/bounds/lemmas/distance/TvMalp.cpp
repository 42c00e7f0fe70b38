#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <cmath>

namespace tikc::bounds::lemmas {
namespace {

/// b/(exp(b) − 1): the least share of a rise in w that its logarithm keeps.
Real kept(const Real& b) {
  return b.isExact() && b.lower() == 0 ? Real(Rational(1), b.bits()) : b / expm1(b);
}

double keptNear(double b) { return b > 0 ? b / std::expm1(b) : 1; }

constexpr std::string_view tvMalpTraps = "TV <= beta/2 is true only as b goes to 0: a bound on "
                                         "sampled tokens alone is only half of the information.";

} // namespace

constinit const Lemma tvMalp = {
    .id = "L-TV-MALP",
    .statement = "If sampled log-probs change by beta on average, in absolute value, total "
                 "variation is at most 1 − exp(−beta).",
    .hypotheses = "Tokens, or whole responses, are sampled from the inference kernel; E_q |log p − "
                  "log q| <= beta.",
    .formula = "TV <= 1 − exp(−beta)",
    .proof = "TV = E_q (1 − exp(−ℓ)), ℓ = (log q − log p)⁺, at most 1 − exp(−E_q ℓ) by Jensen's "
             "inequality.",
    .trap = tvMalpTraps,
    .tight = "one token of vanishing probability takes all the mass that the others lose",
    .parameterRow = {{{"beta", Domain::NonNegative, "mean of |log p − log q| over samples"}}},
    .evaluate = [](Arguments a) -> Result { return -expm1(-a[0]); },
    .useRow = {{{{mean(Quantity::SampledAbsGap)}, Quantity::Tv, Quantifier::Mean},
                {{mean(Quantity::SeqSampledAbsGap)}, Quantity::SeqTv, Quantifier::Mean}}},
};

constinit const Lemma tvMalpS = {
    .id = "L-TV-MALP-S",
    .statement = "If log-ratios are at most b and sampled log-probs change by beta on average, "
                 "in absolute value, total variation is at most beta/(1 + b/(exp(b) − 1)).",
    .hypotheses = "As L-TV-MALP; log w <= b for every token; the inference kernel can sample every "
                  "token that the trainer can.",
    .formula = "TV <= beta/(1 + b/(exp(b) − 1))",
    .proof = "As L-TV-MALP-B, with −log(1 − TV) >= TV.",
    .trap = "L-TV-MALP-B is never worse.",
    .parameterRow = {{{"beta", Domain::NonNegative, "mean of |log p − log q| over samples"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result { return a[0] / (1 + kept(a[1])); },
};

constinit const Lemma tvMalpB = {
    .id = "L-TV-MALP-B",
    .statement = "If log-ratios are at most b and sampled log-probs change by beta on average, "
                 "in absolute value, total variation is at most the root tau of tau·b/(exp(b) − 1) "
                 "− log(1 − tau) = beta.",
    .hypotheses = "As L-TV-MALP; log w <= b for every token; the inference kernel can sample every "
                  "token that the trainer can.",
    .formula = "TV <= tau, tau·b/(exp(b) − 1) − log(1 − tau) = beta",
    .proof = "Where w rises, log w >= (w − 1)·b/(exp(b) − 1) by concavity, in total TV·b/(exp(b) − "
             "1). Where it falls, −log w adds at least −log(1 − TV).",
    .trap = tvMalpTraps,
    .tight = "log-ratios of b on a few tokens, equal falls on the others",
    .parameterRow = {{{"beta", Domain::NonNegative, "mean of |log p − log q| over samples"},
                      {"b", Domain::NonNegative, "largest log p − log q"}}},
    .evaluate = [](Arguments a) -> Result {
      if (a[0].isExact() && a[0].lower() == 0)
        return a[0];
      // In u = −log(1 − tau), where nothing is near a pole.
      Real slope = kept(a[1]);
      auto total = [&](const Real& u) { return u - slope * expm1(-u); };
      return -expm1(-solveIncreasing(total, a[0], a[0] / 2, a[0]));
    },
};

constinit const Lemma tvMalpBW = {
    .id = "L-TV-MALP-B-W",
    .statement = "L-TV-MALP-B with a tau that is easy to check: at the root or above it.",
    .hypotheses = "As L-TV-MALP-B; 0 <= tau < 1 and tau·b/(exp(b) − 1) − log(1 − tau) >= beta.",
    .formula = "TV <= tau",
    .proof = "The left side of the condition increases in tau, so tau is at or above the root. It "
             "is convex, so a mean of beta over contexts bounds the mean of TV.",
    .trap = tvMalpTraps,
    .parameterRow = {{{"beta", Domain::NonNegative, "mean of |log p − log q| over samples"},
                      {"b", Domain::NonNegative, "largest log p − log q"},
                      {"tau", Domain::Share, "the witness"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real& tau = a[2];
      if (!isAtMost(0, tau) || !isLess(tau, 1) || !isAtMost(a[0], tau * kept(a[1]) - log1p(-tau)))
        return std::nullopt;
      return tau;
    },
    .useRow = {{{{mean(Quantity::SampledAbsGap), sup(Quantity::LogRatioUp), chosen()},
                 Quantity::Tv,
                 Quantifier::Mean}}},
    .needsFullSupport = true,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double beta = a[0].approximate(), slope = keptNear(a[1].approximate());
      double low = beta / 2, high = beta; // of u = −log(1 − tau)
      for (int i = 0; i < 80; ++i) {
        double middle = (low + high) / 2;
        (middle - slope * std::expm1(-middle) < beta ? low : high) = middle;
      }
      double tau = -std::expm1(-high) * (1 + 1e-12);
      if (!(tau < 1))
        return std::nullopt;
      return Rational(tau);
    },
};

constinit const Lemma malpK2 = {
    .id = "L-MALP-K2",
    .statement = "If k2 = ½·log²w is kappa, of a sampled token or on average, log-probs change "
                 "by at most √(2·kappa), of that token or on average.",
    .hypotheses =
        "Tokens are sampled from the inference kernel; ½·log²w <= kappa, or E_q ½·log²w <= kappa.",
    .formula = "|log w| <= √(2·kappa), or E_q |log w| <= √(2·kappa)",
    .proof = "The root increases, and (E_q |log w|)² <= E_q log²w.",
    .tight = "a constant |log w|",
    .parameterRow = {{{"kappa", Domain::NonNegative, "½·log²w of sampled tokens"}}},
    .evaluate = [](Arguments a) -> Result { return sqrt(2 * a[0]); },
    .useRow = {{{{mean(Quantity::SampledK2)}, Quantity::SampledAbsGap, Quantifier::Mean},
                {{each(Quantity::SampledK2)}, Quantity::SampledAbsGap}}},
    .isStrict = true,
};

constinit const Lemma malpMult = {
    .id = "L-MALP-MULT",
    .statement = "If exp(|log w|) is at most m, of a sampled token or on average, log-probs "
                 "change by at most log m, of that token or on average.",
    .hypotheses = "Tokens are sampled from the inference kernel; exp(|log w|) <= m, or its mean.",
    .formula = "|log w| <= log max(m, 1), or E_q |log w| <= log max(m, 1)",
    .proof = "The logarithm increases and is concave.",
    .tight = "a constant |log w|",
    .parameterRow = {{{"m", Domain::NonNegative, "exp(|log p − log q|) of sampled tokens"}}},
    .evaluate = [](Arguments a) -> Result { return log(max(a[0], 1)); },
    .useRow = {{{{mean(Quantity::SampledMultError)}, Quantity::SampledAbsGap, Quantifier::Mean},
                {{each(Quantity::SampledMultError)}, Quantity::SampledAbsGap}}},
    .isStrict = true,
};

constinit const Lemma tvMult = {
    .id = "L-TV-MULT",
    .statement = "If exp(|log w|) of sampled tokens is m on average, mean total variation is at "
                 "most the tau at which 1 / (1 − tau) − (1 − tau) is m − 1.",
    .hypotheses = "Contexts and tokens are sampled from the inference kernel; nothing is cut away.",
    .formula = "mean TV <= 1 − (√(u² + 4) − u) / 2, u = max(m, 1) − 1",
    .proof = "exp(|log w|) − 1 = (w − 1)⁺ + t/(1 − t) with t = (1 − w)⁺. As E_q w = 1, the first "
             "term has the mean TV, and so does t; t/(1 − t) is convex, so m − 1 >= TV + TV/(1 − "
             "TV). The tau of this is concave in m: a mean over contexts may enter.",
    .trap = "Half of m − 1 is the limit of small m alone; and with mass that the inference kernel "
            "never samples E_q w is below 1, which leaves 1 − 1/m.",
    .tight = "one token of vanishing probability takes all the mass that the others lose",
    .parameterRow = {{{"m", Domain::NonNegative, "mean of exp(|log p − log q|) over samples"}}},
    .evaluate = [](Arguments a) -> Result {
      Real u = max(a[0], 1) - 1;
      return 1 - (sqrt(u * u + 4) - u) / 2;
    },
    .useRow = {{{{mean(Quantity::SampledMultError)}, Quantity::Tv, Quantifier::Mean}}},
    .isStrict = true,
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
