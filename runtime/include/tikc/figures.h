#pragma once

#include "tikc/kinds.h"

#include <cstddef>
#include <cstdint>
#include <limits>

/// The table of figures (tikc/figures.def) as data.
namespace tikc {

enum class figure : std::uint8_t {
#define TIKC_FIGURE(Id, name, ...) name,
#include "tikc/figures.def"
  window_figure // the source of figures of a whole window
};

/// The range of a figure's values.
enum class figure_range : std::uint8_t {
  any,   // signed
  size,  // at least 0
  share, // 0 to 1
  log_2, // 0 to log 2
  times, // a factor of at least 1
  held   // within the two ratios that are its parameters
};

/// How a token's figure depends on x = log p − log q.
enum class course : std::uint8_t {
  rises,
  falls,
  even,    // rises with |x|
  convex,  // its largest value is at an end of x
  outside, // 1 outside of limits, else 0
  apart    // neither extremes nor quantiles follow from those of x
};

/// What a response's mean of a token figure is computed from.
enum class averaging : std::uint8_t {
  by_gap, // the log-ratio, or a sum of absolute values that such figures share
  by_sum, // a sum of its own
  never   // the figure is a property of a token, for shares only
};

/// The pass that computes a statistic of a pair of rows.
enum class row_pass : std::uint8_t {
  plain,    // largest logits and faults
  ranged,   // the two ends of the drift
  raw,      // raw logits
  weighed,  // each distribution by itself
  compared, // both distributions at once
  moments   // both distributions, by powers of the drift
};

struct figure_row {
  const char* name;
  source from;
  figure_range range;
  const char* unit; // a base unit, or null
  const char* says;
  tikc::course course = tikc::course::apart; // of a token figure
  averaging averaged = averaging::never;
};

inline constexpr figure_row figure_table[] = {
#define TIKC_FIGURE(Id, name, origin, range, unit, says)                                           \
  {#name, source::origin, figure_range::range, unit, says},
#define TIKC_TOKEN(Id, name, range, unit, how, total, squares, averaged, says)                     \
  {#name, source::tokens, figure_range::range, unit, says, course::how, averaging::averaged},
#include "tikc/figures.def"
    {"window_figure", source::tokens, figure_range::size, "",
     "What figures of a whole window are computed from."}};

constexpr const figure_row& row_of(figure what) {
  return figure_table[static_cast<std::size_t>(what)];
}

namespace detail {

/// A figure as a type. Code for each figure is an overload, so that a missing one does not compile.
template <figure> struct which {};

/// Counts the figures before `end` that each response has a sum of.
constexpr std::size_t response_sums_before(figure end) {
  std::size_t out = 1; // for |x|
  for (std::size_t i = 0; i < static_cast<std::size_t>(end); ++i)
    out += figure_table[i].averaged == averaging::by_sum ? 1U : 0U;
  return out;
}

} // namespace detail
} // namespace tikc
