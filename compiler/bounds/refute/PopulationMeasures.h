#pragma once

#include "bounds/refute/Population.h"
#include "model/Metrics.h"

#include <optional>

/// The catalogue's metrics and claims, computed for a population directly from their definitions.
namespace tikc::bounds::population {

using model::MetricId;

template <typename N> struct Divergences {
  static N sum(const Context<N>& at, auto term) {
    return term(at, std::size_t{0}) + term(at, std::size_t{1});
  }

  static N tv(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::abs, std::expm1;
      return c.q[i] * abs(expm1(c.gap[i])) / N(2);
    });
  }
  static N hellinger(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::expm1;
      N root = expm1(c.gap[i] / N(2));
      return c.q[i] * (root * root) / N(2);
    });
  }
  /// Both divergences are sums of non-negative terms, which keeps the digits of small drifts.
  static N klTrainInfer(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::expm1;
      return c.p[i] * (c.gap[i] + expm1(-c.gap[i]));
    });
  }
  static N klInferTrain(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::expm1;
      return c.q[i] * (expm1(c.gap[i]) - c.gap[i]);
    });
  }
  static N chi2(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::expm1;
      N excess = expm1(c.gap[i]);
      return c.q[i] * (excess * excess);
    });
  }
  static N js(const Context<N>& at) {
    return sum(at, [](const auto& c, std::size_t i) {
      using std::expm1, std::log1p;
      N up = -log1p(expm1(-c.gap[i]) / N(2));  // log(p/m)
      N down = -log1p(expm1(c.gap[i]) / N(2)); // log(q/m)
      return (c.p[i] * up + c.q[i] * down) / N(2);
    });
  }
};

template <typename N> N entropyGap(const Context<N>& at, const N& logCopies) {
  using std::abs;
  // logCopies is the log of the first class's size relative to the second's; the rest cancels.
  auto entropy = [&](const std::array<N, 2>& mass, const std::array<N, 2>& log) {
    return mass[0] * (logCopies - log[0]) - mass[1] * log[1];
  };
  return at.isSame ? N(0) : abs(entropy(at.p, at.logP) - entropy(at.q, at.logQ));
}

inline bool isPositive(double x) { return x > 0; }
inline bool isPositive(const Real& x) { return isLess(Real(0), x); }

/// Returns nothing if the two best tokens tie, because implementations choose differently.
template <typename N> std::optional<N> topFlip(const Context<N>& at) {
  if (at.isSame)
    return N(0);
  N train = at.train[0] - at.train[1], infer = at.infer[0] - at.infer[1];
  bool trainsFirst = isPositive(train), infersFirst = isPositive(infer);
  if ((!trainsFirst && !isPositive(-train)) || (!infersFirst && !isPositive(-infer)))
    return std::nullopt;
  return N(trainsFirst == infersFirst ? 0 : 1);
}

template <typename N> N topMargin(const Context<N>& at) {
  using std::abs, std::min;
  auto margin = [&](const std::array<N, 2>& logits) {
    N lead = logits[0] - logits[1];
    return at.copies[isPositive(lead) ? 0 : 1] > 1 ? N(0) : N(abs(lead));
  };
  return min(margin(at.train), margin(at.infer));
}

template <typename N> N logitDrift(MetricId metric, const Context<N>& at, unsigned bits) {
  using std::abs, std::max, std::sqrt;
  std::array<N, 2> drift{at.train[0] - at.infer[0], at.train[1] - at.infer[1]};
  switch (metric) {
  case MetricId::LogitLinf:
    return max(abs(drift[0]), abs(drift[1]));
  case MetricId::LogitL2: {
    auto count = [&](std::size_t i) { return countOf<N>(at.copies[i], bits); };
    return sqrt(count(0) * (drift[0] * drift[0]) + count(1) * (drift[1] * drift[1]));
  }
  case MetricId::LogitRel: {
    auto relative = [&](std::size_t i) { return abs(drift[i]) / max(abs(at.train[i]), N(1)); };
    return max(relative(0), relative(1));
  }
  default:
    return abs(drift[0] - drift[1]);
  }
}

