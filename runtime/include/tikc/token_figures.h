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

/// What an outcome of probability a adds to the divergence of a from b, y = log(b/a), with b − a,
/// which is 0 over all outcomes: so that none is negative, and digits stay where a and b are near.
inline double divergence_part(double a, double b, double y) {
  if (a <= 0) // at least to a double: b that is nothing at all is beyond any a
    return std::isinf(y) && y < 0 ? -y : b;
  return std::abs(y) < 0.5 ? a * (std::expm1(y) - y) : b - a - a * y;
}

/// KL(q‖p) of a token against all others, of its log-probs. Single precision does not tell a sure
/// token from one that is almost sure, so all others have at least the chance that it rounds off:
/// a difference of rounding would be infinite otherwise.
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

/// One sampled token's log-probs, and x. Where an end of x is all that is known, they are no
/// numbers.
struct token_point {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double x, train = none, infer = none;
};

// The figures of tokens, an overload each.

inline double value_of(which<figure::logprob_gap>, const signal& of, const token_point& at) {
  return of.absolute ? std::abs(at.x) : at.x;
}
inline double value_of(which<figure::ratio>, const signal&, const token_point& at) {
  return std::exp(at.x);
}
inline double value_of(which<figure::capped_ratio>, const signal& of, const token_point& at) {
  return capped(of, std::exp(at.x));
}
inline double value_of(which<figure::tv_sampled>, const signal&, const token_point& at) {
  return at.x < 0 ? -std::expm1(at.x) : 0;
}
inline double value_of(which<figure::k1>, const signal& of, const token_point& at) {
  return of.absolute ? std::abs(at.x) : -at.x;
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
inline double value_of(which<figure::clipped>, const signal& of, const token_point& at) {
  return outside(of, at.x);
}
inline double value_of(which<figure::veto>, const signal& of, const token_point& at) {
  return at.x < of.low ? 1 : 0;
}

inline double figure_at(const signal& of, const token_point& at) {
  switch (of.what) {
#define TIKC_TOKEN(Id, name, ...)                                                                  \
  case figure::name:                                                                               \
    return value_of(which<figure::name>(), of, at);
#include "tikc/figures.def"
  default:
    return token_point::none;
  }
}
inline double figure_at(const signal& of, double x) { return figure_at(of, token_point{x}); }

inline token_point point_at(const token_batch& batch, std::size_t token) {
  return {static_cast<double>(gap_at(batch, token)), static_cast<double>(batch.train[token]),
          static_cast<double>(batch.infer[token])};
}
/// As far apart as is known. Where x is infinite one side is, and which one floats tell.
inline token_point point_at(const gapped_batch& batch, std::size_t token) {
  const double x = static_cast<double>(batch.gap[token]);
  const double infer = static_cast<double>(batch.infer[token]);
  return {x, std::isfinite(x) ? infer + x : static_cast<double>(batch.train[token]), infer};
}

/// Of a token that may be none.
template <class Batch> double token_value(const signal& of, const Batch& batch, std::size_t token) {
  return is_bad(batch.train[token], batch.infer[token], gap_at(batch, token))
             ? token_point::none
             : figure_at(of, point_at(batch, token));
}

/// Whether a signal of responses is their mean of a figure of tokens.
constexpr bool is_by_response(const signal& of) {
  return row_of(of.what).averaged != averaging::never;
}

/// Which sum of a response a figure of its tokens has its mean from; -1 where that is the
/// log-ratio, or where the figure is none of tokens.
constexpr int response_sum_of(const signal& of) {
  switch (row_of(of.what).averaged) {
  case averaging::by_gap:
    return of.absolute ? 0 : -1;
  case averaging::by_sum:
    return static_cast<int>(response_sums_before(of.what));
  case averaging::never:
    break;
  }
  return -1;
}

/// A response's mean of a figure of its tokens, of which there must be one.
inline double mean_by_response(const signal& of, const sequence& response) {
  const int at = response_sum_of(of);
  if (at >= 0)
    return response.mean(static_cast<std::size_t>(at));
  const double gap = response.log_ratio.value() / static_cast<double>(response.tokens);
  return row_of(of.what).course == course::falls ? -gap : gap;
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

/// What the tokens' own pass sums a figure for, as a type: an overload of total_of for each.
template <std::uint32_t Want> struct summed {};

template <class Stats>
double total_of(summed<token_want::none>, const signal&, const keeper& kept, const Stats& tokens) {
  return static_cast<double>(count_of(kept, tokens));
}
template <class Stats>
double total_of(summed<token_want::gap>, const signal& of, const keeper&, const Stats& tokens) {
  const double gap = tokens.total(of.absolute ? token_sum::gap_size : token_sum::gap);
  return row_of(of.what).course == course::falls && !of.absolute ? -gap : gap;
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

template <class Stats> double total_of(const signal& of, const keeper& kept, const Stats& tokens) {
  switch (of.what) {
#define TIKC_TOKEN(Id, name, range, unit, course, total, ...)                                      \
  case figure::name:                                                                               \
    return total_of(summed<token_want::total>(), of, kept, tokens);
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
template <class Stats> double squares_of(summed<token_want::ratio>, const Stats& tokens) {
  return tokens.square_weights();
}

/// Of the figures whose squares one pass keeps.
template <class Stats> double squares_of(const signal& of, const Stats& tokens) {
  switch (of.what) {
#define TIKC_TOKEN(Id, name, range, unit, course, total, squares, ...)                             \
  case figure::name:                                                                               \
    return squares_of(summed<token_want::squares>(), tokens);
#include "tikc/figures.def"
  default:
    return token_point::none;
  }
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
  const course goes = of.absolute ? course::even : row_of(of.what).course;
  if (goes == course::even) {
    quantile_range size = tokens.sketch.magnitude_quantile(level, nan);
    // No size is below zero: that is where NaN ranks lowest.
    return size.high < 0 ? shown_as_is(size) : mapped(size);
  }
  nan_rank opposite = nan == nan_rank::highest ? nan_rank::lowest : nan_rank::highest;
  return mapped(goes == course::falls ? tokens.sketch.quantile_from_top(level, opposite)
                                      : tokens.sketch.quantile(level, nan));
}

} // namespace tikc::detail
