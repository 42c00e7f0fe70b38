#pragma once

#include "bounds/numbers/Real.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

/// Populations in which every metric and claim can be evaluated: a few kinds of context, each with
/// two classes of equal tokens. The number type N is double for the search, which decides nothing,
/// and Real for the verdict.
namespace tikc::bounds::population {

enum class Answer : std::uint8_t { No, Unclear, Yes };

/// Tolerances of the search: in doubles, a promise may be missed by a hair, and a claim must be
/// broken clearly.
inline constexpr double hair = 1e-12;
inline constexpr double clearMargin = 1e-9;

inline Answer isAtMostAnswer(double a, double b) {
  double size = std::abs(b);
  return a <= b + hair * size         ? Answer::Yes
         : a > b + clearMargin * size ? Answer::No
                                      : Answer::Unclear;
}
inline Answer isBelowAnswer(double a, double b) { return isAtMostAnswer(a, b); }

inline Answer isAtMostAnswer(const Real& a, const Real& b) {
  if (!a.isUsable() || !b.isUsable())
    return Answer::Unclear;
  return isAtMost(a, b) ? Answer::Yes : isLess(b, a) ? Answer::No : Answer::Unclear;
}
inline Answer isBelowAnswer(const Real& a, const Real& b) {
  if (!a.isUsable() || !b.isUsable())
    return Answer::Unclear;
  return isLess(a, b) ? Answer::Yes : isAtMost(b, a) ? Answer::No : Answer::Unclear;
}

template <typename N> N numberOf(const Rational& value, unsigned bits) {
  if constexpr (std::is_same_v<N, double>)
    return value.get_d();
  else
    return N(value, bits);
}
template <typename N> N countOf(unsigned long count, unsigned bits) {
  if constexpr (std::is_same_v<N, double>)
    return static_cast<double>(count);
  else
    return N(Rational(count), bits);
}
inline double approximately(double x) { return x; }
inline double approximately(const Real& x) { return x.approximate(); }

/// One side of a comparison; `in [a, b]` and `==` have two.
template <typename N> struct GoalLimit {
  N bound;
  bool isUpper = true;
  bool isStrict = false;
};

template <typename N> Answer meets(const N& value, const GoalLimit<N>& limit) {
  const N& low = limit.isUpper ? value : limit.bound;
  const N& high = limit.isUpper ? limit.bound : value;
  return limit.isStrict ? isBelowAnswer(low, high) : isAtMostAnswer(low, high);
}

/// One kind of context in the view of two kernels: p is the first one's distribution, q the second
/// one's, which samples tokens.
template <typename N> struct Context {
  N weight;
  std::array<unsigned long, 2> copies;
  std::array<N, 2> train, infer; // logits
  bool isSame = false;           // whether nothing differs, including temperatures
  std::array<N, 2> logP, logQ, p, q, gap;
};

/// Returns the logs of the masses of the two classes, from their log-odds.
template <typename N> std::array<N, 2> logMasses(const N& odds) {
  using std::exp, std::log1p;
  return {-log1p(exp(-odds)), -log1p(exp(odds))};
}

template <typename N> struct Temperatures { N train, infer; };

template <typename N>
Context<N> seen(const N& weight, const std::array<unsigned long, 2>& copies, const N& logCopies,
                const std::array<N, 2>& train, const std::array<N, 2>& infer,
                const Temperatures<N>& temperatures, bool isSame) {
  using std::exp;
  Context<N> out{weight,       copies,       train,        infer,        isSame,
                 {N(0), N(0)}, {N(0), N(0)}, {N(0), N(0)}, {N(0), N(0)}, {N(0), N(0)}};
  out.logQ = logMasses<N>((infer[0] - infer[1]) / temperatures.infer + logCopies);
  out.logP =
      isSame ? out.logQ : logMasses<N>((train[0] - train[1]) / temperatures.train + logCopies);
  for (std::size_t i = 0; i < 2; ++i) {
    out.q[i] = exp(out.logQ[i]);
    out.p[i] = isSame ? out.q[i] : exp(out.logP[i]);
    if (!isSame)
      out.gap[i] = out.logP[i] - out.logQ[i];
  }
  return out;
}

/// A value, and its share of a kind's population.
template <typename N> struct Atom {
  N value;
  N share; // within its kind
  std::size_t kind;
};

template <typename N> struct Distribution {
  std::vector<N> weights; // of the kinds; their sum is 1
  std::vector<Atom<N>> atoms;
};

/// Returns the mass of the atoms that satisfy a predicate. A kind whose atoms all do counts with
/// its exact weight.
template <typename N, typename Predicate>
N massWhere(const Distribution<N>& of, const Predicate& holds) {
  N out(0);
  for (std::size_t kind = 0, next = 0; kind < of.weights.size(); ++kind) {
    bool all = true;
    N share(0);
    for (; next < of.atoms.size() && of.atoms[next].kind == kind; ++next) {
      if (holds(of.atoms[next].value))
        share = share + of.atoms[next].share;
      else
        all = false;
    }
    out = out + (all ? of.weights[kind] : of.weights[kind] * share);
  }
  return out;
}

template <typename N> N meanOf(const Distribution<N>& of) {
  N out(0);
  for (const Atom<N>& atom : of.atoms)
    out = out + of.weights[atom.kind] * (atom.share * atom.value);
  return out;
}

template <typename N> N extremeOf(const Distribution<N>& of, bool isLargest) {
  using std::max, std::min;
  N out = of.atoms.front().value;
  for (const Atom<N>& atom : of.atoms)
    out = isLargest ? max(out, atom.value) : min(out, atom.value);
  return out;
}

/// Returns the value at a level, for display and choices; meetsAtLevel decides.
template <typename N> N quantileOf(const Distribution<N>& of, double level) {
  std::vector<std::size_t> order(of.atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto valueAt = [&](std::size_t i) { return approximately(of.atoms[i].value); };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return valueAt(a) < valueAt(b); });
  double below = 0;
  for (std::size_t i : order) {
    below += approximately(of.weights[of.atoms[i].kind]) * approximately(of.atoms[i].share);
    if (below >= level * (1 - hair))
      return of.atoms[i].value;
  }
  return of.atoms[order.back()].value;
}

/// Whether the quantile at a level meets a limit. If the quantile is ambiguous, because mass below
/// a lower limit is exactly the level, the answer holds for both values.
template <typename N>
Answer meetsAtLevel(const Distribution<N>& of, const N& level, const GoalLimit<N>& limit) {
  auto sure = massWhere(of, [&](const N& value) { return meets(value, limit) == Answer::Yes; });
  auto failing = massWhere(of, [&](const N& value) { return meets(value, limit) == Answer::No; });
  auto notSure = massWhere(of, [&](const N& value) { return meets(value, limit) != Answer::Yes; });
  N rest = N(1) - level;
  if (limit.isUpper) {
    if (isAtMostAnswer(level, sure) == Answer::Yes || isAtMostAnswer(notSure, rest) == Answer::Yes)
      return Answer::Yes;
    return isAtMostAnswer(failing, rest) == Answer::No ? Answer::No : Answer::Unclear;
  }
  if (isAtMostAnswer(level, notSure) == Answer::No)
    return Answer::Yes;
  return isAtMostAnswer(failing, level) == Answer::No ? Answer::No : Answer::Unclear;
}

} // namespace tikc::bounds::population