/// Returns a metric of the two distributions of a context.
template <typename N>
std::optional<N> rowValue(MetricId metric, const Context<N>& at, const N& logCopies,
                          unsigned bits) {
  using std::abs, std::max;
  using D = Divergences<N>;
  switch (metric) {
  case MetricId::LogitLinf:
  case MetricId::LogitOsc:
  case MetricId::LogitL2:
  case MetricId::LogitRel:
    return logitDrift(metric, at, bits);
  case MetricId::LogprobLinf:
    return max(abs(at.gap[0]), abs(at.gap[1]));
  case MetricId::Tv:
    return D::tv(at);
  case MetricId::Hellinger:
    return D::hellinger(at);
  case MetricId::KlTrainInfer:
    return D::klTrainInfer(at);
  case MetricId::KlInferTrain:
    return D::klInferTrain(at);
  case MetricId::Js:
    return D::js(at);
  case MetricId::Chi2:
    return D::chi2(at);
  case MetricId::Top1Flip:
    return topFlip(at);
  case MetricId::Top1Margin:
    return topMargin(at);
  case MetricId::EntropyGap:
    return entropyGap(at, logCopies);
  case MetricId::MissingMass:
  case MetricId::Nonfinite:
  case MetricId::RouteFlip:
    return N(0);
  default:
    return std::nullopt;
  }
}

/// Whether a ratio is below or above a threshold; nothing if they are equal or too close.
template <typename N>
std::optional<bool> isOutside(const N& ratio, const N& threshold, bool below) {
  Answer answer = below ? isBelowAnswer(ratio, threshold) : isBelowAnswer(threshold, ratio);
  if constexpr (std::is_same_v<N, double>)
    return below ? ratio < threshold : ratio > threshold;
  if (answer == Answer::Unclear)
    return std::nullopt;
  return answer == Answer::Yes;
}

/// Whether a ratio is below the first threshold or above the second one, if there is one: 1 or 0.
template <typename N> std::optional<N> eventOf(const N& ratio, const std::vector<N>& thresholds) {
  auto below = isOutside(ratio, thresholds.at(0), true);
  auto above =
      thresholds.size() < 2 ? std::optional(false) : isOutside(ratio, thresholds.at(1), false);
  if (!below || !above)
    return std::nullopt;
  return N(*below || *above ? 1 : 0);
}

template <typename N> N clamped(const N& ratio, const std::vector<N>& caps) {
  using std::max, std::min;
  return min(N(max(ratio, caps.at(0))), caps.at(1));
}

/// KL(q‖p) of one token of the class against all others, from their masses.
template <typename N> std::optional<N> binaryKl(const Context<N>& at, std::size_t i) {
  using std::expm1, std::log;
  N copies(static_cast<int>(at.copies[i])), left = copies - N(1);
  N otherP = at.p[1 - i] + at.p[i] * (left / copies),
    otherQ = at.q[1 - i] + at.q[i] * (left / copies);
  if (!isPositive(otherP) || !isPositive(otherQ))
    return std::nullopt;
  N y = at.isSame ? N(0) : N(log(otherP / otherQ));
  return at.q[i] / copies * (expm1(at.gap[i]) - at.gap[i]) + otherQ * (expm1(y) - y);
}

/// Returns a metric of one sampled token.
template <typename N>
std::optional<N> tokenValue(MetricId metric, const std::vector<N>& parameters, const Context<N>& at,
                            std::size_t i) {
  using std::abs, std::exp, std::expm1, std::max;
  const N& gap = at.gap[i];
  switch (metric) {
  case MetricId::LogprobGap:
    return gap;
  case MetricId::Ratio:
    return exp(gap);
  case MetricId::TvSampled:
    return max(N(0), N(-expm1(gap)));
  case MetricId::K1:
    return -gap;
  case MetricId::K2:
    return gap * gap / N(2);
  case MetricId::K3:
    return expm1(gap) - gap;
  case MetricId::MultProbError:
    return exp(abs(gap));
  case MetricId::ProbGap:
    return abs(at.p[i] - at.q[i]) / N(static_cast<int>(at.copies[i]));
  case MetricId::BinaryKl:
    return binaryKl(at, i);
  case MetricId::CappedRatio:
    return clamped<N>(exp(gap), parameters);
  case MetricId::Veto:
  case MetricId::Clipped:
    return eventOf<N>(exp(gap), parameters);
  default:
    return std::nullopt;
  }
}

