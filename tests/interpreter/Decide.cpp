#include "interpreter/Decide.h"

#include "interpreter/Coherence.h"
#include "interpreter/Confidence.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tikc::interpreter {

using model::Comparator;
using plan::Check;
using plan::Estimator;

namespace {

constexpr Wide infinity = std::numeric_limits<Wide>::infinity();

bool holds(Wide value, Comparator comparator, Wide bound) {
  switch (comparator) {
  case Comparator::LessEqual:
    return value <= bound;
  case Comparator::Less:
    return value < bound;
  case Comparator::GreaterEqual:
    return value >= bound;
  case Comparator::Greater:
    return value > bound;
  case Comparator::Equal:
    return value == bound;
  case Comparator::NotEqual:
    return value < bound || value > bound; // NaN compares as nothing does
  }
  return false;
}

bool holds(Wide value, const plan::Limit& limit) {
  return holds(value, limit.comparator, Wide{limit.bound});
}

bool isUpper(const plan::Limit& limit) {
  return limit.comparator == Comparator::LessEqual || limit.comparator == Comparator::Less;
}

Verdict verdictOf(bool holds) { return holds ? Verdict::Satisfied : Verdict::Violated; }

class Decider {
public:
  Decider(const plan::Plan& plan, const Check& check, const Observed& observed, const Stretch& in,
          bool full)
      : plan_(plan), check_(check), observed_(observed), in_(in), full_(full) {}

  Finding decide() {
    if (check_.estimator == Estimator::Sampled)
      return sampled();
    if (check_.estimator == Estimator::WindowFigure)
      return windowFigure();
    values_ = observed_.values(check_.signal, in_);
    n_ = values_.size();
    if (n_ == 0)
      return {};
    unknown_ = static_cast<Wide>(std::count_if(values_.begin(), values_.end(),
                                               [](Wide value) { return std::isnan(value); }));
    switch (check_.estimator) {
    case Estimator::Largest:
      return moving(extreme(), true);
    case Estimator::Smallest:
      return moving(extreme(), false);
    case Estimator::Total:
      return point(total());
    case Estimator::Mean:
      return mean(total());
    case Estimator::RootMeanSquare:
      return rootMeanSquare();
    case Estimator::Deviation:
      return point(same(deviation()));
    case Estimator::EffectiveShare:
      return point(effectiveShare());
    case Estimator::Share:
      return mean(hits());
    case Estimator::Coherence:
      return settled(decideCoherence(values_, *check_.alpha));
    case Estimator::Nonzero:
      return moving(hits(), true);
    default:
      return quantile();
    }
  }

  Extent total() const {
    return sum(extent(), [](Wide value) { return value; });
  }

private:
  static Extent same(Wide value) { return {value, value}; }
  Extent extent() const { return extentOf(plan_.signals[check_.signal]); }

  /// Each observation that is none adds something between the ends; where there is no end, nothing
  /// is said of the rest either.
  template <typename Term> Extent sum(const Extent& each, const Term& term) const {
    Wide known = 0, n = static_cast<Wide>(n_);
    for (Wide value : values_)
      known += std::isnan(value) ? 0 : term(value);
    if (unknown_ == 0)
      return same(known);
    if (std::isinf(each.high))
      return {n * each.low, each.high};
    return {known + unknown_ * each.low, known + unknown_ * each.high};
  }

  /// Of the two ends the one that the last limit is against.
  Finding shown(const Extent& value) const {
    bool isHigh =
        isUpper(check_.limits.back()) || check_.limits.back().comparator == Comparator::Equal;
    return {Verdict::Undecided, false, isHigh ? value.high : value.low, value.low, value.high, n_};
  }

  bool meetsLimits(const Extent& value) const {
    return std::all_of(check_.limits.begin(), check_.limits.end(), [&](const plan::Limit& limit) {
      return holds(value.low, limit) && holds(value.high, limit);
    });
  }

  Finding point(const Extent& value) const {
    Finding out = shown(value);
    if (full_ && n_ >= check_.least)
      out.verdict = verdictOf(meetsLimits(value));
    return out;
  }

  Extent extreme() const {
    if (unknown_ > 0)
      return extent();
    auto [least, most] = std::minmax_element(values_.begin(), values_.end());
    return same(check_.estimator == Estimator::Largest ? *most : *least);
  }

