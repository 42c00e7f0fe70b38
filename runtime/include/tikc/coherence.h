#pragma once

#include "tikc/confidence.h"
#include "tikc/sketch.h"
#include "tikc/sums.h"
#include "tikc/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tikc {

/// An estimate of E w from sampled tokens, where w = p/q is the ratio of a token's probabilities.
struct ratio_mean {
  double shown;      // the mean of the observations
  double most;       // an upper bound of `shown`, wherever in its bucket each token is
  double low;        // a lower bound of E w at the requested confidence, at any time
  bool is_above_one; // whether `low` is above 1
};

namespace detail {

/// e-values for the mean of ratios of tokens sampled from the logged distribution q.
///
/// At every context, E w is the share of p on tokens that q has: at most 1, whatever the kernels.
/// So for 0 <= λ < 1 the product of 1 + λ(w − 1) over tokens is a non-negative supermartingale that
/// starts at 1, and so is the mean of such products over a fixed grid of λ. It ever reaches 1/alpha
/// with probability at most alpha (Ville), with no assumption on tails. With w/m in place of w, it
/// gives evidence against a mean of m or less. With λ = rm/(1 + rm) and r fixed, a factor is (1 +
/// rw)/(1 + rm), so one sum over tokens serves all m.
///
/// There is no such test from the other side: any sample may lack a rare large w.
///
/// The tokens come as counts by bucket of x = log p − log q. Each token is taken at the lower edge
/// of its bucket: the products increase in x, so the computed ones are never too large. Counts of
/// pieces add up to counts of the whole. This keeps the test valid: given all earlier tokens, each
/// token is sampled from its own q. Any order of the tokens that is fixed, or follows time, makes
/// the product a supermartingale, and the product does not depend on the order. The evidence is the
/// product over all tokens seen; the maximum over parts is not an e-value.
class ratio_test {
public:
  static constexpr int grid = 16;

  ratio_test(const signed_sketch& sketch, double alpha) : needed_(std::log(grid / alpha)) {
    needed_ += std::abs(needed_) * 4 * libm_error;
    for (std::size_t i = 0; i < grid; ++i) {
      const double r = std::ldexp(1.0, static_cast<int>(i) - 12);
      bets_[i].share = r / (1 + r);
    }
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    add(sketch.huge[1], -unbounded, down(-buckets::huge));
    for (std::size_t i = buckets::count; i-- > 0;)
      add(sketch.counts[buckets::count + i], -up(buckets::last_value(i)),
          -down(buckets::lower_edge(i)));
    add(sketch.tiny, -buckets::tiny, buckets::tiny);
    for (std::size_t i = 0; i < buckets::count; ++i)
      add(sketch.counts[i], down(buckets::lower_edge(i)), up(buckets::last_value(i)));
    add(sketch.huge[0], down(buckets::huge), unbounded);
  }

  bool rejects(double mean) const { return log_products(mean) >= needed_; }

  /// Returns the logarithm of the mean of the products that test a mean of 1.
  double log_evidence() const { return log_products(1) - std::log(grid); }

  ratio_mean result() const {
    ratio_mean out{shown_.value() / n_, most_.value() / n_, 0, n_ > 0 && rejects(1)};
    // If m is at least the mean used for w, no product of w/m exceeds 1.
    const double least = least_.value() / n_;
    if (n_ > 0 && least > 0)
      out.low = last_excluded(least, 0.0, [&](double mean) { return mean > 0 && rejects(mean); });
    if (out.is_above_one)
      out.low = std::max(out.low, 1.0);
    return out;
  }

private:
  /// Returns a lower bound of the logarithm of the sum of the products that test a mean of at most
  /// `mean`.
  double log_products(double mean) const {
    std::array<double, grid> exponents{};
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < grid; ++i) {
      const bet& at = bets_[i];
      const double shift = at.share * (mean - 1);
      const double cost = n_ * std::log1p(shift);
      // log1p passes on the relative error of its argument, as in mean_test.
      const double spread = shift < 0 ? 1 / (1 + shift) : 1;
      const double error = (at.size + std::abs(cost) * (2 + spread)) * error_of_terms;
      exponents[i] = at.gain.value() - cost - error;
      top = std::max(top, exponents[i]);
    }
    if (!(top < std::numeric_limits<double>::infinity()))
      return top;
    double total = 0;
    for (double exponent : exponents)
      total += std::exp(exponent - top);
    return top + std::log(total) - 64 * libm_error;
  }

  /// The error of each term: rounding of its log1p and of the argument, which a share of up to 8/9
  /// widens ninefold, and of the product with the count.
  static constexpr double error_of_terms = 16 * libm_error;
  /// Larger exponents are treated as this one, for which a double holds e^x.
  static constexpr double far = 700;

  struct bet {
    double share = 0; // λ for a mean of 1
    sum gain;         // the logarithm of the product there
    double size = 0;  // the sum of the absolute terms
  };

  /// Widen x for its rounding to float, which is half a unit at most.
  static double up(float x) { return static_cast<double>(x) * (1 + 0x1p-22); }
  static double down(float x) { return static_cast<double>(x) * (1 - 0x1p-22); }

  void add(std::uint64_t count, double low, double high) {
    if (count == 0)
      return;
    const double n = static_cast<double>(count), within = low < far ? low : far;
    const double excess = std::expm1(within);
    n_ += n;
    least_.add(n * std::exp(within));
    most_.add(n * std::exp(high));
    shown_.add(n * std::exp(low / 2 + high / 2));
    for (bet& each : bets_) {
      const double term = n * std::log1p(each.share * excess);
      each.gain.add(term);
      each.size += std::abs(term);
    }
  }

  double needed_, n_ = 0;
  sum least_, most_, shown_;
  std::array<bet, grid> bets_{};
};

} // namespace detail

/// The smallest mean ratio that a `coherent` check must be able to detect. The logged log-probs
/// count as those of the sampling distribution until a sample disproves it. A sample supports that
/// only if it would have disproved a mean of 1.03 with ratios as spread as these: its lower limit
/// is then within 3% of the mean.
inline constexpr double coherence_drift = 1.03;

inline ratio_mean mean_of_ratios(const signed_sketch& sketch, double alpha) {
  return detail::ratio_test(sketch, alpha).result();
}

/// Returns the verdict: violated once disproved, satisfied once a drift would have been detected.
inline verdict coherence_verdict(const ratio_mean& mean) {
  if (mean.is_above_one)
    return verdict::violated;
  return mean.low * coherence_drift >= mean.most ? verdict::satisfied : verdict::undecided;
}

/// Returns the logarithm of the evidence against a mean of at most 1. Above log(1/alpha),
/// mean_of_ratios() puts the mean above 1.
inline double coherence_evidence(const signed_sketch& sketch) {
  return detail::ratio_test(sketch, 1).log_evidence();
}

} // namespace tikc
