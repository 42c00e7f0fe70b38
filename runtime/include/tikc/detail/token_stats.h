#pragma once

#include "tikc/detail/layout.h"
#include "tikc/detail/of_plan.h"
#include "tikc/logprobs.h"
#include "tikc/sketch.h"
#include "tikc/sums.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tikc {

/// What a plan can request from sampled tokens. Unrequested parts cost no instruction.
namespace token_want {
inline constexpr std::uint32_t none = 0;
inline constexpr std::uint32_t gap = 1U << 0;              // Σx
inline constexpr std::uint32_t gap_size = 1U << 1;         // Σ|x|
inline constexpr std::uint32_t range = 1U << 2;            // least and greatest x, and so |x|
inline constexpr std::uint32_t places = 1U << 3;           // the positions of the extremes
inline constexpr std::uint32_t tv_sampled = 1U << 4;       // Σ max(0, 1 − e^x)
inline constexpr std::uint32_t k2 = 1U << 5;               // Σ x²
inline constexpr std::uint32_t k3 = 1U << 6;               // Σ e^x − 1 − x
inline constexpr std::uint32_t prob_gap = 1U << 7;         // Σ |p − q|
inline constexpr std::uint32_t ratio = 1U << 8;            // Σ e^x − 1 and Σ (e^x − 1)²
inline constexpr std::uint32_t logprobs = 1U << 9;         // Σ log p and Σ log q
inline constexpr std::uint32_t pearson = 1U << 10;         // five sums of p and q
inline constexpr std::uint32_t sketch = 1U << 11;          // quantiles of x and |x|
inline constexpr std::uint32_t mult_prob_error = 1U << 12; // Σ e^|x| − 1
inline constexpr std::uint32_t tv_square = 1U << 13;       // Σ max(0, 1 − e^x)²
inline constexpr std::uint32_t prob_gap_square = 1U << 14; // Σ (p − q)²
inline constexpr std::uint32_t everything = (1U << 15) - 1;
} // namespace token_want

/// A plan is a type with `wants` and the thresholds on x that clauses set:
///   struct plan {
///     static constexpr std::uint32_t wants = token_want::k3 | token_want::range;
///     static constexpr std::array<float, 1> above{0.5F};  // counts x > 0.5
///     static constexpr std::array<float, 0> below{};      // x < …
///     static constexpr std::array<float, 1> beyond{0.1F}; // |x| > 0.1
///   };
/// x is a float. A bound that is not a float is rounded to the side within it, down for `above` and
/// `beyond` and up for `below`, so the count is exact. A bound on the ratio is its logarithm.
struct plan_of_nothing {
  static constexpr std::uint32_t wants = 0;
  static constexpr std::array<float, 0> above{};
  static constexpr std::array<float, 0> below{};
  static constexpr std::array<float, 0> beyond{};
};

/// Sums over tokens.
enum class token_sum : std::uint8_t {
#define TIKC_TOKEN_SUM(name, ...) name,
#include "tikc/token_sums.def"
};
#define TIKC_TOKEN_SUM(...) +1
inline constexpr std::size_t token_sum_count = 0
#include "tikc/token_sums.def"
    ;

/// The error of a sum, relative to the sum of magnitudes. Tokens that round at random reach a tenth
/// of it; a stream of equal tokens rounds the same way each time.
inline constexpr double token_sum_error = 2e-6;

/// The square of a probability's relative error, including the single-precision error of its
/// log-prob: probabilities that vary by less may be equal. For p, which is q plus the gap, the
/// errors of three sums also count.
inline constexpr double probability_rounding = 1e-12;

namespace detail {

constexpr bool wants_sum(std::uint32_t wants, token_sum which) {
  using namespace token_want;
  switch (which) {
#define TIKC_TOKEN_SUM(name, asking, bad)                                                          \
  case token_sum::name:                                                                            \
    return (wants & (asking)) != 0;
#include "tikc/token_sums.def"
  }
  return false;
}

/// Replaces the sketch if a plan wants none.
struct no_sketch {
  void add(float) {}
  void merge(no_sketch) {}
};

inline constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

/// Returns whether a token is bad. NaN and numbers above 0 are not log-probs, and the server never
/// samples a token of probability 0. A bad token is beyond every bound on both sides.
inline bool is_bad(float train, float infer, float x) {
  return x != x || train > left_by_rounding || infer > left_by_rounding || infer <= masked_log_prob;
}

} // namespace detail

namespace detail {

template <class Plan, bool = is_constant<Plan>> struct token_storage {
  static constexpr bool has_sketch = (Plan::wants & token_want::sketch) != 0;
  using sketch_type = std::conditional_t<has_sketch, token_sketch, no_sketch>;
  using above_counts = std::array<std::uint64_t, Plan::above.size()>;
  using below_counts = std::array<std::uint64_t, Plan::below.size()>;
  using beyond_counts = std::array<std::uint64_t, Plan::beyond.size()>;
};
template <class Plan> struct token_storage<Plan, false> {
  static constexpr bool has_sketch = true; // it may have one
  using sketch_type = typename Plan::sketch_type;
  using above_counts = typename Plan::template several<std::uint64_t>;
  using below_counts = above_counts;
  using beyond_counts = above_counts;
};

} // namespace detail

