#pragma once

#include "tikc/cell.h"
#include "tikc/tokens.h"

#include <utility>

/// Figures of sampled tokens, derived from the statistics of x = log p − log q that the tokens'
/// pass keeps. Most figures are monotone in x, so their extremes, counts and quantiles follow from
/// those of x.
namespace tikc::detail {

/// Clamps a weight to its caps. NaN stays NaN.
inline double capped(const signal& observable, double weight) {
  return weight < observable.low    ? observable.low
         : weight > observable.high ? observable.high
                                    : weight;
}

inline double outside(const signal& observable, double x) {
  return x < observable.low || x > observable.high ? 1 : 0;
}

/// Returns a term of the divergence of a from b, for an outcome of probability a and y = log(b/a).
/// It includes b − a, which sums to 0 over all outcomes. So no term is negative, and terms keep
/// their precision if a and b are close.
inline double divergence_part(double a, double b, double y) {
  if (a <= 0) // a rounds to 0; if b is exactly 0, y is -inf
    return std::isinf(y) && y < 0 ? -y : b;
  return std::abs(y) < 0.5 ? a * (std::expm1(y) - y) : b - a - a * y;
}

/// Returns KL(q‖p) of a token against all others, from its log-probs. Single precision cannot
/// distinguish a certain token from an almost certain one. So the other tokens have at least the
/// probability that rounding removes; otherwise a rounding difference would be infinite.
inline double binary_kl(double train, double infer) {
  constexpr double surest = -0x1p-25;
  const double log_p = train > surest ? surest : train, log_q = infer > surest ? surest : infer;
  const double x = log_p - log_q;
  const double p = std::exp(log_p), q = std::exp(log_q);
  const double other_p = -std::expm1(log_p), other_q = -std::expm1(log_q);
  const double rise = -q * std::expm1(x) / other_q;
  const double y = std::abs(rise) < 0.5 ? std::log1p(rise) : std::log(other_p / other_q);
  return divergence_part(q, p, x) + divergence_part(other_q, other_p, y);
}

/// The log-probs and x of a sampled token. The log-probs are NaN if only an end of x is known.
struct token_point {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double x, train = none, infer = none;
};

// The figures of tokens, with an overload for each.

inline double value_of(which<figure::logprob_gap>, const signal& observable,
                       const token_point& at) {
  return observable.absolute ? std::abs(at.x) : at.x;
}
inline double value_of(which<figure::ratio>, const signal&, const token_point& at) {
  return std::exp(at.x);
}
inline double value_of(which<figure::capped_ratio>, const signal& observable,
                       const token_point& at) {
  return capped(observable, std::exp(at.x));
}
inline double value_of(which<figure::tv_sampled>, const signal&, const token_point& at) {
  return at.x < 0 ? -std::expm1(at.x) : 0;
}
inline double value_of(which<figure::k1>, const signal& observable, const token_point& at) {
  return observable.absolute ? std::abs(at.x) : -at.x;
}
inline double value_of(which<figure::k2>, const signal&, const token_point& at) {
  return at.x * at.x / 2;
}
inline double value_of(which<figure::k3>, const signal&, const token_point& at) {
  return at.x > 0 && std::isinf(at.x) ? at.x : std::expm1(at.x) - at.x;
}
inline double value_of(which<figure::mult_prob_error>, const signal&, const token_point& at) {
  return std::exp(std::abs(at.x));
}
inline double value_of(which<figure::prob_gap>, const signal&, const token_point& at) {
  return std::abs(std::exp(at.train) - std::exp(at.infer));
}
inline double value_of(which<figure::binary_kl>, const signal&, const token_point& at) {
  return binary_kl(at.train, at.infer);
}
inline double value_of(which<figure::clipped>, const signal& observable, const token_point& at) {
  return outside(observable, at.x);
}
inline double value_of(which<figure::veto>, const signal& observable, const token_point& at) {
  return at.x < observable.low ? 1 : 0;
}

inline double figure_at(const signal& observable, const token_point& at) {
  switch (observable.what) {
#define TIKC_TOKEN(Id, name, ...)                                                                  \
  case figure::name:                                                                               \
    return value_of(which<figure::name>(), observable, at);
#include "tikc/figures.def"
  default:
    return token_point::none;
  }
}
inline double figure_at(const signal& observable, double x) {
  return figure_at(observable, token_point{x});
}

inline token_point point_at(const token_batch& batch, std::size_t token) {
  return {static_cast<double>(gap_at(batch, token)), static_cast<double>(batch.train[token]),
          static_cast<double>(batch.infer[token])};
}
/// Returns the point with the most precise x. If x is infinite, the floats show which side is.
inline token_point point_at(const gapped_batch& batch, std::size_t token) {
  const double x = static_cast<double>(batch.gap[token]);
  const double infer = static_cast<double>(batch.infer[token]);
  return {x, std::isfinite(x) ? infer + x : static_cast<double>(batch.train[token]), infer};
}

/// Returns a figure of a token that may be bad.
template <class Batch>
double token_value(const signal& observable, const Batch& batch, std::size_t token) {
  return is_bad(batch.train[token], batch.infer[token], gap_at(batch, token))
             ? token_point::none
             : figure_at(observable, point_at(batch, token));
}

/// Returns whether a signal is the mean over a response of a token figure.
constexpr bool is_by_response(const signal& observable) {
  return row_of(observable.what).averaged != averaging::never;
}

/// Returns the index of the response sum that a mean uses, or -1 if it uses the log-ratio or the
/// figure is not of tokens.
constexpr int response_sum_of(const signal& observable) {
  switch (row_of(observable.what).averaged) {
  case averaging::by_gap:
    return observable.absolute ? 0 : -1;
  case averaging::by_sum:
    return static_cast<int>(response_sums_before(observable.what));
  case averaging::never:
    break;
  }
  return -1;
}

/// Returns a response's mean of a token figure; requires a token.
inline double mean_by_response(const signal& observable, const sequence& response) {
  const int at = response_sum_of(observable);
  if (at >= 0)
    return response.mean(static_cast<std::size_t>(at));
  const double gap = response.log_ratio.value() / static_cast<double>(response.tokens);
  return row_of(observable.what).course == course::falls ? -gap : gap;
}

/// Returns the larger value at the two ends of x. It is exact for figures that are monotone or
/// convex in x.
template <class Stats> offender largest_of(const signal& observable, const Stats& tokens) {
  double low = figure_at(observable, static_cast<double>(tokens.least));
  double high = figure_at(observable, static_cast<double>(tokens.greatest));
  return low >= high ? offender{low, tokens.least_at} : offender{high, tokens.greatest_at};
}

/// Returns the smaller value at the two ends of x, for figures that are monotone in x.
template <class Stats> offender smallest_of(const signal& observable, const Stats& tokens) {
  double low = figure_at(observable, static_cast<double>(tokens.least));
  double high = figure_at(observable, static_cast<double>(tokens.greatest));
  return low <= high ? offender{low, tokens.least_at} : offender{high, tokens.greatest_at};
}

template <class Stats> std::uint64_t count_of(const keeper& entry, const Stats& tokens) {
  std::uint64_t out = 0;
  bool counted = false;
  auto add = [&](std::int16_t at, const auto& counts) {
    if (at < 0)
      return;
    // Bad tokens are in both counts of a band.
    out += counts[static_cast<std::size_t>(at)] - (counted ? tokens.bad : 0);
    counted = true;
  };
  add(entry.above, tokens.above);
  add(entry.below, tokens.below);
  add(entry.beyond, tokens.beyond);
  return entry.counts_nan ? out : out - tokens.bad;
}

/// The sum of a figure in the tokens' pass as a type: total_of has an overload for each.
template <std::uint32_t Want> struct summed {};

template <class Stats>
double total_of(summed<token_want::none>, const signal&, const keeper& kept, const Stats& tokens) {
  return static_cast<double>(count_of(kept, tokens));
}
template <class Stats>
double total_of(summed<token_want::gap>, const signal& observable, const keeper&,
                const Stats& tokens) {
  const double gap = tokens.total(observable.absolute ? token_sum::gap_size : token_sum::gap);
  return row_of(observable.what).course == course::falls && !observable.absolute ? -gap : gap;
}
template <class Stats>
double total_of(summed<token_want::ratio>, const signal&, const keeper&, const Stats& tokens) {
  return tokens.weights();
}
template <class Stats>
double total_of(summed<token_want::tv_sampled>, const signal&, const keeper&, const Stats& tokens) {
  return tokens.total(token_sum::tv_sampled);
}
template <class Stats>
double total_of(summed<token_want::k2>, const signal&, const keeper&, const Stats& tokens) {
  return tokens.total(token_sum::gap_square) / 2;
}
template <class Stats>
double total_of(summed<token_want::k3>, const signal&, const keeper&, const Stats& tokens) {
  return tokens.total(token_sum::k3);
}
template <class Stats>
double total_of(summed<token_want::mult_prob_error>, const signal&, const keeper&,
                const Stats& tokens) {
  return tokens.mult_prob_errors();
}
template <class Stats>
double total_of(summed<token_want::prob_gap>, const signal&, const keeper&, const Stats& tokens) {
  return tokens.total(token_sum::prob_gap);
}

template <class Stats>
double total_of(const signal& observable, const keeper& kept, const Stats& tokens) {
  switch (observable.what) {
#define TIKC_TOKEN(Id, name, range, unit, course, total, ...)                                      \
  case figure::name:                                                                               \
    return total_of(summed<token_want::total>(), observable, kept, tokens);
#include "tikc/figures.def"
  default:
    return token_point::none;
  }
}

template <class Stats> double squares_of(summed<token_want::none>, const Stats&) {
  return token_point::none;
}
template <class Stats> double squares_of(summed<token_want::k2>, const Stats& tokens) {
  return tokens.total(token_sum::gap_square);
}
template <class Stats> double squares_of(summed<token_want::tv_square>, const Stats& tokens) {
  return tokens.total(token_sum::tv_square);
}
template <class Stats> double squares_of(summed<token_want::prob_gap_square>, const Stats& tokens) {
  return tokens.total(token_sum::prob_gap_square);
}
template <class Stats> double squares_of(summed<token_want::ratio>, const Stats& tokens) {
  return tokens.square_weights();
}

/// Returns the sum of squares of a figure, if the tokens' pass keeps it.
template <class Stats> double squares_of(const signal& observable, const Stats& tokens) {
  switch (observable.what) {
#define TIKC_TOKEN(Id, name, range, unit, course, total, squares, ...)                             \
  case figure::name:                                                                               \
    return squares_of(summed<token_want::squares>(), tokens);
#include "tikc/figures.def"
  default:
    return token_point::none;
  }
}

/// A quantile of a figure: the value to show, and its bounds.
struct shown_quantile {
  double value, low, high;
};
inline shown_quantile shown_as_is(quantile_range at) {
  return {static_cast<double>(at.shown()), static_cast<double>(at.low),
          static_cast<double>(at.high)};
}

/// Returns a quantile of a figure that is monotone in x or |x|: the quantile of x, mapped to the
/// figure.
template <class Stats>
shown_quantile quantile_of(const signal& observable, const Stats& tokens, quantile_level level,
                           nan_rank nan) {
  auto mapped = [&](quantile_range x) {
    shown_quantile out = shown_as_is(x);
    for (double* each : {&out.value, &out.low, &out.high})
      *each = figure_at(observable, *each);
    if (out.high < out.low)
      std::swap(out.low, out.high);
    // Show a finite number if the ratio is finite but beyond a double.
    constexpr double most = std::numeric_limits<double>::max();
    if (x.low < x.high && out.value > most)
      out.value = out.low = most;
    return out;
  };
  const course goes = observable.absolute ? course::even : row_of(observable.what).course;
  if (goes == course::even) {
    quantile_range size = tokens.sketch.magnitude_quantile(level, nan);
    // Sizes are not negative; a negative one marks the lowest rank of NaN.
    return size.high < 0 ? shown_as_is(size) : mapped(size);
  }
  nan_rank opposite = nan == nan_rank::highest ? nan_rank::lowest : nan_rank::highest;
  return mapped(goes == course::falls ? tokens.sketch.quantile_from_top(level, opposite)
                                      : tokens.sketch.quantile(level, nan));
}

} // namespace tikc::detail