  /// A value that later observations can only raise, or only lower, may be beyond a limit for good.
  Finding moving(const Extent& of, bool rises) const {
    Finding out = point(of);
    Wide value = rises ? of.high : of.low;
    for (const plan::Limit& limit : check_.limits) {
      bool isEqual = limit.comparator == Comparator::Equal;
      bool isBeyond = isEqual ? (rises ? value > limit.bound : value < limit.bound)
                              : isUpper(limit) == rises && !holds(value, limit);
      if (isBeyond)
        out.verdict = Verdict::Violated;
    }
    return out;
  }

  /// How many observations the check counts.
  Extent hits() const {
    const plan::Register& counts = plan_.registers[check_.registers.front()];
    return sum({0, 1}, [&](Wide value) {
      bool isHit = counts.fold == plan::Fold::Nonzero
                       ? value != 0
                       : holds(value, counts.comparator, Wide{counts.threshold});
      return Wide{isHit ? 1.0L : 0.0L};
    });
  }

  /// The mean of the squares, with what is shown of it taken back to the figure's own scale.
  Finding rootMeanSquare() const {
    Extent each = extent();
    each = {each.low > 0 ? each.low * each.low : 0, each.high * each.high};
    Extent squares = sum(each, [](Wide value) { return value * value; });
    auto n = static_cast<Wide>(n_);
    Extent roots{std::sqrt(squares.low / n), std::sqrt(squares.high / n)};
    if (!check_.alpha)
      return point(roots);
    Wide whole = *check_.high;
    return confident(
        roots, {squares.low / whole, squares.high / whole},
        [&](Wide share) { return std::sqrt(whole * share); },
        [&](Wide bound) { return bound * bound / whole; });
  }

  Wide deviation() const {
    if (unknown_ > 0)
      return std::numeric_limits<Wide>::quiet_NaN();
    Wide middle = total().high / static_cast<Wide>(n_), squares = 0;
    for (Wide value : values_)
      squares += (value - middle) * (value - middle);
    return std::sqrt(squares / static_cast<Wide>(n_ - 1));
  }

  Extent effectiveShare() const {
    Wide weights = total().high, squares = 0;
    for (Wide value : values_)
      squares += value * value;
    // Of weights that are this small a checker knows nothing.
    const bool isPassed = plan_.signals[check_.signal].figure == plan::Figure::Ratio;
    if (!(squares >= static_cast<Wide>(n_) * (isPassed ? 1e-28L : 0x1p-1022L)))
      return {0, 1};
    Wide out = weights * weights / (static_cast<Wide>(n_) * squares);
    return std::isfinite(weights) && std::isfinite(out) ? same(out) : Extent{0, 1};
  }

  Finding mean(const Extent& total) const {
    auto n = static_cast<Wide>(n_);
    Extent means{total.low / n, total.high / n};
    if (!check_.alpha)
      return point(means);
    Wide low = *check_.low, range = *check_.high - low;
    return confident(
        means, {(total.low - n * low) / range, (total.high - n * low) / range},
        [&](Wide share) { return low + range * share; },
        [&](Wide bound) { return (bound - low) / range; });
  }

  /// Of a mean in [0, 1], by the ends of the sum: what is shown of it, and what a bound is in it.
  template <typename Shown, typename Bound>
  Finding confident(const Extent& value, const Extent& sum, const Shown& scaled,
                    const Bound& boundOf) const {
    ConfidenceLimits below(sum.low, n_, *check_.alpha), above(sum.high, n_, *check_.alpha);
    Finding out = shown(value);
    out.low = scaled(below.low());
    out.high = scaled(above.high());
    out.verdict = std::isnan(out.value) ? Verdict::Violated : Verdict::Satisfied;
    for (const plan::Limit& limit : check_.limits) {
      Wide bound = boundOf(Wide{limit.bound});
      const ConfidenceLimits &meets = isUpper(limit) ? above : below,
                             &breaks = isUpper(limit) ? below : above;
      bool isBroken = breaks.judge(isUpper(limit), bound) == Verdict::Violated;
      take(out, isBroken                                                   ? Verdict::Violated
                : meets.judge(isUpper(limit), bound) == Verdict::Satisfied ? Verdict::Satisfied
                                                                           : Verdict::Undecided);
    }
    return settled(out);
  }

  /// Violated by one side, else undecided by one.
  static void take(Finding& out, Verdict side) {
    if (side == Verdict::Violated || out.verdict == Verdict::Violated)
      out.verdict = Verdict::Violated;
    else if (side == Verdict::Undecided)
      out.verdict = Verdict::Undecided;
  }

