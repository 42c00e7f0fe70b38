#pragma once

#include "tikc/detail/prefetch.h"
#include "tikc/detail/row_series.h"
#include "tikc/detail/row_statistics.h"
#include "tikc/formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

/// The data that the passes over a row exchange. Logits are z and z′, scaled by 1/temperature to
/// a·z and a′·z′.
namespace tikc::detail::rows {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The number of tokens in a block: few enough for safe partial sums in fp32 and cheap retries, and
/// enough to make adding the sums negligible.
constexpr std::size_t row_block_tokens = 1024;
/// A multiple of every instruction set's vector size.
constexpr std::size_t row_padding = 16;

/// An exact difference a − b: `low` is the rounding error of `high`.
struct exact_difference {
  double high, low;
};
inline exact_difference difference(double a, double b) {
  double high = a - b, took = high - a;
  return {high, (a - (high - took)) - (b + took)};
}

/// The reference point of weights: log p̂ = a·(z − top) and log q̂ = a′·(z′ − other), up to the
/// residue; x is their difference. `top` is a logit of the trainer's row. `other` is the
/// inference's logit at the trainer's most likely token so far, or its own largest logit if that is
/// far above. So the peak's terms are exact, the other terms are small, and the distance between
/// the rows cancels.
struct row_frame {
  float top = 0, other = 0;
  double train_scale = 1, infer_scale = 1;
  /// The amount that x omits from the difference, so that the fp32 subtrahend is a float.
  double residue = 0;

  bool is_alike() const { return train_scale == infer_scale; }
  exact_difference apart() const {
    return difference(static_cast<double>(other), static_cast<double>(top));
  }
  /// Returns what x subtracts from a·(z′ − z) if the scales are alike.
  double centre() const { return apart().high * train_scale + residue; }

  /// Return how far log p̂ and log q̂ fall when the frame moves.
  double train_fall(const row_frame& next) const {
    return (static_cast<double>(next.top) - static_cast<double>(top)) * train_scale;
  }
  double infer_fall(const row_frame& next) const {
    return (static_cast<double>(next.other) - static_cast<double>(other)) * infer_scale +
           next.residue - residue;
  }
  /// Returns how far x falls. It is not computed as the difference of the falls, which would lose
  /// it if both are large.
  double fall(const row_frame& next) const {
    if (!is_alike())
      return infer_fall(next) - train_fall(next);
    return raw_fall(next) * train_scale + (next.residue - residue);
  }
  /// Returns how far z′ − other − (z − top) falls.
  double raw_fall(const row_frame& next) const {
    exact_difference from = apart(), to = next.apart();
    return (to.high - from.high) + (to.low - from.low);
  }
};

/// How pairs of logits are read. Each way also handles the cases of the previous ones.
enum class reading : std::uint8_t {
  bf16,   // as `plain`, but both rows are bf16: the usual case, in which a branch per load
          // shows
  plain,  // no temperature, no mask, rows close to each other
  scaled, // both sides at one temperature
  masked, // shared masks
  exact,  // x in double: products with two temperatures, or rows far apart, would hide a small
          // drift
};

struct row_block {
  row_view train, infer;
  float* weights; // √(p̂q̂) of each token
  std::size_t tokens;
  float infer_peak; // the largest logit of the inference in earlier blocks
};

/// The largest value and the next one.
struct leaders {
  float first = -infinity, second = -infinity;

  void merge(const leaders& other) {
    second = std::max(std::max(second, other.second), std::min(first, other.first));
    first = std::max(first, other.first);
  }
};

struct spread {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void merge(const spread& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
  double reach() const { return std::max(-low, high); }
  double width() const { return high - low; }
  spread moved(double by) const { return {low + by, high + by}; }
};

/// Invalid logits, and masks of one side only.
struct row_faults {
  std::uint32_t nonfinite = 0;
  std::uint32_t spoilt = 0;                     // NaN or +inf
  std::uint32_t train_only = 0, infer_only = 0; // tokens that the other side masks

  void merge(const row_faults& other) {
    nonfinite += other.nonfinite;
    spoilt += other.spoilt;
    train_only += other.train_only;
    infer_only += other.infer_only;
  }
};

/// Statistics of the raw logits of a block or a row.
struct raw_drift {
  spread gap; // z′ − z, minus the frame's
  double squares = 0;
  float relative = 0;
  leaders train, infer;

  void merge(const raw_drift& other) {
    squares += other.squares;
    relative = std::max(relative, other.relative);
    train.merge(other.train);
    infer.merge(other.infer);
  }
};

/// Σ p̂, Σ q̂, and a separate Σ (q̂ − p̂), which has the digits of small drifts; and approximately
/// Σ b log b.
struct row_weights {
  double train = 0, infer = 0, excess = 0, level = 0;
};

/// Σ e^u and Σ u·e^u over the tokens of one side.
struct row_law {
  double weight = 0, level = 0;

  void add(const row_law& other) {
    weight += other.weight;
    level += other.level;
  }
};

struct first_pass {
  raw_drift raw;
  row_weights weights;
  spread shift; // of x
  row_faults faults;
  bool finite = true, masked = false;
};

/// Sums over tokens. Those of b·f(y) are in units of b if the block's weights are, else in units of
/// 1.
struct divergences {
  double distance = 0; // Σ |q − p|
  double hellinger = 0, kl_train_infer = 0, kl_infer_train = 0, js = 0, chi2 = 0;
  double entropy = 0; // H(p) − H(q), except for the difference of the two sums from 1
  double missing = 0;

  void add(const divergences& other, double unit) {
    distance += unit * other.distance;
    hellinger += unit * other.hellinger;
    kl_train_infer += unit * other.kl_train_infer;
    kl_infer_train += unit * other.kl_infer_train;
    js += unit * other.js;
    chi2 += unit * other.chi2;
    entropy += unit * other.entropy;
    missing += unit * other.missing;
  }
};

/// What the second pass knows about the whole row.
struct row_normal {
  row_frame frame;
  double log_train, log_infer; // log Σ p̂, log Σ q̂
  double shift;                // the difference, precise enough for small drifts: y = x − shift
  double level;                // approximately log b; entropies are sums of what remains
};

} // namespace tikc::detail::rows
