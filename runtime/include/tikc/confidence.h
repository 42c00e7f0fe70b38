#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

namespace tikc {

struct interval {
  double low;
  double high;
};

/// How far values are from a centre that was chosen before them.
struct spread {
  double centre;
  double squares; // Σ(x − centre)², or more
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

/// A λ below 1, and −log(1 − λ) − λ, which is not below λ²/2. Rounded up.
struct fan_step {
  double lambda, cost;

  constexpr explicit fan_step(double at) : lambda(at), cost(0) {
    double power = at;
    // nvcc refuses constants with an underflow, and smaller terms change nothing.
    for (int k = 2; k < 512 && power > 0x1p-900; ++k) {
      power *= at;
      cost += power / k;
    }
    cost *= 1 + 0x1p-40;
  }
};
inline constexpr fan_step fan_steps[] = {
    fan_step(0x1p-14), fan_step(0x1p-13), fan_step(0x1p-12), fan_step(0x1p-11),
    fan_step(0x1p-10), fan_step(0x1p-9),  fan_step(0x1p-8),  fan_step(0x1p-7),
    fan_step(0x1p-6),  fan_step(0x1p-5),  fan_step(0x1p-4),  fan_step(0x1p-3),
    fan_step(0.25),    fan_step(0.5),     fan_step(0.75),    fan_step(0.875)};

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
///
/// With the sum V of (X − m)² about a centre m that was chosen before the data, the mean is over as
/// many processes again, which narrow with the variance. With y = ±(X − m)/r, where r is the room
/// that keeps y >= −1, Fan's inequality e^{λy − ψ(λ)·y²} <= 1 + λy for 0 <= λ < 1 and
/// ψ(λ) = −log(1 − λ) − λ gives, as above,
///   exp(±λ·(ΣX − n·m)/r − ψ(λ)·V/r² − n·log1p(±λ·(u − m)/r)).
class mean_test {
public:
  static constexpr int grid = 16;

  /// `sum` must be on the safe side already: not below ΣX for an upper limit, not above it for a
  /// lower one.
  mean_test(double sum, std::uint64_t n, double alpha, double sign)
      : n_(static_cast<double>(n)), alpha_(alpha) {
    for (int i = 0; i < grid; ++i) {
      const double lambda = sign * std::ldexp(1.0, i - 12);
      const double gain = lambda * sum;
      add({gain, 2 * libm_error * std::abs(gain), std::expm1(lambda), 0});
    }
  }

  mean_test(double sum, std::uint64_t n, double alpha, double sign, const spread& about)
      : mean_test(sum, n, alpha, sign) {
    // Whether a side has room is known before the data, as its processes must be.
    const double room = sign > 0 ? about.centre : 1 - about.centre;
    if (!(room > 0)) {
      return;
    }
    const double squares = about.squares >= 0 ? about.squares / room / room : unlimited;
    for (const fan_step& step : fan_steps) {
      const double slope = sign * step.lambda / room;
      const double gain = slope * (sum - n_ * about.centre);
      const double cost = step.cost * squares;
      const double size = std::abs(slope) * (std::abs(sum) + n_ * std::abs(about.centre)) + cost;
      add({gain - cost, 4 * libm_error * size, slope, about.centre});
    }
  }

  bool rejects(double mean) const {
    std::array<double, 2 * grid> exponents{};
    double top = -unlimited;
    for (std::size_t i = 0; i < count_; ++i) {
      const process& at = processes_[i];
      const double shift = at.slope * (mean - at.centre);
      const double cost = n_ * std::log1p(shift);
      // log1p passes on the relative error of its argument, times at most 1/(1 + shift) for shift <
      // 0, and at most 1 otherwise.
      const double amplified = shift < 0 ? 1 / (1 + shift) : 1;
      const double error = at.error + std::abs(cost) * (2 + amplified) * 2 * libm_error;
      exponents[i] = at.gain - cost - error;
      top = std::max(top, exponents[i]);
    }
    if (!(top < unlimited)) {
      return top > 0;
    }
    double total = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      total += std::exp(exponents[i] - top);
    }
    const double needed = std::log(static_cast<double>(count_) / alpha_);
    return top + std::log(total) - 64 * libm_error >= needed + std::abs(needed) * 4 * libm_error;
  }

private:
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  /// exp(gain − n·log1p(slope·(u − centre))).
  struct process {
    double gain, error, slope, centre;
  };
  void add(const process& each) { processes_[count_++] = each; }

  double n_;
  double alpha_;
  std::array<process, 2 * grid> processes_{};
  std::size_t count_ = 0;
};

inline bool is_share(double alpha) { return alpha > 0 && alpha < 1; }

} // namespace detail

namespace detail {

inline mean_test test_of(double sum, std::uint64_t n, double range, double alpha, double sign,
                         const std::optional<spread>& about) {
  if (!about) {
    return {sum, n, alpha, sign};
  }
  // Dividing moves the centre by 2^-53 of itself.
  const double centre = about->centre / range;
  const double moved = static_cast<double>(n) * centre * centre * libm_error;
  return {sum, n, alpha, sign, {centre, about->squares / range / range * (1 + libm_error) + moved}};
}

} // namespace detail

/// Returns the upper confidence limit of the average conditional mean of n variables in [0, range]
/// with the given sum. It is valid with probability 1 − alpha at all n at once, so it may be read
/// after each token, however variables depend on earlier ones. With the variables' spread it
/// narrows with their variance.
inline double mean_upper(double sum, std::uint64_t n, double range, double alpha,
                         const std::optional<spread>& about = {}) {
  const double count = static_cast<double>(n);
  const double share = detail::up(detail::up(sum / range));
  if (n == 0 || !detail::is_share(alpha) || !(share < count)) {
    return range;
  }
  const double total = std::max(0.0, share);
  const detail::mean_test test = detail::test_of(total, n, range, alpha, -1, about);
  const double limit = detail::last_excluded(
      total / count, 1.0, [&](double mean) { return mean < 1 && test.rejects(mean); });
  return std::min(range, detail::up(limit * range));
}

/// Returns the lower confidence limit, with the guarantee of `mean_upper`.
inline double mean_lower(double sum, std::uint64_t n, double range, double alpha,
                         const std::optional<spread>& about = {}) {
  const double count = static_cast<double>(n);
  const double share = detail::down(detail::down(sum / range));
  if (n == 0 || !detail::is_share(alpha) || !(share > 0)) {
    return 0;
  }
  const double total = std::min(count, share);
  const detail::mean_test test = detail::test_of(total, n, range, alpha, 1, about);
  const double limit = detail::last_excluded(
      total / count, 0.0, [&](double mean) { return mean > 0 && test.rejects(mean); });
  return std::max(0.0, detail::down(limit * range));
}

/// Returns both limits, which are jointly valid with probability 1 − alpha.
inline interval bounded_mean(double sum, std::uint64_t n, double range, double alpha) {
  return {mean_lower(sum, n, range, alpha / 2), mean_upper(sum, n, range, alpha / 2)};
}

/// Whether the spread of values is known, which costs a little where they are equal.
enum class knows_spread : bool { no, yes };

/// Returns the fewest all-zero observations after which the interval of a mean in [0, 1] is within
/// `bound`. A bound of 0 is never reached.
inline std::uint64_t mean_needs(double bound, double alpha, knows_spread knows) {
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
    const spread of_zeros{bound, static_cast<double>(n) * bound * bound};
    return (knows == knows_spread::yes ? detail::mean_test(0, n, alpha / 2, -1, of_zeros)
                                       : detail::mean_test(0, n, alpha / 2, -1))
        .rejects(within);
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
