#pragma once

#include "metrics/Metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

/// Distances of two distributions, straight from their definitions.
namespace tikc::tests {

using model::MetricId;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline void normalise(std::vector<double>& masses) {
  double total = std::accumulate(masses.begin(), masses.end(), 0.0);
  for (double& mass : masses)
    mass /= total;
}

inline std::vector<double> softmax(const std::vector<double>& logits) {
  double top = *std::max_element(logits.begin(), logits.end());
  std::vector<double> out;
  for (double logit : logits)
    out.push_back(std::exp(logit - top));
  normalise(out);
  return out;
}

inline double sumOver(std::size_t count, const auto& term) {
  double out = 0;
  for (std::size_t i = 0; i < count; ++i)
    out += term(i);
  return out;
}

inline double klOf(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return p[i] <= 0 ? 0 : q[i] <= 0 ? infinity : p[i] * std::log(p[i] / q[i]);
  });
}

inline double entropyOf(const std::vector<double>& p) {
  return -sumOver(p.size(), [&](std::size_t i) { return p[i] > 0 ? p[i] * std::log(p[i]) : 0; });
}

inline double distance(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) { return std::abs(p[i] - q[i]); }) / 2;
}

inline double chi2Of(const std::vector<double>& p, const std::vector<double>& q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return q[i] > 0 ? (p[i] - q[i]) * (p[i] - q[i]) / q[i] : p[i] > 0 ? infinity : 0;
  });
}

inline std::vector<double> halfway(const std::vector<double>& p, const std::vector<double>& q) {
  std::vector<double> out;
  for (std::size_t i = 0; i < p.size(); ++i)
    out.push_back((p[i] + q[i]) / 2);
  return out;
}

inline std::size_t top(const std::vector<double>& of) {
  return static_cast<std::size_t>(std::max_element(of.begin(), of.end()) - of.begin());
}

/// A metric of two distributions, the trainer's first.
inline double between(MetricId metric, const std::vector<double>& p, const std::vector<double>& q) {
  switch (metric) {
  case MetricId::LogprobLinf: {
    double out = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      out = std::max(out, p[i] > 0 && q[i] > 0 ? std::abs(std::log(p[i] / q[i])) : infinity);
    return out;
  }
  case MetricId::Tv:
    return distance(p, q);
  case MetricId::Hellinger:
    return sumOver(p.size(),
                   [&](std::size_t i) { return std::pow(std::sqrt(p[i]) - std::sqrt(q[i]), 2); }) /
           2;
  case MetricId::KlTrainInfer:
    return klOf(p, q);
  case MetricId::KlInferTrain:
    return klOf(q, p);
  case MetricId::Js:
    return (klOf(p, halfway(p, q)) + klOf(q, halfway(p, q))) / 2;
  case MetricId::Chi2:
    return chi2Of(p, q);
  case MetricId::EntropyGap:
    return std::abs(entropyOf(p) - entropyOf(q));
  case MetricId::Top1Flip:
    return top(p) == top(q) ? 0 : 1;
  default:
    return infinity;
  }
}

} // namespace tikc::tests
