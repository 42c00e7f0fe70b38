#pragma once

#include "model/Metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

/// Distances of two distributions, straight from their definitions.
namespace tikc::tests {

using model::MetricId;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// What is of tokens: a world has few.
inline constexpr std::size_t mostTokens = 4;
using Row = std::array<double, mostTokens>;
using View = std::span<const double>;

inline double sumOver(std::size_t count, const auto& term) {
  double out = 0;
  for (std::size_t i = 0; i < count; ++i)
    out += term(i);
  return out;
}

inline void normalise(std::span<double> masses) {
  double total = sumOver(masses.size(), [&](std::size_t i) { return masses[i]; });
  for (double& mass : masses)
    mass /= total;
}

inline double klOf(View p, View q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return p[i] <= 0 ? 0 : q[i] <= 0 ? infinity : p[i] * std::log(p[i] / q[i]);
  });
}

inline double entropyOf(View p) {
  return -sumOver(p.size(), [&](std::size_t i) { return p[i] > 0 ? p[i] * std::log(p[i]) : 0; });
}

inline double distance(View p, View q) {
  return sumOver(p.size(), [&](std::size_t i) { return std::abs(p[i] - q[i]); }) / 2;
}

inline double chi2Of(View p, View q) {
  return sumOver(p.size(), [&](std::size_t i) {
    return q[i] > 0 ? (p[i] - q[i]) * (p[i] - q[i]) / q[i] : p[i] > 0 ? infinity : 0;
  });
}

inline double jsOf(View p, View q) {
  Row middle{};
  for (std::size_t i = 0; i < p.size(); ++i)
    middle[i] = (p[i] + q[i]) / 2;
  View halfway(middle.data(), p.size());
  return (klOf(p, halfway) + klOf(q, halfway)) / 2;
}

/// Whether rounding decides which token is the most likely one.
inline bool isTied(View of) {
  std::size_t near = 0;
  double most = 0;
  for (std::size_t i = 0; i < of.size(); ++i)
    most = std::max(most, of[i]);
  for (std::size_t i = 0; i < of.size(); ++i)
    near += of[i] > most * (1 - 1e-12) ? 1 : 0;
  return near > 1;
}

inline std::size_t top(View of) {
  return static_cast<std::size_t>(std::max_element(of.begin(), of.end()) - of.begin());
}

/// A metric of two distributions, the trainer's first.
inline double between(MetricId metric, View p, View q) {
  switch (metric) {
  case MetricId::LogprobLinf: {
    double out = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (p[i] > 0 || q[i] > 0)
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
    return jsOf(p, q);
  case MetricId::Chi2:
    return chi2Of(p, q);
  case MetricId::EntropyGap:
    return std::abs(entropyOf(p) - entropyOf(q));
  case MetricId::Top1Flip:
    return isTied(p) || isTied(q) || top(p) == top(q) ? 0 : 1;
  case MetricId::MissingMass:
    return sumOver(p.size(), [&](std::size_t i) { return q[i] > 0 ? 0 : p[i]; });
  default:
    return infinity;
  }
}

} // namespace tikc::tests
