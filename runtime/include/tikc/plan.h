#pragma once

#include "tikc/detail/row_statistics.h"
#include "tikc/sketch.h"

#include <cstddef>
#include <cstdint>

/// The tables that a generated checker states as constants; templates turn them into straight code.
namespace tikc {

enum class comparator : std::uint8_t { at_most, below, at_least, above, equal, not_equal };

/// Written so that NaN compares as nothing does.
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

/// Where a number lies of which no more is known.
struct ends {
  double low, high;
};

/// What sampling clauses want a share of.
enum class input : std::uint8_t { rows, routes, tokens, requests, batch_replays, request_replays };

/// One number that an observation gives.
struct signal {
  source from;
  figure what;
  std::uint16_t stream;
  bool absolute;
  double low, high; // ratios where the figure is one, else their logarithms
};

/// Two kernels that observations compare.
struct stream {
  double train_temperature, infer_temperature;
  std::uint32_t row_wants;
  mask_rule masks = mask_rule::strict;
  row_cut cut = {};      // the inference's
  bool is_served = true; // the server drew what it is shown
};

/// What is kept of a signal.
enum class fold : std::uint8_t {
  total,
  squares,
  largest,
  smallest,
  nonzero,
  share,
  sketch,
  moments
};

/// Where it is read from: what tokens' one pass keeps is not kept a second time.
enum class reading : std::uint8_t { cell, tokens };

struct keeper {
  std::uint16_t signal;
  reading from;
  fold how;
  comparator than; // of a share
  bool counts_nan; // of a share: NaN is where the clause does not want it
  double threshold;
  std::uint16_t slot; // among those of its kind
  /// Of tokens: where in the plan's `above`, `below` and `beyond` the thresholds on x stand that
  /// say the same; -1 where none does.
  std::int16_t above, below, beyond;
};

/// What ends a window. That of a stage goes from one evaluation to the next.
enum class window_unit : std::uint8_t { stage, ticks, seconds, tokens, sequences, requests, steps };
struct window {
  window_unit unit;
  double amount;
};

enum class estimator : std::uint8_t {
  largest,
  smallest,
  mean,
  root_mean_square,
  deviation,
  effective_share,
  quantile,
  share,
  total,
  nonzero,
  ess,
  perplexity_ratio,
  pearson,
  slope,
  sampled,  // the share of what was served that was observed
  coherence // the mean ratio p/q of sampled tokens: 1 at most where q is the law that drew them
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
  std::uint16_t keepers[4]; // one for each limit, then a quantile's sketch; squares, then a total
  quantile_level level;
  limit limits[2];
  std::uint8_t limit_count;
  double alpha; // 0: the point value decides
  std::uint64_t least;
  double low, high; // of what a confidence is about
  std::uint16_t window;
  std::uint16_t history; // of a slope: windows
  bool absolute;         // of a slope or a window's own figure: its size
  bool on_mixture;
  std::uint16_t worst = no_keeper; // keeps the observations that stand out
  input sampled = input::rows;     // of a share of what was served
};

/// What a promotion stage asks for; 0 where it does not say. A tick of the router is its window.
struct promotion_stage {
  const char* name;
  double traffic; // a share
  tikc::window window;
  double tokens, sequences, lasts; // seconds
};

/// Checks [first, first + count) must all hold.
struct clause {
  const char* id;
  const char* because;
  std::uint16_t first, count;
};

} // namespace tikc
