#pragma once

#include "tikc/cuda/row_groups.h"
#include "tikc/detail/row_series.h"
#include "tikc/detail/row_statistics.h"

/// The work of one thread on its groups of a pair of rows, in fp32.
///
/// With u = a·(z − top), a = 1/temperature, and x = a·(z′ − z) − centre, a pair has the weight b =
/// e^(u + x/2): p̂ = b·e^(−x/2), q̂ = b·e^(x/2). The first pass sums both, and separately their
/// difference, from which the row's shift follows. The second pass uses y, the rest of x.
namespace tikc::cuda::detail {

namespace rows = tikc::detail::rows;

inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr float log2_e = 1.44269504F;
/// The exact pass handles larger drifts.
inline constexpr float far_reach = 16;

/// The coefficients of a tier, in fp32.
template <rows::drift_tier Tier> struct series;
template <> struct series<rows::drift_tier::small> {
  using taylor = rows::row_series<rows::drift_tier::small>;
  static constexpr float reach = taylor::reach;
  static constexpr float sinh1 = static_cast<float>(taylor::sinh[1]),
                         cosh1 = static_cast<float>(taylor::cosh[1]);
};

/// Returns Σ c[k]·xᵏ; the coefficients are constants.
template <std::size_t N> struct coefficients { float values[N]; };
template <std::size_t N>
TIKC_ON_BOTH constexpr coefficients<N> narrowed(const double (&from)[N], bool mirrored = false) {
  coefficients<N> out{};
  for (std::size_t i = 0; i < N; ++i)
    out.values[i] = static_cast<float>(mirrored && i % 2 != 0 ? -from[i] : from[i]);
  return out;
}
template <std::size_t N> TIKC_ON_BOTH float polynomial(const coefficients<N>& by_power, float x) {
  float out = by_power.values[N - 1];
  for (std::size_t i = N - 1; i-- > 0;)
    out = out * x + by_power.values[i];
  return out;
}

/// What the first pass subtracts from a row's logits and drifts.
struct weighing_frame {
  float scale = 1;      // 1/temperature
  float log2_scale = 1; // in units of log 2, like exponents
  float offset = 0;     // log2_scale·top
  float centre = 0;
  float near_low = 0, near_high = 0; // z′ − z in this range is within the smallest series