/// The counts of sampled tokens.
template <class Plan> struct token_numbers {
  using storage = detail::token_storage<Plan>;

  std::uint64_t count = 0;
  std::uint64_t bad = 0;
  std::array<sum, token_sum_count> sums{};
  float least = detail::infinity;
  float greatest = -detail::infinity;
  std::uint64_t least_at = detail::nowhere;
  std::uint64_t greatest_at = detail::nowhere;
  typename storage::above_counts above{};
  typename storage::below_counts below{};
  typename storage::beyond_counts beyond{};
  float centre = 0; // of q, in the sums of Pearson's correlation
  typename storage::sketch_type sketch{};
};

/// The statistics of sampled tokens: plain data of a fixed size.
///
/// A bad token has a NaN on either side or a log-prob of +∞. It counts in `bad` and in every
/// threshold's count. It adds the worst value (1 to tv_sampled and prob_gap, +∞ to the sums bounded
/// above only), or NaN if either direction could be the worse. A −∞ on one side gives x = ±∞, with
/// its consequences. A masked token is never read.
template <class Plan>
struct token_stats : detail::of_plan<Plan, token_stats<Plan>>, token_numbers<Plan> {
  using numbers = token_numbers<Plan>;
  using storage = typename numbers::storage;
  using detail::of_plan<Plan, token_stats<Plan>>::plan;
  using numbers::above, numbers::bad, numbers::below, numbers::beyond, numbers::centre,
      numbers::count, numbers::greatest, numbers::greatest_at, numbers::least, numbers::least_at,
      numbers::sketch, numbers::sums;
  static constexpr bool has_sketch = storage::has_sketch;

  token_stats() = default;
  explicit token_stats(const Plan& tables) : detail::of_plan<Plan, token_stats<Plan>>(tables) {
    if constexpr (!detail::is_constant<Plan>) {
      detail::make(above, tables.above.size());
      detail::make(below, tables.below.size());
      detail::make(beyond, tables.beyond.size());
      if (wants(token_want::sketch))
        sketch.make();
    }
  }

  bool wants(std::uint32_t what) const { return (plan().wants & what) != 0; }

  void clear() {
    if constexpr (detail::is_constant<Plan>)
      *this = {};
    else
      *this = token_stats(plan());
  }

  double total(token_sum which) const { return at(which).value(); }
  double mean(token_sum which) const { return total(which) / static_cast<double>(count); }

  float greatest_size() const { return greatest > -least ? greatest : -least; }

  /// Returns E[w²] − 1, which keeps its digits at any drift.
  double ratio_square_excess() const {
    return 2 * mean(token_sum::excess) + mean(token_sum::excess_square);
  }

  /// Returns the variance of the weights, computed from w − 1.
  double ratio_variance() const {
    const double mean_excess = mean(token_sum::excess);
    const double out = mean(token_sum::excess_square) - mean_excess * mean_excess;
    return out < 0 ? 0 : out;
  }

  /// Returns (Σw)²/(nΣw²), or 0, the worst value, if unknown.
  double ess() const {
    const double lost = ess_lost();
    return lost <= 1 ? 1 - lost : 0;
  }
  /// Returns whether no weight is infinite or unknown, and the weights are not too small for w − 1.
  bool knows_ess() const {
    const double squares = square_weights();
    return std::isfinite(squares) && squares > least_square * static_cast<double>(count);
  }
  /// Returns 1 − ess, which keeps its digits near 0. Returns 1, the worst value, if weights are too
  /// small for w − 1: with a mean square below e⁻⁶⁴.
  double ess_lost() const {
    const double n = static_cast<double>(count);
    if (const double squares = square_weights(); squares < n / 4) {
      const double total = weights();
      const double kept = squares > least_square * n ? total / n * (total / squares) : 0;
      return kept < 1 ? 1 - kept : 0;
    }
    const double lost = ratio_variance() / (1 + ratio_square_excess());
    return lost > 0 ? lost : lost <= 0 ? 0 : 1;
  }

  /// Returns Σw. It keeps its digits for small weights, since the sum of w − 1 is separate from n.
  double weights() const { return with_ones(token_sum::excess); }
  /// Returns Σe^|x|, with the precision of `weights`.
  double mult_prob_errors() const { return with_ones(token_sum::size_excess); }
  /// Returns Σw².
  double square_weights() const {
    const sum& excess = at(token_sum::excess);
    sum out = at(token_sum::excess_square);
    for (double part : {2 * excess.high, 2 * excess.low, static_cast<double>(count)}) {
      out.add(part);
    }
    return out.value();
  }

  double perplexity_ratio() const { return std::exp(-mean(token_sum::gap)); }

