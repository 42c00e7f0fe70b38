#pragma once

#include "tikc/cell.h"
#include "tikc/coherence.h"
#include "tikc/token_figures.h"

namespace tikc {

/// All data of one slice over one period.
template <class Plan> struct kept {
  using tokens_of = token_stats<typename Plan::token_plan>;

  cell<Plan> observed;
  detail::several<Plan, tokens_of, detail::constant_cell_shape<Plan>().streams> tokens;

  kept() = default;
  explicit kept(const Plan& tables) : observed(tables) {
    if constexpr (!detail::is_constant<Plan>)
      detail::make(tokens, std::size(tables.streams), tables.asked_of_tokens);
  }

  void merge(const cell<Plan>& other) { observed.merge(other); }

  /// Clears in place: the object may be larger than the stack.
  void clear() {
    observed.clear();
    for (tokens_of& each : tokens)
      each.clear();
  }

  const tokens_of& tokens_for(const signal& observable) const { return tokens[observable.stream]; }

  std::uint64_t seen(std::uint16_t which) const {
    const signal& observable = plan().signal_table[which];
    return observable.from == source::tokens ? tokens_for(observable).count : observed.seen[which];
  }
  /// Returns how many observed values are NaN.
  std::uint64_t unknown(std::uint16_t which) const {
    const signal& observable = plan().signal_table[which];
    return observable.from == source::tokens ? tokens_for(observable).bad : observed.unknown[which];
  }

  /// Returns bounds of a sum or a sum of squares, with NaN values anywhere in their range.
  ends total(const keeper& at) const {
    const signal& observable = plan().signal_table[at.signal];
    const double sum = at.from == reading::cell ? observed.total[at.slot].value()
                       : at.how == fold::squares
                           ? detail::squares_of(observable, tokens_for(observable))
                           : detail::total_of(observable, at, tokens_for(observable));
    const auto missing = static_cast<double>(unknown(at.signal));
    if (missing == 0)
      return {sum, sum};
    const ends each = extent_in(at);
    // The tokens' pass keeps no sum without the unknown values, so an unbounded figure has no upper
    // bound.
    if (std::isinf(each.high))
      return {static_cast<double>(seen(at.signal)) * each.low, each.high};
    const double known = at.from == reading::tokens ? sum - missing * each.high : sum;
    return {known + missing * each.low, known + missing * each.high};
  }
  /// Returns the sample variance from two keepers of one signal; NaN if a value is unknown.
  double variance(const keeper& squares, const keeper& total_at) const {
    const signal& observable = plan().signal_table[squares.signal];
    if (unknown(squares.signal) != 0)
      return std::numeric_limits<double>::quiet_NaN();
    const double n = static_cast<double>(seen(squares.signal)), unbiased = n / (n - 1);
    if (squares.from == reading::tokens && observable.what == figure::ratio)
      return unbiased * tokens_for(observable).ratio_variance();
    const double mean = total(total_at).high / n, out = total(squares).high / n - mean * mean;
    return unbiased * (out < 0 ? 0 : out);
  }
  /// Returns bounds of a count, without and with NaN values.
  ends hits(const keeper& at) const {
    const std::uint64_t missing = unknown(at.signal);
    const std::uint64_t known = count(at) - (at.counts_nan ? missing : 0);
    return {static_cast<double>(known), static_cast<double>(known + missing)};
  }
  std::uint64_t count(const keeper& at) const {
    return at.from == reading::cell
               ? observed.count[at.slot]
               : detail::count_of(at, tokens_for(plan().signal_table[at.signal]));
  }
  /// Returns the outliers, the worst first; tokens have one.
  offenders worst(const keeper& at) const {
    const signal& observable = plan().signal_table[at.signal];
    if (at.from == reading::tokens)
      return tokens_for(observable).count == 0 ? offenders{}
             : at.how == fold::largest
                 ? offenders{{detail::largest_of(observable, tokens_for(observable))}, 1}
                 : offenders{{detail::smallest_of(observable, tokens_for(observable))}, 1};
    return at.how == fold::largest ? observed.largest[at.slot].few()
                                   : observed.smallest[at.slot].few();
  }
  detail::shown_quantile quantile(const keeper& at, quantile_level level, nan_rank nan) const {
    const signal& observable = plan().signal_table[at.signal];
    if constexpr (tokens_of::has_sketch)
      if (at.from == reading::tokens)
        return detail::quantile_of(observable, tokens_for(observable), level, nan);
    return detail::shown_as_is(observed.sketch[at.slot].quantile(level, nan));
  }
  /// Returns the estimate of the mean of p/q, from a keeper of the tokens' sketch.
  ratio_mean ratios(const keeper& at, double alpha) const {
    if constexpr (tokens_of::has_sketch)
      return mean_of_ratios(tokens_for(plan().signal_table[at.signal]).sketch.whole(), alpha);
    else
      return mean_of_ratios(observed.sketch[at.slot], alpha);
  }

private:
  decltype(auto) plan() const { return observed.plan(); }

  /// Returns the range that one observation adds to a sum.
  ends extent_in(const keeper& at) const {
    const ends range = detail::extent_of(plan().signal_table[at.signal]);
    return at.how != fold::squares ? range
           : range.low > 0         ? ends{range.low * range.low, range.high * range.high}
                                   : ends{0, range.high * range.high};
  }
};

namespace detail {
/// The layout of the members, in order.
constexpr layout kept_layout(const plan_shape& sizes) {
  return layout().add(cell_layout(sizes), 1).add(tokens_layout(sizes), sizes.streams);
}
} // namespace detail

} // namespace tikc