  TIKC_ON_BOTH void place(float top, float new_centre) {
    offset = log2_scale * top;
    centre = new_centre;
    near_low = (centre - series<rows::drift_tier::small>::reach) / scale;
    near_high = (centre + series<rows::drift_tier::small>::reach) / scale;
  }
};

/// What the second pass subtracts.
struct comparing_frame {
  float scale, log2_scale, offset, centre;
};

enum group_fault : unsigned { has_mask = 1, has_fault = 2 };

/// The first pass.
template <number_format Train, number_format Infer, std::uint32_t Wants> struct weighing {
  static constexpr bool has_weights = (Wants & rows::row_weighed) != 0;
  static constexpr bool has_level = (Wants & row_want::entropy_gap) != 0;
  static constexpr bool has_seconds = (Wants & row_want::top1_margin) != 0;

  float sine = 0, cosine = 0; // Σ q̂ − p̂, Σ q̂ + p̂
  float level = 0;            // Σ b·log₂ b
  float squares = 0, relative = 0;
  float low = infinity, high = -infinity; // of z′ − z
  peak<Train> train;
  peak<Infer> infer;
  float train_second = -infinity, infer_second = -infinity;
  unsigned faults = 0;

  TIKC_ON_BOTH void add(const pair_group<Train, Infer>& group, const weighing_frame& frame) {
    constexpr unsigned tokens = pair_group<Train, Infer>::tokens;
    float z[tokens], drift[tokens];
    for (unsigned i = 0; i < tokens; ++i) {
      z[i] = group.train.at(i);
      drift[i] = group.infer.at(i) - z[i];
    }
    float lowest = drift[0], highest = drift[0];
    for (unsigned i = 1; i < tokens; ++i) {
      lowest = lower_of(lowest, drift[i]);
      highest = higher_of(highest, drift[i]);
    }
    if (lowest >= frame.near_low && highest <= frame.near_high) {
      low = lower_of(low, lowest);
      high = higher_of(high, highest);
      if constexpr (has_seconds) {
        for (unsigned i = 0; i < tokens; ++i)
          lead(z[i], group.infer.at(i));
      } else {
        train.add(group.train);
        infer.add(group.infer);
      }
      for (unsigned i = 0; i < tokens; ++i)
        add_near(z[i], drift[i], frame);
    } else {
      weighing copy = *this; // keeps the loop's sums in registers
      add_slowly(copy, group, frame);
      *this = copy;
    }
  }

  /// Adds a token of any kind.
  TIKC_ON_BOTH void add_any(float z, float w, const weighing_frame& frame) {
    using taylor = rows::row_series<rows::drift_tier::medium>;
    constexpr auto odd = narrowed(taylor::sinh);
    constexpr auto even = narrowed(taylor::cosh);
    if (z == -infinity && w == -infinity) {
      faults |= has_mask;
      return;
    }
    const float drift = w - z, x = drift * frame.scale - frame.centre;
    if (!(x >= -far_reach && x <= far_reach)) { // also for NaN
      faults |= has_fault;
      return;
    }
    low = lower_of(low, drift);
    high = higher_of(high, drift);
    lead(z, w);
    const float log_weight = x * (log2_e / 2) + fused(z, frame.log2_scale, -frame.offset);
    const float weight = power_of_two(log_weight), square = x * x;
    if (square <= taylor::reach * taylor::reach) {
      sine += weight * (x * polynomial(odd, square));
      cosine += weight * polynomial(even, square);
    } else {
      const float p = power_of_two(log_weight - x * (log2_e / 2)),
                  q = power_of_two(log_weight + x * (log2_e / 2));
      sine += q - p;
      cosine += q + p;
    }
    raw(z, drift);
    if constexpr (has_level)
      level += weight > 0 ? weight * log_weight : 0;
  }

private:
  TIKC_ON_BOTH void add_near(float z, float drift, const weighing_frame& frame) {
    using near = series<rows::drift_tier::small>;
    raw(z, drift);
    if constexpr (!has_weights)
      return;
    const float x = drift * frame.scale - frame.centre;
    const float log_weight = x * (log2_e / 2) + fused(z, frame.log2_scale, -frame.offset);
    const float weight = power_of_two(log_weight), square = x * x;
    sine = weight * x * (square * near::sinh1 + 1) + sine;
    cosine = weight * (square * near::cosh1 + 2) + cosine;
    if constexpr (has_level)
      level = weight * log_weight + level;
  }

  TIKC_ON_BOTH TIKC_OUT_OF_LINE static void add_slowly(weighing& to, pair_group<Train, Infer> group,
                                                       const weighing_frame& frame) {
    for (unsigned i = 0; i < pair_group<Train, Infer>::tokens; ++i) {
      to.add_any(group.train.at(0), group.infer.at(0), frame);
      group.train.drop_first();
      group.infer.drop_first();
    }
  }

  TIKC_ON_BOTH void lead(float z, float w) {
    if constexpr (has_seconds) {
      const float train_first = train.value(), infer_first = infer.value();
      train_second = higher_of(train_second, train_first < z ? train_first : z);
      infer_second = higher_of(infer_second, infer_first < w ? infer_first : w);
    }
    train.add(z);
    infer.add(w);
  }

  TIKC_ON_BOTH void raw(float z, float drift) {
    if constexpr ((Wants & row_want::logit_l2) != 0)
      squares = drift * drift + squares;
    if constexpr ((Wants & row_want::logit_rel) != 0)
      relative = higher_of(relative, std::fabs(drift) / higher_of(std::fabs(z), 1));
  }
};

/// The second pass. Sums are in units of the weights. `far_` is for tokens whose drift is beyond
/// the smallest series.
template <number_format Train, number_format Infer, std::uint32_t Wants> struct comparing {
  static constexpr bool has_gains = (Wants & (row_want::tv | row_want::entropy_gap)) != 0;
  static constexpr bool has_entropy = (Wants & row_want::entropy_gap) != 0;
  static constexpr bool has_chi2 = (Wants & row_want::chi2) != 0;

  float distance = 0, excess = 0;                     // Σ |q − p| and Σ (q − p)
  float entropy = 0;                                  // Σ (q − p)·log₂ b
  float second = 0, third = 0, fourth = 0, fifth = 0; // Σ b·yᵏ
  float far_entropy = 0, far_forward = 0, far_backward = 0, far_hellinger = 0, far_js = 0;
  float far_chi2 = 0;

  /// `IsNear`: no token of the row has a large drift or a mask, so tokens are not tested.
  template <bool IsNear>
  TIKC_ON_BOTH void add(const pair_group<Train, Infer>& group, const comparing_frame& frame) {
    constexpr unsigned tokens = pair_group<Train, Infer>::tokens;
    float z[tokens], y[tokens];
    for (unsigned i = 0; i < tokens; ++i) {
      z[i] = group.train.at(i);
      y[i] = (group.infer.at(i) - z[i]) * frame.scale - frame.centre;
    }
    if constexpr (!IsNear) {
      float highest = std::fabs(y[0]);
      for (unsigned i = 1; i < tokens; ++i)
        highest = higher_of(highest, std::fabs(y[i]));
      if (!(highest <= series<rows::drift_tier::small>::reach)) {
        comparing copy = *this; // keeps the loop's sums in registers
        add_slowly(copy, group, frame);
        *this = copy;
        return;
      }
    }
    for (unsigned i = 0; i < tokens; ++i)
      add_near(z[i], y[i], frame);
  }

  /// Adds a token of any kind.
  TIKC_ON_BOTH void add_any(float z, float w, const comparing_frame& frame) {
    if (z == -infinity) // on both sides, or the row would not be compared
      return;
    const float y = (w - z) * frame.scale - frame.centre;
    const float log_weight = y * (log2_e / 2) + fused(z, frame.log2_scale, -frame.offset);
    if (y * y <= 1)
      add_medium(log_weight, y);
    else
      add_far(log_weight, y);
  }

private:
  TIKC_ON_BOTH void add_near(float z, float y, const comparing_frame& frame) {
    using near = series<rows::drift_tier::small>;
    const float log_weight = y * (log2_e / 2) + fused(z, frame.log2_scale, -frame.offset);
    const float first = power_of_two(log_weight) * y, power = first * y, cube = power * y;
    if constexpr (has_gains) {
      const float gain = cube * near::sinh1 + first;
      distance += std::fabs(gain);
      excess += gain;
      if constexpr (has_entropy)
        entropy = gain * log_weight + entropy;
    }
    second += power;
    third += cube;
    fourth = cube * y + fourth;
    if constexpr (has_chi2)
      fifth = cube * (y * y) + fifth;
  }

  TIKC_ON_BOTH TIKC_OUT_OF_LINE static void
  add_slowly(comparing& to, pair_group<Train, Infer> group, const comparing_frame& frame) {
    for (unsigned i = 0; i < pair_group<Train, Infer>::tokens; ++i) {
      to.add_any(group.train.at(0), group.infer.at(0), frame);
      group.train.drop_first();
      group.infer.drop_first();
    }
  }

  TIKC_ON_BOTH void add_medium(float log_weight, float y) {
    using taylor = rows::row_series<rows::drift_tier::medium>;
    constexpr auto odd = narrowed(taylor::sinh);
    constexpr auto forward = narrowed(taylor::kl);
    constexpr auto backward = narrowed(taylor::kl, true);
    constexpr auto hellinger = narrowed(taylor::hellinger);
    constexpr auto js = narrowed(taylor::js);
    constexpr auto chi2 = narrowed(taylor::chi2);
    constexpr auto mean = narrowed(taylor::entropy);
    const float weight = power_of_two(log_weight), square = y * y, power = weight * square;
    const float gain = weight * y * polynomial(odd, square);
    distance += std::fabs(gain);
    excess += gain;
    far_forward += power * polynomial(forward, y);
    far_backward += power * polynomial(backward, y);
    far_hellinger += power * polynomial(hellinger, y);
    far_js += power * polynomial(js, y);
    if constexpr (has_chi2)
      far_chi2 += power * polynomial(chi2, y);
    if constexpr (has_entropy) {
      entropy += weight > 0 ? gain * log_weight : 0;
      far_entropy += power * polynomial(mean, y);
    }
  }

  TIKC_ON_BOTH void add_far(float log_weight, float y) {
    const float half = y * (log2_e / 2);
    const float p = power_of_two(log_weight - half), q = power_of_two(log_weight + half);
    const float root_p = power_of_two((log_weight - half) / 2),
                root_q = power_of_two((log_weight + half) / 2), roots = root_q - root_p;
    distance += std::fabs(q - p);
    excess += q - p;
    far_forward += q - p - p * y;
    far_backward += p - q + q * y;
    far_hellinger += roots * roots / 2;
    far_js += js_of(p, q, y) / 2;
    if constexpr (has_chi2)
      far_chi2 += power_of_two(log_weight - 3 * half) - 2 * p + q;
    if constexpr (has_entropy) { // minus q − p, like the series of near tokens
      constexpr float log_2 = 0.693147181F;
      const float log = log_weight > -1e4F ? log_weight * log_2 : 0;
      far_entropy += q * (log + y / 2) - p * (log - y / 2) - (q - p);
    }
  }

  /// Returns p log(2p/(p + q)) + q log(2q/(p + q)).
  TIKC_ON_BOTH static float js_of(float p, float q, float y) {
    const float small = y < 0 ? q : p, large = y < 0 ? p : q;
    const float log_sum = log1pf(power_of_two(-std::fabs(y) * log2_e));
    return (large + small) * (0.693147181F - log_sum) - small * std::fabs(y);
  }
};

} // namespace tikc::cuda::detail
