#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tikc {

struct interval {
  double low;
  double high;
};

namespace detail {

/// The assumed relative error of every libm function used here. glibc's functions are within 2^-52.
inline constexpr double libm_error = 0x1p-50;

inline double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
inline double down(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

/// Returns the end in [0, 1] nearest to `inside` that `excluded` still rejects, or `outside` if
/// none is. Rejection is monotone. Only rejected points are returned, so the limit is safe even if
/// rounding makes the test irregular near its root.
template <class Excluded> double last_excluded(double inside, double outside, Excluded excluded) {
  double kept = inside;
  double rejected = outside;
  // Bisects ends that span many binades by ratio: 64 halvings of the difference would stop at 2^-64
  // of the larger end.
  for (int step = 0; step < 1200; ++step) {
    const double smaller = std::min(kept, rejected);
    const double larger = std::max(kept, rejected);
    const double floor = std::max(smaller, std::numeric_limits<double>::min());
    const double middle = larger > 4 * floor ? std::sqrt(floor) * std::sqrt(larger)
                                             : smaller + (larger - smaller) / 2;
    if (!(middle > smaller && middle < larger) || larger - smaller <= 0x1p-44 * larger) {
      break;
    }
    (excluded(middle) ? rejected : kept) = middle;
  }
  return rejected;
}

/// e-values for the mean of variables in [0, 1] with any past and any conditional means μ_i.
///
/// e^{λx} is convex, so e^{λx} <= 1 + c·x on [0, 1] with c = e^λ − 1, and
///   exp(λ·ΣX) / Π (1 + c·μ_i)
/// is a supermartingale that starts at 1. log(1 + c·μ) is concave in μ, so the product is at most
/// (1 + c·u)^n for u the average of the μ_i, and exp(λ·ΣX − n·log1p(c·u)) is never above the
/// supermartingale. The mean of these over a fixed grid of λ is never above the mean of the
/// supermartingales, which ever reaches 1/alpha with probability at most alpha (Ville). If the mean
/// reaches 1/alpha, u is rejected.
///
/// A negative λ rejects a u that is too large. Since log1p(y) <= y, this is never weaker than the
/// Poisson form with cost n·c·u. 1 − X with −λ is the same process, so rates near 1 need no
/// separate bound.
class mean_test {
public:
  static constexpr int grid = 16;

  /// `sum` must be on the safe side already: not below ΣX for an upper limit, not above it for a
  /// lower one.
  mean_test(double sum, std::uint64_t n, double alpha, double sign)
      : sum_(sum), n_(static_cast<double>(n)), needed_(std::log(grid / alpha)) {
    needed_ += std::abs(needed_) * 4 * libm_error;
    for (int i = 0; i < grid; ++i) {
      const std::size_t at = static_cast<std::size_t>(i);
      lambda_[at] = sign * std::ldexp(1.0, i - 12);
      odds_[at] = std::expm1(lambda_[at]);
    }
  }

  bool rejects(double mean) const {
    std::array<double, grid> exponents{};
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < grid; ++i) {
      const double gain = lambda_[i] * sum_;
      const double shift = odds_[i] * mean;
      const double cost = n_ * std::log1p(shift);
      // log1p passes on the relative error of its argument, times at most 1/(1 + shift) for shift <
      // 0, and at most 1 otherwise.
      const double spread = shift < 0 ? 1 / (1 + shift) : 1;
      const double error = (std::abs(gain) + std::abs(cost) * (2 + spread)) * 2 * libm_error;
      exponents[i] = gain - cost - error;
      top = std::max(top, exponents[i]);
    }
    if (!(top < std::numeric_limits<double>::infinity())) {
      return top > 0;
    }
    double total = 0;
    for (double exponent : exponents) {
      total += std::exp(exponent - top);
    }
    return top + std::log(total) - 64 * libm_error >= needed_;
  }

private:
  double sum_;
  double n_;
  double needed_;
  std::array<double, grid> lambda_{};
  std::array<double, grid> odds_{};
};

inline bool is_share(double alpha) { return alpha > 0 && alpha < 1; }

} // namespace detail

/// Returns the upper confidence limit of the average conditional mean of n variables in [0, range]
/// with the given sum. It is valid with probability 1 − alpha at all n at once, so it may be read
/// after each token, however variables depend on earlier ones.
inline double mean_upper(double sum, std::uint64_t n, double range, double alpha) {
  const double count = static_cast<double>(n);
  const double share = detail::up(detail::up(sum / range));
  if (n == 0 || !detail::is_share(alpha) || !(share < count)) {
    return range;
  }
  const double total = std::max(0.0, share);
  const detail::mean_test test(total, n, alpha, -1);
  const double limit = detail::last_excluded(
      total / count, 1.0, [&](double mean) { return mean < 1 && test.rejects(mean); });
  return std::min(range, detail::up(limit * range));
}

/// Returns the lower confidence limit, with the guarantee of `mean_upper`.
inline double mean_lower(double sum, std::uint64_t n, double range, double alpha) {
  const double count = static_cast<double>(n);
  const double share = detail::down(detail::down(sum / range));
  if (n == 0 || !detail::is_share(alpha) || !(share > 0)) {
    return 0;
  }
  const double total = std::min(count, share);
  const detail::mean_test test(total, n, alpha, 1);
  const double limit = detail::last_excluded(
      total / count, 0.0, [&](double mean) { return mean > 0 && test.rejects(mean); });
  return std::max(0.0, detail::down(limit * range));
}

/// Returns both limits, which are jointly valid with probability 1 − alpha.
inline interval bounded_mean(double sum, std::uint64_t n, double range, double alpha) {
  return {mean_lower(sum, n, range, alpha / 2), mean_upper(sum, n, range, alpha / 2)};
}

/// Returns the fewest all-zero observations after which bounded_mean bounds a mean in [0, 1] by
/// `bound`. A bound of 0 is never reached.
inline std::uint64_t mean_needs(double bound, double alpha) {
  constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t most = std::uint64_t{1} << 53;
  if (!(bound > 0) || !detail::is_share(alpha)) {
    return impossible;
  }
  if (bound >= 1) {
    return 1;
  }
  // The limit is found to 2^-44 of its value, and rounded outwards.
  const double within = bound * (1 - 0x1p-42);
  const auto suffices = [&](std::uint64_t n) {
    return detail::mean_test(0, n, alpha / 2, -1).rejects(within);
  };
  // No method needs fewer: below this count, all zeros are more likely than alpha.
  const double fewest = std::log(alpha / 2) / std::log1p(-bound);
  if (!(fewest < static_cast<double>(most))) {
    return impossible;
  }
  std::uint64_t few = static_cast<std::uint64_t>(fewest * (1 - 1e-9));
  std::uint64_t enough = few + 1;
  while (enough < most && !suffices(enough)) {
    few = enough;
    enough += enough / 2 + 1;
  }
  while (few + 1 < enough) {
    const std::uint64_t middle = few + (enough - few) / 2;
    (suffices(middle) ? enough : few) = middle;
  }
  return enough < most ? enough : impossible;
}

} // namespace tikc
