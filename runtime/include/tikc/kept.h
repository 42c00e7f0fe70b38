#pragma once

#include "tikc/cell.h"
#include "tikc/token_figures.h"

namespace tikc {

/// Everything that is kept of one slice over one stretch of time.
template <class Plan> struct kept {
  static constexpr std::size_t streams = sizeof(Plan::streams) / sizeof(stream);
  using tokens_of = token_stats<typename Plan::token_plan>;

  cell<Plan> observed;
  std::array<tokens_of, streams> tokens;

  void merge(const cell<Plan>& other) { observed.merge(other); }

  /// In place: one of these may be larger than a stack has room for.
  void clear() {
    observed.clear();
    for (tokens_of& each : tokens)
      each = {};
  }

  const tokens_of& tokens_for(const signal& of) const { return tokens[of.stream]; }

  std::uint64_t seen(std::uint16_t which) const {
    const signal& of = Plan::signal_table[which];
    return of.from == source::tokens ? tokens_for(of).count : observed.seen[which];
  }
  double total(const keeper& at) const {
    const signal& of = Plan::signal_table[at.signal];
    return at.from == reading::cell  ? observed.total[at.slot].value()
           : at.how == fold::squares ? detail::squares_of(of, tokens_for(of))
                                     : detail::total_of(of, at, tokens_for(of));
  }
  /// The sample variance, of two keepers of one signal.
  double variance(const keeper& squares, const keeper& total_at) const {
    const signal& of = Plan::signal_table[squares.signal];
    const double n = static_cast<double>(seen(squares.signal)), unbiased = n / (n - 1);
    if (squares.from == reading::tokens && of.what == figure::ratio)
      return unbiased * tokens_for(of).ratio_variance();
    const double mean = total(total_at) / n, out = total(squares) / n - mean * mean;
    return unbiased * (out < 0 ? 0 : out);
  }
  std::uint64_t count(const keeper& at) const {
    return at.from == reading::cell
               ? observed.count[at.slot]
               : detail::count_of(at, tokens_for(Plan::signal_table[at.signal]));
  }
  /// The observations that stand out, the worst first; of tokens there is one.
  offenders worst(const keeper& at) const {
    const signal& of = Plan::signal_table[at.signal];
    if (at.from == reading::tokens)
      return tokens_for(of).count == 0 ? offenders{}
             : at.how == fold::largest ? offenders{{detail::largest_of(of, tokens_for(of))}, 1}
                                       : offenders{{detail::smallest_of(of, tokens_for(of))}, 1};
    return at.how == fold::largest ? observed.largest[at.slot].few()
                                   : observed.smallest[at.slot].few();
  }
  detail::shown_quantile quantile(const keeper& at, quantile_level level, nan_rank nan) const {
    const signal& of = Plan::signal_table[at.signal];
    if constexpr (tokens_of::has_sketch)
      if (at.from == reading::tokens)
        return detail::quantile_of(of, tokens_for(of), level, nan);
    return detail::shown_as_is(observed.sketch[at.slot].quantile(level, nan));
  }
};

} // namespace tikc
