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

/// Every libm function used here is taken to be within this relative error; glibc's are within
/// 2^-52.
inline constexpr double libm_error = 0x1p-50;

inline double up(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }
inline double down(double x) { return std::nextafter(x, -std::numeric_limits<double>::infinity()); }

/// The end in [0, 1] nearest to `inside` that `excluded` still rejects; `outside` itself if none
/// is. Rejection is monotone, and only rejected points are ever returned, so that the limit is safe
/// even where rounding makes the test untidy near its root.
template <class Excluded> double last_excluded(double inside, double outside, Excluded excluded) {
  double kept = inside;
  double rejected = outside;
  // Ends that span many binades are halved by their ratio: 64 halvings of the difference would stop
  // at 2^-64 of the larger.
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
/// supermartingale. Nor is the mean of these over a fixed grid of λ above the mean of those, which
/// ever reaches 1/alpha with probability alpha at most (Ville): where it does, u is rejected.
///
/// A negative λ rejects a u that is too large. By log1p(y) <= y this never falls behind the Poisson
/// form with n·c·u for a cost; and as 1 − X with −λ is the same process, rates near 1 need no bound
/// of their own.
class mean_test {
public:
  static constexpr int grid = 16;

  /// `sum` must be on the safe side already: not below ΣX for an upper limit, not above for a
  /// lower.
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
      // log1p passes the relative error of its argument on, times at most 1/(1 + shift) as
      // shift/log1p is bounded by that for shift < 0, and by 1 otherwise.
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

/// Upper confidence limit of the average conditional mean of n variables in [0, range] with the
/// given sum: valid with probability 1 − alpha at all n at once, so that it may be looked at after
/// each token, whatever later variables owe to earlier ones.
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

/// The lower limit, likewise.
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

/// Both limits, together valid with probability 1 − alpha.
inline interval bounded_mean(double sum, std::uint64_t n, double range, double alpha) {
  return {mean_lower(sum, n, range, alpha / 2), mean_upper(sum, n, range, alpha / 2)};
}

namespace detail {

/// log n! − (n + ½)·log n + n − ½·log 2π, which lgamma would lose to cancellation.
inline double stirling_error(double n) {
  if (n < 16) {
    double factorial = 1;
    for (int i = 2; i <= static_cast<int>(n); ++i) {
      factorial *= i;
    }
    constexpr double half_log_two_pi = 0.91893853320467274178;
    return n > 0 ? std::log(factorial) - (n + 0.5) * std::log(n) + n - half_log_two_pi : 0;
  }
  // The next term of this alternating series is below 2^-52 of the whole from n = 16 on.
  const double square = n * n;
  double series = 691.0 / 360360;
  series = 1.0 / 1188 - series / square;
  series = 1.0 / 1680 - series / square;
  series = 1.0 / 1260 - series / square;
  series = 1.0 / 360 - series / square;
  return (1.0 / 12 - series / square) / n;
}

/// x·log(x/m) + m − x for x >= 0, m > 0: a series where the two nearly cancel.
inline double deviance(double x, double m) {
  if (x == 0) {
    return m;
  }
  const double v = (x - m) / (x + m);
  if (std::abs(v) >= 0.1) {
    return x * std::log(x / m) + m - x;
  }
  double power = 2 * x * v;
  double total = (x - m) * v;
  for (int j = 1; j < 1000; ++j) {
    power *= v * v;
    const double next = total + power / (2 * j + 1);
    if (next == total) {
      break;
    }
    total = next;
  }
  return total;
}

/// The binomial probability of k of n by Loader's form: its error is that of two deviances, each
/// relative to itself, and not that of log n!.
inline double binomial_mass(double k, double n, double p, double q) {
  if (k == 0) {
    return std::exp(n * std::log1p(-p));
  }
  if (k == n) {
    return std::exp(n * std::log1p(-q));
  }
  constexpr double two_pi = 6.28318530717958647693;
  const double exponent = stirling_error(n) - stirling_error(k) - stirling_error(n - k) -
                          deviance(k, n * p) - deviance(n - k, n * q);
  return std::exp(exponent) * std::sqrt(n / (two_pi * k * (n - k)));
}

/// An upper bound of P(Bin(n, p) <= k), 0 <= k < n, q = 1 − p, for k < (n + 1)·p: then each mass is
/// less than the one above it, and what is left after a term is below a geometric series. Sums of
/// positive terms lose at most a few 2^-53 a term, of which there are O(√(n·p·q)).
inline double binomial_tail(double k, double n, double p, double q) {
  double term = 1;
  double total = 1;
  for (double j = k; j > 0; --j) {
    const double ratio = j * q / ((n - j + 1) * p);
    term *= ratio;
    if (term <= (1 - ratio) * 0x1p-54 * total) {
      total += term / (1 - ratio);
      break;
    }
    total += term;
  }
  return binomial_mass(k, n, p, q) * total;
}

/// What the evaluation of a tail may be off by, relatively; a limit is returned only where the tail
/// is below alpha by more. It moves the limit by about as much of its distance from k/n.
/// Two deviances of size up to log(1/alpha) and the sum give 1e-12 and less up to n = 2^40.
inline constexpr double tail_error = 1e-9;

} // namespace detail

/// Clopper–Pearson: the upper limit of the rate after `hits` of n independent trials, for one look.
/// The least u found with P(Bin(n, u) <= hits) <= alpha.
inline double rate_upper(std::uint64_t hits, std::uint64_t n, double alpha) {
  if (hits >= n || !detail::is_share(alpha)) {
    return 1;
  }
  const double count = static_cast<double>(n);
  if (hits == 0) {
    return std::min(1.0, -std::expm1(std::log(alpha) / count) * (1 + 8 * detail::libm_error));
  }
  const double k = static_cast<double>(hits);
  const double least = (k + 1) / (count + 1);
  return detail::last_excluded(least, 1.0, [&](double u) {
    return u < 1 && detail::binomial_tail(k, count, u, 1 - u) <= alpha * (1 - detail::tail_error);
  });
}

/// The lower limit, likewise: the greatest l found at which so many hits are as rare.
inline double rate_lower(std::uint64_t hits, std::uint64_t n, double alpha) {
  if (hits == 0 || hits > n || !detail::is_share(alpha)) {
    return 0;
  }
  const double count = static_cast<double>(n);
  if (hits == n) {
    return std::exp(std::log(alpha) / count) * (1 - 8 * detail::libm_error);
  }
  const double misses = static_cast<double>(n - hits);
  const double most = static_cast<double>(hits) / (count + 1);
  return detail::last_excluded(most, 0.0, [&](double l) {
    return l > 0 &&
           detail::binomial_tail(misses, count, 1 - l, l) <= alpha * (1 - detail::tail_error);
  });
}

/// The least n from which the n-th smallest of n independent values bounds the quantile from above:
/// the level to the power of n is at most 1 − confidence. 299 for p99 at 95%.
///
/// The power is taken in two doubles, so that it is wrong by n·2^-100 at most: exact ties, such as
/// p50 at 75%, are met. Never if the level is 1 or the confidence is.
inline std::uint64_t quantile_needs(double level, double confidence) {
  constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();
  const double alpha = 1 - confidence;
  if (!(level < 1) || !(alpha > 0)) {
    return impossible;
  }
  if (!(level > 0) || !(alpha < 1)) {
    return 1;
  }
  const auto suffices = [&](std::uint64_t n) {
    interval power{0, 1};
    interval square{0, level};
    const auto times = [](interval x, interval y) {
      const double high = x.high * y.high;
      return interval{std::fma(x.high, y.high, -high) + x.high * y.low + x.low * y.high, high};
    };
    for (; n != 0; n >>= 1) {
      power = (n & 1U) != 0 ? times(power, square) : power;
      square = times(square, square);
    }
    return (power.high - alpha) + power.low <= 0;
  };
  const double guess = std::ceil(std::log(alpha) / std::log(level));
  if (!(guess < 0x1p53)) {
    return impossible;
  }
  std::uint64_t n = guess < 1 ? 1 : static_cast<std::uint64_t>(guess);
  while (!suffices(n)) {
    ++n;
  }
  while (n > 1 && suffices(n - 1)) {
    --n;
  }
  return n;
}

} // namespace tikc