  /// No window satisfies a clause before it ends.
  Finding settled(Finding out) const {
    if (!full_ && out.verdict == Verdict::Satisfied)
      out.verdict = Verdict::Undecided;
    return out;
  }

  /// The ⌈n·level⌉-th smallest, NaN on the side that the limit is against.
  Wide ranked(const plan::Limit& limit) const {
    std::vector<Wide> sorted;
    for (Wide value : values_)
      sorted.push_back(!std::isnan(value) ? value : isUpper(limit) ? infinity : -infinity);
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t rank = (n_ * check_.levelPart + check_.levelWhole - 1) / check_.levelWhole;
    return sorted[std::max<std::uint64_t>(rank, 1) - 1];
  }

  Finding quantile() const {
    Finding out = shown(same(ranked(check_.limits.front())));
    out.verdict = Verdict::Satisfied;
    for (const plan::Limit& limit : check_.limits)
      take(out, check_.alpha         ? confidentSide(limit)
                : n_ >= check_.least ? verdictOf(holds(ranked(limit), limit))
                                     : Verdict::Undecided);
    if (!check_.alpha && !full_)
      out.verdict = Verdict::Undecided;
    return settled(out);
  }

  /// Of all observations no more than the level leaves over are beyond the limit.
  Verdict confidentSide(const plan::Limit& limit) const {
    Wide level = static_cast<Wide>(check_.levelPart) / check_.levelWhole, beyond = 0;
    for (Wide value : values_)
      beyond += holds(value, limit) ? 0 : 1;
    return ConfidenceLimits(beyond, n_, *check_.alpha)
        .judge(true, isUpper(limit) ? 1 - level : level);
  }

  Finding windowFigure() {
    const plan::Signal& signal = plan_.signals[check_.signal];
    std::vector<Token> tokens = observed_.tokens(signal.stream, in_);
    n_ = tokens.size();
    if (n_ == 0)
      return {};
    Wide value = interpreter::windowFigure(signal.figure, tokens);
    if (signal.figure == plan::Figure::EssSample && std::isnan(value))
      return point({0, 1});
    return point(same(check_.absolute ? std::abs(value) : value));
  }

  /// Short of the rate, where chance does not explain it at 99%; of everything, one is short.
  Finding sampled() {
    n_ = observed_.served(check_.input, in_);
    if (n_ == 0)
      return {};
    Wide rate = check_.limits.front().bound;
    std::uint64_t seen = observed_.count(check_.input, in_);
    Finding out = point(same(static_cast<Wide>(seen) / static_cast<Wide>(n_)));
    ConfidenceLimits limits(static_cast<Wide>(std::min(seen, n_)), n_, 0.01L);
    out.low = limits.low();
    out.high = limits.high();
    if (out.verdict == Verdict::Violated && rate < 1 && limits.high() >= rate)
      out.verdict = Verdict::Satisfied;
    return out;
  }

  const plan::Plan& plan_;
  const Check& check_;
  const Observed& observed_;
  Stretch in_;
  bool full_;
  std::vector<Wide> values_;
  std::uint64_t n_ = 0;
  Wide unknown_ = 0; // of the values
};

} // namespace

Finding decide(const plan::Plan& plan, const Check& check, const Observed& observed,
               const Stretch& in, bool full) {
  return Decider(plan, check, observed, in, full).decide();
}

Finding decideSlope(const plan::Plan& plan, const Check& check, const Observed& observed,
                    const Stretch& in, bool full, std::deque<Wide>& means) {
  Finding out;
  out.n = observed.values(check.signal, in).size();
  if (out.n == 0 || !full)
    return out;
  Check mean = check;
  mean.estimator = Estimator::Mean;
  mean.alpha.reset();
  Finding middle = decide(plan, mean, observed, in, true);
  // No line goes through what is not known, or not finite.
  means.push_back(middle.low == middle.high ? middle.value
                                            : std::numeric_limits<Wide>::quiet_NaN());
  if (means.size() > check.history)
    means.pop_front();
  if (means.size() < check.least)
    return out;
  Wide centre = static_cast<Wide>(means.size() - 1) / 2, products = 0, squares = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    Wide x = static_cast<Wide>(i) - centre;
    products += x * means[i];
    squares += x * x;
  }
  out.value = check.absolute ? std::abs(products / squares) : products / squares;
  out.low = out.high = out.value;
  out.verdict = verdictOf(std::isfinite(out.value) &&
                          std::all_of(check.limits.begin(), check.limits.end(),
                                      [&](const auto& limit) { return holds(out.value, limit); }));
  return out;
}

} // namespace tikc::interpreter
