#pragma once

#include "tikc/cell.h"
#include "tikc/tokens.h"

#include <utility>

/// Figures of sampled tokens, read off what one pass keeps of x = log p − log q: most are monotone
/// in x, so that an extreme, a count or a quantile of x is one of theirs.
namespace tikc::detail {

/// A weight held within its caps; what is no number stays none.
inline double capped(const signal& of, double weight) {
  return weight < of.low ? of.low : weight > of.high ? of.high : weight;
}

inline double outside(const signal& of, double x) { return x < of.low || x > of.high ? 1 : 0; }

inline double figure_at(const signal& of, double x) {
  switch (of.what) {
  case figure::logprob_gap:
    return of.absolute ? std::abs(x) : x;
  case figure::ratio:
    return std::exp(x);
  case figure::capped_ratio:
    return capped(of, std::exp(x));
  case figure::tv_sampled:
    return x < 0 ? -std::expm1(x) : 0;
  case figure::k1:
    return of.absolute ? std::abs(x) : -x;
  case figure::k2:
    return x * x / 2;
  case figure::k3: // convex, so its largest value is at an end
    return x > 0 && std::isinf(x) ? x : std::expm1(x) - x;
  case figure::clipped:
    return outside(of, x);
  case figure::veto:
    return x < of.low ? 1 : 0;
  default:
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// Which sum of a response a figure of its tokens has its mean from; nothing where that is the
/// log-ratio, or where the figure is none of tokens.
constexpr int response_sum_of(const signal& of) {
  switch (of.what) {
  case figure::logprob_gap:
  case figure::k1:
    return of.absolute ? static_cast<int>(response_sum::gap_size) : -1;
  case figure::ratio:
    return static_cast<int>(response_sum::ratio);
  case figure::tv_sampled:
    return static_cast<int>(response_sum::tv_sampled);
  case figure::k2:
    return static_cast<int>(response_sum::k2);
  case figure::k3:
    return static_cast<int>(response_sum::k3);
  case figure::prob_gap:
    return static_cast<int>(response_sum::prob_gap);
  default:
    return -1;
  }
}

/// Whether a signal of responses is their mean of a figure of tokens.
constexpr bool is_by_response(const signal& of) {
  return response_sum_of(of) >= 0 || of.what == figure::logprob_gap || of.what == figure::k1;
}

/// What a token adds to its response's sum. With one that is no number, the response's is none.
inline double response_term(response_sum of, float train, float infer) {
  const auto p = static_cast<double>(train), q = static_cast<double>(infer);
  if (is_bad(train, infer))
    return std::numeric_limits<double>::quiet_NaN();
  const auto x = static_cast<double>(train - infer);
  switch (of) {
  case response_sum::gap_size:
    return std::abs(x);
  case response_sum::ratio:
    return std::exp(x);
  case response_sum::tv_sampled:
    return x < 0 ? -std::expm1(x) : 0;
  case response_sum::k2:
    return x * x / 2;
  case response_sum::k3:
    return x > 0 && std::isinf(x) ? x : std::expm1(x) - x;
  case response_sum::prob_gap:
    return std::abs(std::exp(p) - std::exp(q));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// A response's mean of a figure of its tokens, of which there must be one.
inline double mean_by_response(const signal& of, const sequence& response) {
  const int at = response_sum_of(of);
  if (at >= 0)
    return response.mean(static_cast<response_sum>(at));
  const double gap = response.log_ratio.value() / static_cast<double>(response.tokens);
  return of.what == figure::k1 ? -gap : gap;
}

/// The larger value at the two ends of what was seen: right for whatever is monotone or convex in
/// x.
template <class Stats> offender largest_of(const signal& of, const Stats& tokens) {
  double low = figure_at(of, static_cast<double>(tokens.least));
  double high = figure_at(of, static_cast<double>(tokens.greatest));
  return low >= high ? offender{low, tokens.least_at} : offender{high, tokens.greatest_at};
}

/// For what is monotone in x.
template <class Stats> offender smallest_of(const signal& of, const Stats& tokens) {
  double low = figure_at(of, static_cast<double>(tokens.least));
  double high = figure_at(of, static_cast<double>(tokens.greatest));
  return low <= high ? offender{low, tokens.least_at} : offender{high, tokens.greatest_at};
}

template <class Stats> std::uint64_t count_of(const keeper& of, const Stats& tokens) {
  std::uint64_t out = 0;
  bool counted = false;
  auto add = [&](std::int16_t at, const auto& counts) {
    if (at < 0)
      return;
    // A token that is none is in both counts of a band.
    out += counts[static_cast<std::size_t>(at)] - (counted ? tokens.bad : 0);
    counted = true;
  };
  add(of.above, tokens.above);
  add(of.below, tokens.below);
  add(of.beyond, tokens.beyond);
  return of.counts_nan ? out : out - tokens.bad;
}

template <class Stats> double total_of(const signal& of, const keeper& kept, const Stats& tokens) {
  switch (of.what) {
  case figure::logprob_gap:
    return tokens.total(of.absolute ? token_sum::gap_size : token_sum::gap);
  case figure::ratio:
    return tokens.weights();
  case figure::tv_sampled:
    return tokens.total(token_sum::tv_sampled);
  case figure::k1:
    return of.absolute ? tokens.total(token_sum::gap_size) : -tokens.total(token_sum::gap);
  case figure::k2:
    return tokens.total(token_sum::gap_square) / 2;
  case figure::k3:
    return tokens.total(token_sum::k3);
  case figure::prob_gap:
    return tokens.total(token_sum::prob_gap);
  default:
    return static_cast<double>(count_of(kept, tokens));
  }
}

/// Of the figures whose squares one pass keeps.
template <class Stats> double squares_of(const signal& of, const Stats& tokens) {
  return of.what == figure::ratio ? tokens.square_weights() : tokens.total(token_sum::gap_square);
}

/// A quantile of a figure: what is shown of it, and where it lies.
struct shown_quantile {
  double value, low, high;
};
inline shown_quantile shown_as_is(quantile_range at) {
  return {static_cast<double>(at.shown()), static_cast<double>(at.low),
          static_cast<double>(at.high)};
}

/// A quantile of what is monotone in x or in |x|: that of x, taken to the figure.
template <class Stats>
shown_quantile quantile_of(const signal& of, const Stats& tokens, quantile_level level,
                           nan_rank nan) {
  auto mapped = [&](quantile_range x) {
    shown_quantile out = shown_as_is(x);
    for (double* each : {&out.value, &out.low, &out.high})
      *each = figure_at(of, *each);
    if (out.high < out.low)
      std::swap(out.low, out.high);
    // A ratio that no double holds: what is shown of a number that is one stays one.
    constexpr double most = std::numeric_limits<double>::max();
    if (x.low < x.high && out.value > most)
      out.value = out.low = most;
    return out;
  };
  bool is_even = of.what == figure::k2 || of.absolute;
  bool falls = of.what == figure::tv_sampled || (of.what == figure::k1 && !of.absolute);
  if (is_even) {
    quantile_range size = tokens.sketch.magnitude_quantile(level, nan);
    // No size is below zero: that is where NaN ranks lowest.
    return size.high < 0 ? shown_as_is(size) : mapped(size);
  }
  nan_rank opposite = nan == nan_rank::highest ? nan_rank::lowest : nan_rank::highest;
  return mapped(falls ? tokens.sketch.quantile_from_top(level, opposite)
                      : tokens.sketch.quantile(level, nan));
}

} // namespace tikc::detail