/// All responses of one kind with a given number of tokens of the first class, in any order.
template <typename N> struct Response {
  N share, logRatio, ratio; // ratio is P/Q
};

/// Returns the responses with k = 0, …, steps first tokens, by recurrence. Doubles need logarithms
/// to stay in range; intervals have a far wider range.
template <typename N>
std::vector<Response<N>> responsesOf(const Context<N>& at, unsigned long steps, unsigned bits) {
  using std::exp, std::log;
  std::vector<Response<N>> out;
  out.reserve(steps + 1);
  N length = countOf<N>(steps, bits);
  N logShare = length * at.logQ[1], share = exp(logShare);
  N odds = exp(at.logQ[0] - at.logQ[1]), step = exp(at.gap[0] - at.gap[1]);
  N ratio = exp(length * at.gap[1]);
  for (unsigned long k = 0; k <= steps; ++k) {
    N count = countOf<N>(k, bits);
    N logRatio = count * at.gap[0] + (length - count) * at.gap[1];
    if constexpr (std::is_same_v<N, double>) {
      bool counts = logShare > -200 || k == 0 || k == steps;
      share = counts ? exp(logShare) : 0;
      ratio = counts ? exp(std::min(logRatio, 690.0)) : 0;
    }
    out.push_back({share, logRatio, ratio});
    if (k == steps)
      break;
    N chances = countOf<N>(steps - k, bits) / countOf<N>(k + 1, bits);
    if constexpr (std::is_same_v<N, double>)
      logShare += log(chances) + at.logQ[0] - at.logQ[1];
    share = share * chances * odds;
    ratio = ratio * step;
  }
  return out;
}

template <typename N> N responseTv(const std::vector<Response<N>>& responses) {
  using std::max;
  N out(0);
  for (const Response<N>& each : responses)
    out = out + each.share * max(N(0), N(N(1) - each.ratio));
  return out;
}

/// Whether any token of a response is below the threshold.
template <typename N>
std::optional<N> vetoed(const N& threshold, const Context<N>& at, unsigned long first,
                        unsigned long steps) {
  using std::exp;
  bool any = false;
  for (std::size_t i = 0; i < 2; ++i) {
    auto below = isOutside<N>(exp(at.gap[i]), threshold, true);
    if (!below)
      return std::nullopt;
    any = any || (*below && (i == 0 ? first > 0 : first < steps));
  }
  return N(any ? 1 : 0);
}

/// Returns a metric of a sampled response.
template <typename N>
std::optional<N> responseValue(MetricId metric, const std::vector<N>& parameters,
                               const Context<N>& at, const Response<N>& response,
                               unsigned long first, unsigned long steps, unsigned bits) {
  using std::exp, std::max;
  auto geometricMean = [&] { return N(exp(response.logRatio / countOf<N>(steps, bits))); };
  switch (metric) {
  case MetricId::SeqLogRatio:
    return response.logRatio;
  case MetricId::SeqGeoRatio:
    return geometricMean();
  case MetricId::SeqRatio:
    return exp(response.logRatio);
  case MetricId::SeqCappedRatio:
    return clamped<N>(exp(response.logRatio), parameters);
  case MetricId::SeqClipped:
    return eventOf<N>(exp(response.logRatio), parameters);
  case MetricId::SeqGeoClipped:
    return eventOf(geometricMean(), parameters);
  case MetricId::SeqTv:
    return max(N(0), N(N(1) - response.ratio));
  case MetricId::SeqVeto:
    return vetoed(parameters.at(0), at, first, steps);
  default:
    return std::nullopt;
  }
}

} // namespace tikc::bounds::population