  /// Returns Pearson's r of p and q. Returns NaN, which satisfies no bound, if either varies by no
  /// more than rounding can make a constant vary.
  double pearson() const {
    const double n = static_cast<double>(count);
    const double q = mean(token_sum::infer_prob);
    const double d = mean(token_sum::prob_drift);
    const double q_spread = total(token_sum::infer_prob_square) / n - q * q;
    const double d_spread = total(token_sum::prob_drift_square) / n - d * d;
    const double cross = total(token_sum::prob_drift_cross) / n - q * d;
    const double p_spread = q_spread + 2 * cross + d_spread;
    const double from_zero = static_cast<double>(centre);
    const double q_square = q_spread + (q + from_zero) * (q + from_zero);
    const double p_square = p_spread + (q + from_zero + d) * (q + from_zero + d);
    const double d_square = d_spread + d * d;
    if (!(q_spread > probability_rounding * q_square &&
          p_spread > probability_rounding * p_square &&
          p_spread > 6 * token_sum_error * (q_spread + d_square))) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    // 1 − r² is exactly (var q·var d − cov²)/(var q·var p).
    const double unexplained = (q_spread * d_spread - cross * cross) / (q_spread * p_spread);
    const double size = std::sqrt(unexplained > 0 ? (unexplained < 1 ? 1 - unexplained : 0) : 1);
    return q_spread + cross < 0 ? -size : size;
  }

  void merge(const token_stats& other) {
    token_stats moved = other;
    if (count == 0) {
      centre = other.centre;
    } else if (other.count != 0) {
      moved.move_centre(centre);
    }
    count += other.count;
    bad += other.bad;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i].merge(moved.sums[i]);
    }
    take_least(other.least, other.least_at);
    take_greatest(other.greatest, other.greatest_at);
    add_each(above, other.above);
    add_each(below, other.below);
    add_each(beyond, other.beyond);
    sketch.merge(other.sketch);
  }

  sum& at(token_sum which) { return sums[static_cast<std::size_t>(which)]; }
  const sum& at(token_sum which) const { return sums[static_cast<std::size_t>(which)]; }

  void take_least(float x, std::uint64_t place) {
    if (x < least || (x == least && place < least_at)) {
      least = x;
      least_at = place;
    }
  }
  void take_greatest(float x, std::uint64_t place) {
    if (x > greatest || (x == greatest && place < greatest_at)) {
      greatest = x;
      greatest_at = place;
    }
  }

  /// Moves the centre. Any centre gives the same covariances; one near the mean of q prevents
  /// cancellation.
  void move_centre(float to) {
    const double n = static_cast<double>(count);
    const double step = static_cast<double>(centre) - static_cast<double>(to);
    const double q = total(token_sum::infer_prob);
    const double d = total(token_sum::prob_drift);
    at(token_sum::infer_prob_square).add(step * (2 * q + n * step));
    at(token_sum::prob_drift_cross).add(step * d);
    at(token_sum::infer_prob).add(n * step);
    centre = to;
  }

  /// Adds bad tokens.
  void add_bad(std::uint64_t tokens);

private:
  static constexpr double least_square = 1e-28;

  /// Returns a sum of terms minus one, plus one for each token.
  double with_ones(token_sum term) const {
    sum out = at(term);
    out.add(static_cast<double>(count));
    return out.value();
  }

  template <class Counts> static void add_each(Counts& into, const Counts& from) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      into[i] += from[i];
    }
  }
};

namespace detail {
/// The layout of the members, in order.
constexpr layout tokens_layout(const plan_shape& sizes) {
  layout out;
  out.add<std::uint64_t>(2).add<sum>(token_sum_count).add<float>(2).add<std::uint64_t>(2);
  for (std::size_t thresholds : {sizes.above, sizes.below, sizes.beyond})
    out.add<std::uint64_t>(thresholds);
  out.add<float>();
  return sizes.has_sketch ? out.add<token_sketch>() : out.add<no_sketch>();
}
} // namespace detail

template <class Plan> void token_stats<Plan>::add_bad(std::uint64_t tokens) {
  constexpr double worst = std::numeric_limits<double>::infinity();
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const double one = static_cast<double>(tokens);
  const double values[] = {
#define TIKC_TOKEN_SUM(name, asking, bad) bad,
#include "tikc/token_sums.def"
  };
  for (std::size_t i = 0; i < token_sum_count; ++i) {
    if (detail::wants_sum(plan().wants, static_cast<token_sum>(i))) {
      sums[i].add(values[i]);
    }
  }
  bad += tokens;
  for (std::uint64_t& each_count : above) {
    each_count += tokens;
  }
  for (std::uint64_t& each_count : below) {
    each_count += tokens;
  }
  for (std::uint64_t& each_count : beyond) {
    each_count += tokens;
  }
  if constexpr (has_sketch) {
    if (wants(token_want::sketch)) {
      sketch.settled().nans += tokens;
    }
  }
}

} // namespace tikc
