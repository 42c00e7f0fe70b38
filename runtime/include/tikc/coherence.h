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

/// What sampled tokens show of E w, w = p/q the ratio of a token's probabilities.
struct ratio_mean {
  double shown;      // the mean of what was seen
  double most;       // no less than that, wherever in its bucket each token lies
  double low;        // E w is no less, with the confidence asked for, at any time
  bool is_above_one; // and above 1
};

namespace detail {

/// e-values for the mean of ratios of tokens that were drawn from the law q that is logged.
///
/// At every context E w is the share of p on tokens that q has: 1 at most, whatever the kernels. So
/// for 0 <= λ < 1 the product of 1 + λ(w − 1) over tokens is a non-negative supermartingale that
/// starts at 1, and so is the mean of such products over a fixed grid of λ: it ever reaches 1/alpha
/// with probability alpha at most (Ville), with no assumption on tails. Of w/m in the place of w it
/// speaks against a mean of m or less in the same way. With λ = rm/(1 + rm), r fixed, a factor is
/// (1 + rw)/(1 + rm), so that one sum over tokens serves for all m.
///
/// There is no such test from the other side: a rare large w may be missing in any sample.
///
/// The tokens come as counts by bucket of x = log p − log q, each taken for the lower edge of its
/// bucket: the products are increasing in x, so that what is computed is never above them. Counts
/// of pieces add up to those of the whole. That keeps the test: given all that came before it, each
/// token is drawn from its own q, so that any order of the pieces' tokens that is fixed, or goes by
/// time, makes the product a supermartingale, and the product does not depend on the order. What
/// counts is the product of all that a look sees; the largest of its parts' is no e-value.
class ratio_test {
public:
  static constexpr int grid = 16;

  ratio_test(const signed_sketch& of, double alpha) : needed_(std::log(grid / alpha)) {
    needed_ += std::abs(needed_) * 4 * libm_error;
    for (std::size_t i = 0; i < grid; ++i) {
      const double r = std::ldexp(1.0, static_cast<int>(i) - 12);
      bets_[i].share = r / (1 + r);
    }
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    add(of.huge[1], -unbounded, down(-buckets::huge));
    for (std::size_t i = buckets::count; i-- > 0;)
      add(of.counts[buckets::count + i], -up(buckets::last_value(i)),
          -down(buckets::lower_edge(i)));
    add(of.tiny, -buckets::tiny, buckets::tiny);
    for (std::size_t i = 0; i < buckets::count; ++i)
      add(of.counts[i], down(buckets::lower_edge(i)), up(buckets::last_value(i)));
    add(of.huge[0], down(buckets::huge), unbounded);
  }

  bool rejects(double mean) const { return log_products(mean) >= needed_; }

  /// The logarithm of the mean of the products that speak against a mean of 1.
  double log_evidence() const { return log_products(1) - std::log(grid); }

  ratio_mean result() const {
    ratio_mean out{shown_.value() / n_, most_.value() / n_, 0, n_ > 0 && rejects(1)};
    // No product of w/m passes 1 for an m that is not below the mean of what it takes for w.
    const double least = least_.value() / n_;
    if (n_ > 0 && least > 0)
      out.low = last_excluded(least, 0.0, [&](double mean) { return mean > 0 && rejects(mean); });
    if (out.is_above_one)
      out.low = std::max(out.low, 1.0);
    return out;
  }

private:
  /// The logarithm of the sum of the products that speak against a mean of `mean` or less, which is
  /// not below what is returned.
  double log_products(double mean) const {
    std::array<double, grid> exponents{};
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < grid; ++i) {
      const bet& at = bets_[i];
      const double shift = at.share * (mean - 1);
      const double cost = n_ * std::log1p(shift);
      // As of mean_test: log1p passes the relative error of its argument on.
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

  /// Of each term: rounding of its log1p and of that one's argument, which a share of up to 8/9
  /// widens ninefold, and of the product with its count.
  static constexpr double error_of_terms = 16 * libm_error;
  /// e^x beyond is taken for that: a double holds it.
  static constexpr double far = 700;

  struct bet {
    double share = 0; // λ where the mean is 1
    sum gain;         // the logarithm of its product there
    double size = 0;  // what it is the sum of, whatever the signs
  };

  /// x was rounded to float once, by half a unit at most, which is less than the widths here.
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

/// The logged log-probs are those of the law that drew until a sample of them disproves it. That
/// none did says something only from where on a mean of 1.03 would have, with ratios as spread as
/// these: its lower limit is then within 3% of it.
inline constexpr double coherence_drift = 1.03;

inline ratio_mean mean_of_ratios(const signed_sketch& of, double alpha) {
  return detail::ratio_test(of, alpha).result();
}

/// Disproved for good once it is; else shown from where on a drift would have been.
inline verdict coherence_verdict(const ratio_mean& of) {
  if (of.is_above_one)
    return verdict::violated;
  return of.low * coherence_drift >= of.most ? verdict::satisfied : verdict::undecided;
}

/// The logarithm of what the bets on a mean above 1 made of 1. Past log(1/alpha), mean_of_ratios()
/// finds the mean above 1.
inline double coherence_evidence(const signed_sketch& of) {
  return detail::ratio_test(of, 1).log_evidence();
}

} // namespace tikc
