#pragma once

#include "Lemmas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

/// Small kernels, whose exact quantities are computed in plain doubles, and lemmas at doubles.
namespace tikc::bounds::test {

/// What is computed here is off by less, from the rounding of doubles.
constexpr double slack = 1e-11;

using Masses = std::vector<double>;

struct Input {
  const char* name;
  double value;
};
using Inputs = std::vector<Input>;

inline llvm::Expected<Real> at(std::string_view id, const Inputs& inputs) {
  std::vector<NamedValue> named;
  for (const Input& input : inputs)
    named.push_back({input.name, fmt::format("{:.17g}", input.value)});
  return evaluate(*findLemma(id), named, manyBits);
}

inline Real enclosure(std::string_view id, const Inputs& inputs) {
  return llvm::cantFail(at(id, inputs));
}

inline double bound(std::string_view id, const Inputs& inputs) {
  return enclosure(id, inputs).upper().get_d();
}

inline bool applies(std::string_view id, const Inputs& inputs) {
  auto value = at(id, inputs);
  if (value)
    return true;
  llvm::consumeError(value.takeError());
  return false;
}

inline double tvOf(const Masses& p, const Masses& q) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += std::abs(p[i] - q[i]);
  return sum / 2;
}

/// Σ q·f(p/q)
template <typename F> double expected(const Masses& p, const Masses& q, F f) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    sum += q[i] * f(p[i] / q[i]);
  return sum;
}

inline double chi2Of(const Masses& p, const Masses& q) {
  return expected(p, q, [](double w) { return (w - 1) * (w - 1); });
}

inline double klOf(const Masses& p, const Masses& q) {
  return expected(p, q, [](double w) { return w * std::log(w); });
}

inline double affinityOf(const Masses& p, const Masses& q) {
  return expected(p, q, [](double w) { return std::sqrt(w); });
}

inline double logRatioUp(const Masses& p, const Masses& q) {
  double most = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    most = std::max(most, std::log(p[i] / q[i]));
  return most;
}

inline double oscillation(const Masses& p, const Masses& q) {
  return logRatioUp(p, q) + logRatioUp(q, p);
}

inline void normalise(Masses& p) {
  double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& mass : p)
    mass /= sum;
}

/// Two kernels over two steps: the second step's distributions depend on the first token.
struct Process {
  Masses p1, q1;
  std::vector<Masses> p2, q2;

  /// The law of both tokens, either step from either kernel.
  static Masses joint(const Masses& first, const std::vector<Masses>& second) {
    Masses out;
    for (std::size_t i = 0; i < first.size(); ++i)
      for (double mass : second[i])
        out.push_back(first[i] * mass);
    return out;
  }
  Masses p() const { return joint(p1, p2); }
  Masses q() const { return joint(q1, q2); }
  template <typename F> double worst(F f) const {
    double most = f(p1, q1);
    for (std::size_t i = 0; i < p2.size(); ++i)
      most = std::max(most, f(p2[i], q2[i]));
    return most;
  }
};

} // namespace tikc::bounds::test
