#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tikc::bounds::lemmas {
namespace {

/// log E_q w^k at its largest, for ratios w that oscillate by omega around a mean of 1; k > 1 or
/// k < 0. Two ratios m and m·exp(omega) have the most, at the m where the derivative vanishes.
Real logMoment(const Real& omega, const Real& k) {
  if (omega.isExact() && omega.lower() == 0)
    return Real(Rational(0), omega.bits());
  Real slope = expm1(omega * k) / expm1(omega);
  return (k - 1) * log(slope * (k - 1) / ((slope - 1) * k)) + log(slope / k);
}

/// log of the largest (x − 1)⁺/x^k, over x > 0.
Real logShare(const Real& k) { return (k - 1) * log(k - 1) - k * log(k); }

/// log of the bound on E_Q (W − C)⁺.
Real logAbove(const Real& omega, const Real& length, const Real& k, const Real& cap) {
  return logShare(k) - (k - 1) * log(cap) + length * logMoment(omega, k);
}
/// log of the bound on E_Q (C − W)⁺.
Real logBelow(const Real& omega, const Real& length, const Real& k, const Real& cap) {
  return logShare(k) + k * log(cap) + length * logMoment(omega, 1 - k);
}

/// exp(x), or a little more where the digits of so small a fraction would fill the memory.
constexpr int leastLog = -700;
Real expOf(const Real& x) { return exp(max(x, leastLog)); }

// The same in doubles, which only choose k.

double nearMoment(double omega, double k) {
  double slope = std::expm1(omega * k) / std::expm1(omega);
  return (k - 1) * std::log(slope * (k - 1) / ((slope - 1) * k)) + std::log(slope / k);
}
double nearShare(double k) { return (k - 1) * std::log(k - 1) - k * std::log(k); }

/// The k > 1 of the least bound, by the logarithm of the bound, which is convex in k; nothing where
/// no k gives less than the trivial bound.
template <class LogBound> std::optional<Rational> leastAt(double omega, LogBound&& logBound) {
  constexpr double mostExponent = 500, least = 1e-3, most = 1e9, trivialLog = 0.7;
  if (!(omega > 0 && omega < mostExponent))
    return std::nullopt;
  auto at = [](double logOfLess) { return 1 + std::exp(logOfLess); };
  auto value = [&](double logOfLess) {
    return std::max<double>(logBound(at(logOfLess)), leastLog);
  };
  double low = std::log(least), high = std::log(least + std::min(mostExponent / omega, most));
  for (int i = 0; i < 60; ++i) {
    double third = (high - low) / 3;
    if (value(low + third) <= value(high - third))
      high -= third;
    else
      low += third;
  }
  double found = (low + high) / 2;
  if (!(value(found) < trivialLog))
    return std::nullopt;
  return Rational(at(found));
}

double bothOf(double above, double below) {
  double most = std::max(above, below);
  return most + std::log(std::exp(above - most) + std::exp(below - most));
}
constexpr double nothing = -std::numeric_limits<double>::infinity();

} // namespace

constinit const Lemma hsSeqMoment = {
    .id = "L-HS-SEQ-MOMENT",
    .statement = "If the logit drift oscillates by at most omega at every reachable prefix, the "
                 "excess of whole-response ratios over C is bounded by any moment of theirs.",
    .hypotheses = "The oscillation is at most omega at every prefix that either kernel can reach; "
                  "responses of up to T tokens; nothing is cut away; k > 1.",
    .formula = "E_Q (W − C)⁺ <= (k − 1)^(k−1)/(k^k·C^(k−1))·M_k^T, M_k = m^(k−1)·A/k, "
               "m = A(k − 1)/((A − 1)k), A = (exp(k·omega) − 1)/(exp(omega) − 1)",
    .proof = "At any prefix, E_q w^k is convex in w, so two ratios m and m·exp(omega) with mean 1 "
             "have the most, M_k; over T tokens, E_Q W^k <= M_k^T by induction. And (W − C)⁺ <= "
             "W^k·(k − 1)^(k−1)/(k^k·C^(k−1)), which it touches at W = Ck/(k − 1).",
    .trap = "A fixed k is loose: 2 gives about L-HS-CHI2, while a cap far above 1 needs a large k.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"C", Domain::Positive, "cap of the ratios"},
                      {"T", Domain::Count, "the horizon"},
                      {"k", Domain::AtLeastOne, "the moment"}}},
    .evaluate = [](Arguments a) -> Result {
      if (!isLess(1, a[3]))
        return std::nullopt;
      return expOf(logAbove(a[0], a[2], a[3], a[1]));
    },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::Cap), given(Quantity::Horizon), chosen()},
                 Quantity::SeqExcess}}},
    .needsFullSupport = true,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double omega = a[0].approximate(), cap = std::log(a[1].approximate()),
             length = a[2].approximate();
      return leastAt(omega, [&](double k) {
        return nearShare(k) - (k - 1) * cap + length * nearMoment(omega, k);
      });
    },
};

