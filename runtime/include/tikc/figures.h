#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

/// The table of figures (tikc/figures.def) as data.
namespace tikc {

/// What is observed together.
enum class source : std::uint8_t { rows, routes, tokens, sequences, requests, replays };

enum class figure : std::uint8_t {
#define TIKC_FIGURE(Id, name, ...) name,
#include "tikc/figures.def"
  window_figure // what figures of a whole window are computed from
};

/// Where the values of a figure lie.
enum class figure_range : std::uint8_t {
  any,   // signed
  size,  // from 0 on
  share, // 0 to 1
  log_2, // 0 to log 2
  times, // from 1 on: by what factor
  held   // within the two ratios that are its parameters
};

/// How a figure of a token goes with x = log p − log q.
enum class course : std::uint8_t {
  rises,
  falls,
  even,    // with |x|
  convex,  // its largest value is at an end
  outside, // 1 outside of limits, else 0
  apart    // no extreme, no quantile of it is x's
};

/// What a response has its mean of a figure of its tokens from.
enum class averaging : std::uint8_t {
  by_gap, // the log-ratio, or a sum of sizes that such figures share
  by_sum, // a sum of its own
  never   // whether a token is so is for shares
};

/// Which statistics of a pair of rows are computed together.
enum class row_pass : std::uint8_t {
  plain,    // of largest logits and of faults
  ranged,   // of the drift's two ends
  raw,      // of logits as they are
  weighed,  // of the two distributions, each by itself
  compared, // of both at once
  moments   // of both at once, by powers of the drift
};

struct figure_row {
  const char* name;
  source from;
  figure_range range;
  const char* unit; // a base unit, or nothing
  const char* says;
  tikc::course course = tikc::course::apart; // of a token's
  averaging averaged = averaging::never;
};

inline constexpr figure_row figure_table[] = {
#define TIKC_FIGURE(Id, name, of, range, unit, says)                                               \
  {#name, source::of, figure_range::range, unit, says},
#define TIKC_TOKEN(Id, name, range, unit, how, total, squares, averaged, says)                     \
  {#name, source::tokens, figure_range::range, unit, says, course::how, averaging::averaged},
#include "tikc/figures.def"
    {"window_figure", source::tokens, figure_range::size, "",
     "What figures of a whole window are computed from."}};

constexpr const figure_row& row_of(figure what) {
  return figure_table[static_cast<std::size_t>(what)];
}

namespace detail {

/// A figure as a type: what has code of its own for each is an overload for each, so that one
/// that was forgotten does not compile.
template <figure> struct which {};

/// How many figures before this one each response has a sum of.
constexpr std::size_t response_sums_before(figure end) {
  std::size_t out = 1; // of |x|
  for (std::size_t i = 0; i < static_cast<std::size_t>(end); ++i)
    out += figure_table[i].averaged == averaging::by_sum ? 1U : 0U;
  return out;
}

} // namespace detail
} // namespace tikc
