#include "bounds/facts/Lemma.h"
#include "bounds/numbers/Formulas.h"

#include <algorithm>

namespace tikc::bounds::lemmas {
namespace {

/// Beyond it L-SEQ-HEL with 2·delta says nearly as much.
constexpr unsigned long longest = 2'000'000;

bool isNegligible(const Real& x) { return x.magnitude() < -static_cast<long>(x.bits()); }

/// The sum of C(2m, m)·(u/4)^m over m <= k, where each term is below u times the one before it.
Real fromTheFirst(const Real& u, const Real& oneMinusU, unsigned long k) {
  Real term(Rational(1), u.bits()), sum = term;
  for (unsigned long m = 1; m <= k; ++m) {
    term = term * Real(Rational(2 * m - 1, 2 * m), u.bits()) * u;
    sum = sum + term;
    Real rest = term / oneMinusU;
    if (isNegligible(rest))
      return hull(sum, sum + rest);
  }
  return sum;
}

/// The same sum, from its end: (2k + 1)·C(2k, k)·(u/4)^k·u times the sum of t^(2j) times
/// (k + 3/2)…(k + 1/2 + j) / ((3/2)…(1/2 + j)) over all j. Short where k·t² is.
Real fromTheLast(const Real& u, const Real& tSquared, unsigned long k) {
  unsigned bits = u.bits();
  Real term(Rational(1), bits), sum = term;
  for (unsigned long j = 0;; ++j) {
    Rational growth(2 * (k + j) + 3, 2 * j + 3);
    growth.canonicalize();
    Real ratio = tSquared * Real(growth, bits);
    // Ratios decrease, so from a ratio of ½ on all that is left out is below the last term.
    if (isLess(2 * ratio, 1) && isNegligible(term / sum)) {
      sum = hull(sum, sum + term);
      break;
    }
    term = term * ratio;
    sum = sum + term;
  }
  mpz_class central;
  mpz_bin_uiui(central.get_mpz_t(), 2 * k, k);
  central *= 2 * k + 1;
  Real lead = u * pow(u / 4, Real(Rational(k), bits));
  return Real(Rational(central), bits) * lead * sum;
}

/// Of an odd number of bits, 2k + 1, each right with probability 1/(1 + exp(−delta)) against each
/// wrong with it: by how much more often the majority is right than wrong.
Real majority(const Real& delta, unsigned long k) {
  Real t = tanh(delta / 2), tSquared = t * t;
  Real scale = cosh(delta / 2);
  Real u = 1 / (scale * scale);
  // 1 − majority is the rest of the sum after k, which is geometric at worst.
  Real rest = pow(u, Real(Rational(k + 1), u.bits())) / t;
  Real one(Rational(1), u.bits());
  if (isNegligible(rest))
    return hull(one - rest, one);
  bool fewTerms = k <= 64 || !isLess(4 * tSquared, one);
  return t * (fewTerms ? fromTheFirst(u, tSquared, k) : fromTheLast(u, tSquared, k));
}

} // namespace

constinit const Lemma seqRr = {
    .id = "L-SEQ-RR",
    .statement =
        "If no token's log-probability changes by more than delta at any reachable prefix, "
        "whole responses differ by at most as much as T coin tosses of bias delta.",
    .hypotheses = "|log p − log q| <= delta for every token at every prefix that either kernel can "
                  "reach; nothing is cut away; T is at most 2 million.",
    .formula = "TV(P, Q) <= TV(Bin(T, s), Bin(T, 1 − s)), s = 1/(1 + exp(−delta))",
    .proof =
        "At every prefix the two kernels are one and the same channel applied to one bit, which is "
        "right with probability s under one and wrong with it under the other (L-DOM). So whole "
        "responses are a channel applied to T independent bits. The difference is the sum of "
        "tanh(delta/2)·C(2m, m)·(u/4)^m over m <= k, u = sech(delta/2)², T = 2k + 1.",
    .trap = "An even T gives the same as T − 1. Independent tosses are the worst case here, though "
            "not under a bound on the oscillation.",
    .tight = "two tokens with ratios exp(±delta) at every prefix",
    .parameterRow = {{{"delta", Domain::NonNegative,
                       "largest change of a log-probability at any prefix"},
                      {"T", Domain::Count, "the horizon"}}},
    .evaluate = [](Arguments a) -> Result {
      const Real &delta = a[0], &horizon = a[1];
      if (delta.isExact() && delta.lower() == 0)
        return delta;
      if (horizon.upper() > longest)
        return std::nullopt;
      unsigned long k = (horizon.upper().get_num().get_ui() - 1) / 2;
      Real value = majority(delta.withBits(delta.bits() + 96), k);
      return min(1, value.withBits(delta.bits()));
    },
    .useRow = {{{{sup(Quantity::LogprobLinf), given(Quantity::Horizon)}, Quantity::SeqTv}}},
    .needsFullSupport = true,
};

} // namespace tikc::bounds::lemmas
