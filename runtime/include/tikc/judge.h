#pragma once

#include "tikc/confidence.h"
#include "tikc/kept.h"
#include "tikc/verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tikc {

/// The result of a check on a slice.
struct finding {
  verdict is = verdict::undecided;
  /// An earlier evaluation reported it, and the next window has not ended.
  bool is_kept = false;
  double value = std::numeric_limits<double>::quiet_NaN();
  /// The interval of the value, from a confidence or a sketch.
  double low = std::numeric_limits<double>::quiet_NaN();
  double high = std::numeric_limits<double>::quiet_NaN();
  std::uint64_t observations = 0;
  /// Of a mean whose squares are kept: the spread about the last limit.
  std::optional<spread> about{};
  offenders worst{};
};

namespace detail {

/// Returns whether the check holds for every value between the ends.
inline bool holds(const check& requirement, ends value) {
  for (std::size_t i = 0; i < requirement.limit_count; ++i)
    if (!compare(value.low, requirement.limits[i].how, requirement.limits[i].bound) ||
        !compare(value.high, requirement.limits[i].how, requirement.limits[i].bound))
      return false;
  return true;
}

/// Returns satisfied if all of [low, high] meets the limits, violated if none of it does, else
/// undecided.
inline verdict judge_interval(const check& requirement, double low, double high) {
  bool all = true;
  for (std::size_t i = 0; i < requirement.limit_count; ++i) {
    const limit& at = requirement.limits[i];
    if (!compare(low, at.how, at.bound) && !compare(high, at.how, at.bound) &&
        (at.how != comparator::equal || at.bound < low || at.bound > high))
      return verdict::violated;
    all = all && compare(low, at.how, at.bound) && compare(high, at.how, at.bound);
  }
  return all ? verdict::satisfied : verdict::undecided;
}

} // namespace detail

