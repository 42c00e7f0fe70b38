#pragma once

#include "tikc/detail/row_statistics.h"
#include "tikc/kinds.h"
#include "tikc/sketch.h"

#include <cstddef>
#include <cstdint>

/// The tables that a generated checker states as constants. Templates compile them to straight
/// code.
namespace tikc {

/// Compares a value with a bound. NaN satisfies no comparison, not even `not_equal`.
constexpr bool compare(double value, comparator how, double bound) {
  switch (how) {
  case comparator::at_most:
    return value <= bound;
  case comparator::below:
    return value < bound;
  case comparator::at_least:
    return value >= bound;
  case comparator::above:
    return value > bound;
  case comparator::equal:
    return value == bound;
  case comparator::not_equal:
    return value < bound || value > bound;
  }
  return false;
}

constexpr bool is_upper(comparator how) {
  return how == comparator::at_most || how == comparator::below;
}

/// An interval that contains a number.
struct ends {
  double low, high;
};

/// One number of an observation.
struct signal {
  source from;
  figure what;
  std::uint16_t stream;
  bool absolute;
  double low, high; // ratios if the figure is a ratio, else logarithms of ratios
};

/// Two kernels that observations compare.
struct stream {
  double train_temperature, infer_temperature;
  std::uint32_t row_wants;
  mask_rule masks = mask_rule::strict;
  row_cut cut = {};      // of the inference kernel
  bool is_served = true; // whether the server sampled the tokens of this stream

  /// Returns whether a row's missing mass depends on the cuts, which row passes do not apply.
  constexpr bool misses_by_cuts() const {
    return (row_wants & row_want::missing_mass) != 0 && cut.is_any() && infer_temperature != 0;
  }
};

/// Where a statistic is read from. The tokens' pass keeps some already; they are not kept twice.
enum class reading : std::uint8_t { cell, tokens };

struct keeper {
  std::uint16_t signal;
  reading from;
  fold how;
  comparator than; // for `share`
  bool counts_nan; // for `share`: NaN counts if the clause does not want it
  double threshold;
  std::uint16_t slot; // the index among keepers of the same kind
  /// For tokens: the indices of the equivalent thresholds on x in the plan's `above`, `below` and
  /// `beyond`; -1 for none.
  std::int16_t above, below, beyond;
};

struct window {
  window_unit unit;
  double amount;
};

struct limit {
  comparator how;
  double bound;
};

inline constexpr std::uint16_t no_keeper = 0xffff;

struct check {
  const char* text;
  estimator how;
  std::uint16_t signal;
  std::uint16_t
      keepers[4]; // one for each limit, then a quantile's sketch; or squares, then a total
  quantile_level level;
  limit limits[2];
  std::uint8_t limit_count;
  double alpha; // 0: the point value decides
  std::uint64_t least;
  double low, high; // the range of values, for confidence intervals
  std::uint16_t window;
  std::uint16_t history; // of a slope, in windows
  bool absolute;         // for a slope or a figure of a window: compare its absolute value
  bool on_mixture;
  std::uint16_t worst = no_keeper;   // the keeper of outliers
  input sampled = input::rows;       // for the share of served inputs
  std::uint16_t squares = no_keeper; // the keeper of squares that narrow the interval of a mean
};

/// The requirements of a promotion stage; 0 means none. A router's tick is a stage's window.
struct promotion_stage {
  const char* name;
  double traffic; // a share
  tikc::window window;
  double tokens, sequences, lasts; // seconds
};

/// A clause: the checks [first, first + count), which must all hold.
struct clause {
  const char* id;
  const char* because;
  std::uint16_t first, count;
};

} // namespace tikc