constinit const Lemma clipSeqMoment = {
    .id = "L-CLIP-SEQ-MOMENT",
    .statement = "Clipping the ratio of a whole response removes at most the excess above 1 + c, "
                 "by L-HS-SEQ-MOMENT, plus the deficit below 1 − c, by a negative moment.",
    .hypotheses = "As L-HS-SEQ-MOMENT; c >= 0.",
    .formula = "E_Q |W − clip(W, 1 − c, 1 + c)| <= (k − 1)^(k−1)/k^k·((1 + c)^(1−k)·M_k^T + (1 − "
               "c)^k·M_{1−k}^T), without the second term where c >= 1",
    .proof = "As L-HS-SEQ-MOMENT; and (C − W)⁺ <= C^k·W^(1−k)·(k − 1)^(k−1)/k^k.",
    .trap = "The moments of both sides have one k here, though each alone might have a better one.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"c", Domain::NonNegative, "half-width of clipping"},
                      {"T", Domain::Count, "the horizon"},
                      {"k", Domain::AtLeastOne, "the moment"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &omega = a[0], &c = a[1], &length = a[2], &k = a[3];
      if (!isLess(1, k))
        return std::nullopt;
      Real above = expOf(logAbove(omega, length, k, 1 + c));
      return isLess(c, 1) ? above + expOf(logBelow(omega, length, k, 1 - c)) : above;
    },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::ClipWidth), given(Quantity::Horizon),
                  chosen()},
                 Quantity::SeqClipLoss}}},
    .needsFullSupport = true,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double omega = a[0].approximate(), c = a[1].approximate(), length = a[2].approximate();
      return leastAt(omega, [&](double k) {
        double above = (1 - k) * std::log1p(c) + length * nearMoment(omega, k);
        double below = c < 1 ? k * std::log1p(-c) + length * nearMoment(omega, 1 - k) : nothing;
        return nearShare(k) + bothOf(above, below);
      });
    },
};

constinit const Lemma maskSeqMoment = {
    .id = "L-MASK-SEQ-MOMENT",
    .statement = "A mask that keeps whole-response ratios from a to b drops at most what moments "
                 "of the ratios allow above and below.",
    .hypotheses = "As L-HS-SEQ-MOMENT; a < 1 < b.",
    .formula = "P(W < a or W > b) <= min(1, b^(1−k)·M_k^T + a^k·M_{1−k}^T)",
    .proof = "P(W > b) is E_Q of W where W > b, at most E_Q W^k·b^(1−k); P(W < a) is at most E_Q "
             "W^(1−k)·a^k. The moments are those of L-HS-SEQ-MOMENT.",
    .trap = "The moments are under Q, and the mass is P's: the exponents differ by 1.",
    .parameterRow = {{{"omega", Domain::NonNegative, "oscillation of the drift at any prefix"},
                      {"a", Domain::NonNegative, "least ratio that is kept"},
                      {"b", Domain::AtLeastOne, "largest ratio that is kept"},
                      {"T", Domain::Count, "the horizon"},
                      {"k", Domain::AtLeastOne, "the moment"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &omega = a[0], &low = a[1], &high = a[2], &length = a[3], &k = a[4];
      if (!isLess(1, k) || !isLess(low, 1) || !isLess(1, high))
        return std::nullopt;
      Real above = expOf((1 - k) * log(high) + length * logMoment(omega, k));
      if (isAtMost(low, 0))
        return min(1, above);
      return min(1, above + expOf(k * log(low) + length * logMoment(omega, 1 - k)));
    },
    .useRow = {{{{sup(Quantity::Omega), given(Quantity::MaskLow), given(Quantity::MaskHigh),
                  given(Quantity::Horizon), chosen()},
                 Quantity::SeqMasked}}},
    .needsFullSupport = true,
    .choose = [](Arguments a) -> std::optional<Rational> {
      double omega = a[0].approximate(), low = a[1].approximate(), high = a[2].approximate(),
             length = a[3].approximate();
      return leastAt(omega, [&](double k) {
        double above = (1 - k) * std::log(high) + length * nearMoment(omega, k);
        double below = low > 0 ? k * std::log(low) + length * nearMoment(omega, 1 - k) : nothing;
        return bothOf(above, below);
      });
    },
};

} // namespace tikc::bounds::lemmas