/// Judges a check by the content of its window. `full`: the window has ended, so too few
/// observations stay too few. Before that, it decides only what later observations cannot change.
template <class Plan> class judge {
public:
  judge(const check& requirement, const kept<Plan>& from, bool full)
      : of_(requirement), from_(from), full_(full),
        n_(requirement.how == estimator::sampled ? from.observed.served(requirement.sampled)
                                                 : from.seen(requirement.signal)) {}

  finding operator()() const {
    finding out;
    if (n_ > 0)
      out = decide();
    out.observations = n_;
    if (of_.worst != no_keeper)
      out.worst = from_.worst(from_.observed.plan().keepers[of_.worst]);
    return out;
  }

private:
  finding decide() const {
    switch (of_.how) {
    case estimator::largest:
      return monotone(extreme(), true);
    case estimator::smallest:
      return monotone(extreme(), false);
    case estimator::mean:
      return mean(from_.total(at(0)));
    case estimator::root_mean_square:
      return mean(from_.total(at(0)), [](double square) { return std::sqrt(square); });
    case estimator::deviation:
      return point(same(std::sqrt(from_.variance(at(0), at(1)))), full_);
    case estimator::effective_share:
      return point(effective_share(), full_);
    case estimator::share:
      return mean(from_.hits(at(0)));
    case estimator::quantile:
      return quantile();
    case estimator::total:
      return point(from_.total(at(0)), full_);
    case estimator::nonzero:
      return monotone(from_.hits(at(0)), true);
    case estimator::ess:
      return point(ess(), full_);
    case estimator::perplexity_ratio:
      return point(same(tokens().perplexity_ratio()), full_);
    case estimator::pearson:
      return point(same(signed_or_not(tokens().pearson())), full_);
    case estimator::sampled:
      return share_of_served();
    case estimator::coherence:
      return coherence();
    case estimator::slope:
      break; // judged over windows, by the checker
    }
    return {};
  }

  const keeper& at(std::size_t which) const {
    return from_.observed.plan().keepers[of_.keepers[which]];
  }
  const auto& tokens() const {
    return from_.tokens_for(from_.observed.plan().signal_table[of_.signal]);
  }

  double signed_or_not(double value) const { return of_.absolute ? std::abs(value) : value; }

  static finding shown(double value, double low, double high) {
    finding out;
    out.value = value;
    out.low = low;
    out.high = high;
    return out;
  }

  static ends same(double value) { return {value, value}; }

  /// Returns the end that the last limit applies to.
  double shown(ends at) const {
    const comparator how = of_.limits[last_limit()].how;
    return is_upper(how) || how == comparator::equal ? at.high : at.low;
  }

  finding point(ends at, bool decides) const {
    finding out = shown(shown(at), at.low, at.high);
    if (decides && n_ >= of_.least)
      out.is = detail::holds(of_, at) ? verdict::satisfied : verdict::violated;
    return out;
  }

  /// Returns the largest or smallest value; a NaN may be the extreme.
  ends extreme() const {
    return from_.unknown(of_.signal) == 0
               ? same(from_.worst(at(0)).each[0].value)
               : detail::extent_of(from_.observed.plan().signal_table[of_.signal]);
  }

  /// Returns whether a value that only grows, or only falls, has left the limits for good.
  bool is_lost(double value, bool grows) const {
    for (std::size_t i = 0; i < of_.limit_count; ++i) {
      const limit& at = of_.limits[i];
      bool is_beyond = grows ? !(value <= at.bound) : !(value >= at.bound);
      if (at.how == comparator::equal
              ? is_beyond
              : is_upper(at.how) == grows && !compare(value, at.how, at.bound))
        return true;
    }
    return false;
  }

  finding monotone(ends at, bool grows) const {
    finding out = point(at, full_);
    if (!full_ && is_lost(grows ? at.high : at.low, grows))
      out.is = verdict::violated;
    return out;
  }

  finding mean(ends total) const {
    return mean(total, [](double value) { return value; });
  }

  /// Judges a mean over values in the check's range. `scaled` maps a mean to the figure shown, and
  /// increases.
  template <class Scaled> finding mean(ends total, Scaled scaled) const {
    const double n = static_cast<double>(n_);
    const ends value{total.low / n, total.high / n};
    if (of_.alpha == 0) {
      finding out = point({scaled(value.low), scaled(value.high)}, full_);
      out.about = spread_about(of_.limits[last_limit()].bound, total);
      return out;
    }
    const double off = rounding() * std::abs(total.high);
    const double range = of_.high - of_.low, below = n * of_.low;
    const auto [lowest, highest] = std::minmax(of_.limits[0].bound, of_.limits[last_limit()].bound);
    const double low =
        mean_lower(total.low - below - off, n_, range, of_.alpha / 2, spread_about(lowest, total));
    const double high = mean_upper(total.high - below + off, n_, range, of_.alpha / 2,
                                   spread_about(highest, total));
    finding out = shown(scaled(shown(value)), scaled(of_.low + low), scaled(of_.low + high));
    out.about = spread_about(of_.limits[last_limit()].bound, total);
    if (!(value.low >= of_.low && value.high <= of_.high)) { // NaN, or an impossible value
      out.is = verdict::violated;
      return out;
    }
    out.is = settled(detail::judge_interval(of_, out.low, out.high));
    return out;
  }

  std::size_t last_limit() const { return std::size_t{of_.limit_count} - 1; }

  /// The error of a sum over tokens, relative to the sum of magnitudes: their pass adds in single
  /// precision.
  double rounding() const {
    const bool is_rounded = from_.observed.plan().signal_table[of_.signal].from == source::tokens;
    return is_rounded ? token_sum_error : 0;
  }

  /// Returns the spread, about a centre, of values counted from the low end of their range. It is
  /// Σx² − 2cΣx + nc², with more than the rounding errors of the three.
  std::optional<spread> spread_about(double centre, ends total) const {
    if (of_.squares == no_keeper)
      return std::nullopt;
    const double squares = from_.total(from_.observed.plan().keepers[of_.squares]).high;
    const double size = std::max(std::abs(total.low), std::abs(total.high));
    const double least = centre > 0 ? total.low : total.high;
    const double centres = static_cast<double>(n_) * centre * centre;
    const double summed = squares + 2 * std::abs(centre) * size;
    const double error = rounding() * summed + 0x1p-48 * (summed + centres);
    const double exact = squares - 2 * centre * least + centres;
    return spread{centre - of_.low, std::max(0.0, exact) + error};
  }

  /// The effective sample size of a window's ratios: [0, 1] if ratios are unknown, or if w − 1 is
  /// too small.
  ends ess() const { return tokens().knows_ess() ? same(tokens().ess()) : ends{0, 1}; }

  /// The effective share of weights: anything if a weight is infinite or unknown, if there is no
  /// weight, or if no weight has a normal square. Squares that round to zero would make the share
  /// too large.
  ends effective_share() const {
    if (at(0).from == reading::tokens)
      return ess();
    const double squares = from_.total(at(0)).high, total = from_.total(at(1)).high;
    const double n = static_cast<double>(n_), out = total / n * (total / squares);
    if (!(out > 0) || !(squares >= n * std::numeric_limits<double>::min()) || std::isinf(squares) ||
        from_.unknown(of_.signal) != 0)
      return {0, 1};
    return same(out < 1 ? out : 1);
  }

  /// Delays satisfied verdicts to the end of the window. A confidence is valid at any time, so
  /// violations count at once.
  verdict settled(verdict found) const {
    return full_ || found == verdict::violated ? found : verdict::undecided;
  }

  /// Judges the share of served inputs that were observed. A random sampler is below its rate half
  /// of the time, so a violation needs a share whose 99% interval excludes the rate. A rate of 1
  /// allows no missing input.
  finding share_of_served() const {
    constexpr double unlikely = 0.01;
    double rate = of_.limits[0].bound;
    std::uint64_t observed = from_.observed.observed(of_.sampled);
    std::uint64_t within = observed < n_ ? observed : n_;
    finding out = point(same(static_cast<double>(observed) / static_cast<double>(n_)), full_);
    interval likely = bounded_mean(static_cast<double>(within), n_, 1, unlikely);
    out.low = likely.low;
    out.high = likely.high;
    if (out.is == verdict::violated && rate < 1 && likely.high >= rate)
      out.is = verdict::satisfied;
    return out;
  }

  /// Judges `coherent`. NaN is not a log-prob of any distribution.
  finding coherence() const {
    constexpr double unbounded = std::numeric_limits<double>::infinity();
    const bool is_known = from_.unknown(of_.signal) == 0;
    const ratio_mean ratio =
        is_known ? from_.ratios(at(0), of_.alpha) : ratio_mean{unbounded, unbounded, 0, true};
    finding out = shown(ratio.shown, ratio.low, unbounded);
    out.is = settled(coherence_verdict(ratio));
    return out;
  }

  /// Decides a quantile by counting values beyond each limit. The sketch only gives the value to
  /// show.
  finding quantile() const {
    nan_rank nan = is_upper(of_.limits[0].how) ? nan_rank::highest : nan_rank::lowest;
    const detail::shown_quantile estimate = from_.quantile(at(of_.limit_count), of_.level, nan);
    finding out = shown(estimate.value, estimate.low, estimate.high);
    out.is = verdict::satisfied;
    for (std::size_t i = 0; i < of_.limit_count; ++i) {
      verdict side = of_.alpha > 0 ? side_with_confidence(i) : side_by_rank(i);
      if (side == verdict::violated || out.is == verdict::violated)
        out.is = verdict::violated;
      else if (side == verdict::undecided)
        out.is = verdict::undecided;
    }
    out.is = of_.alpha > 0 ? settled(out.is) : full_ ? out.is : verdict::undecided;
    return out;
  }

  verdict side_by_rank(std::size_t which) const {
    if (n_ < of_.least)
      return verdict::undecided;
    std::uint64_t beyond = from_.count(at(which)), rank = of_.level.rank(n_);
    bool holds = is_upper(of_.limits[which].how) ? beyond <= n_ - rank : beyond < rank;
    return holds ? verdict::satisfied : verdict::violated;
  }

  verdict side_with_confidence(std::size_t which) const {
    double level = static_cast<double>(of_.level.part) / static_cast<double>(of_.level.whole);
    double allowed = is_upper(of_.limits[which].how) ? 1 - level : level;
    interval beyond = bounded_mean(static_cast<double>(from_.count(at(which))), n_, 1, of_.alpha);
    if (beyond.high <= allowed)
      return verdict::satisfied;
    return beyond.low > allowed ? verdict::violated : verdict::undecided;
  }

  const check& of_;
  const kept<Plan>& from_;
  bool full_;
  std::uint64_t n_;
};

} // namespace tikc
