#include "interpreter/Decide.h"

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
    switch (check_.estimator) {
    case Estimator::Largest:
      replaceNan(infinity);
      return moving(*std::max_element(values_.begin(), values_.end()), true);
    case Estimator::Smallest:
      replaceNan(-infinity);
      return moving(*std::min_element(values_.begin(), values_.end()), false);
    case Estimator::Total:
      return point(total());
    case Estimator::Mean:
      return mean(total());
    case Estimator::RootMeanSquare:
      return rootMeanSquare();
    case Estimator::Deviation:
      return point(deviation());
    case Estimator::EffectiveShare:
      return point(effectiveShare());
    case Estimator::Share:
      return mean(hits());
    case Estimator::Nonzero:
      return moving(hits(), true);
    default:
      return quantile();
    }
  }

  Wide total() {
    replaceNan(worstInSum(plan_.signals[check_.signal]));
    return std::accumulate(values_.begin(), values_.end(), Wide{0});
  }

private:
  void replaceNan(Wide worst) {
    std::replace_if(
        values_.begin(), values_.end(), [](Wide value) { return std::isnan(value); }, worst);
  }

  Finding shown(Wide value) const { return {Verdict::Undecided, false, value, value, value, n_}; }

  bool meetsLimits(Wide value) const {
    return std::all_of(check_.limits.begin(), check_.limits.end(),
                       [&](const plan::Limit& limit) { return holds(value, limit); });
  }

  Finding point(Wide value) const {
    Finding out = shown(value);
    if (full_ && n_ >= check_.least)
      out.verdict = verdictOf(meetsLimits(value));
    return out;
  }

  /// A value that later observations can only raise, or only lower, may be beyond a limit for good.
  Finding moving(Wide value, bool rises) const {
    Finding out = point(value);
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
  Wide hits() const {
    const plan::Register& counts = plan_.registers[check_.registers.front()];
    Wide out = 0;
    for (Wide value : values_) {
      bool isHit = std::isnan(value) ? counts.countsNan
                   : counts.fold == plan::Fold::Nonzero
                       ? value != 0
                       : holds(value, counts.comparator, Wide{counts.threshold});
      out += isHit ? 1 : 0;
    }
    return out;
  }

  /// The mean of the squares, with what is shown of it taken back to the figure's own scale.
  Finding rootMeanSquare() {
    replaceNan(worstSize(plan_.signals[check_.signal]));
    Wide squares = 0;
    for (Wide value : values_)
      squares += value * value;
    if (!check_.alpha)
      return point(std::sqrt(squares / static_cast<Wide>(n_)));
    ConfidenceLimits limits(squares / Wide{*check_.high}, n_, *check_.alpha);
    Finding out = shown(std::sqrt(squares / static_cast<Wide>(n_)));
    out.low = std::sqrt(*check_.high * limits.low());
    out.high = std::sqrt(*check_.high * limits.high());
    out.verdict = std::isnan(out.value) ? Verdict::Violated : Verdict::Satisfied;
    for (const plan::Limit& limit : check_.limits)
      take(out, limits.judge(isUpper(limit), Wide{limit.bound} * limit.bound / *check_.high));
    return settled(out);
  }

  Wide deviation() {
    Wide middle = total() / static_cast<Wide>(n_), squares = 0;
    for (Wide value : values_)
      squares += (value - middle) * (value - middle);
    return std::sqrt(squares / static_cast<Wide>(n_ - 1));
  }

  Wide effectiveShare() {
    Wide weights = total(), squares = 0;
    for (Wide value : values_)
      squares += value * value;
    Wide out = weights * weights / (static_cast<Wide>(n_) * squares);
    return std::isfinite(weights) && std::isfinite(out) ? out : 0;
  }

  Finding mean(Wide total) const {
    Wide value = total / static_cast<Wide>(n_);
    if (!check_.alpha)
      return point(value);
    Wide low = *check_.low, range = *check_.high - low;
    ConfidenceLimits limits((total - static_cast<Wide>(n_) * low) / range, n_, *check_.alpha);
    Finding out = shown(value);
    out.low = low + range * limits.low();
    out.high = low + range * limits.high();
    out.verdict = Verdict::Satisfied;
    if (std::isnan(value))
      out.verdict = Verdict::Violated;
    for (const plan::Limit& limit : check_.limits)
      take(out, limits.judge(isUpper(limit), (limit.bound - low) / range));
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
    Finding out = shown(ranked(check_.limits.front()));
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
    return point(check_.absolute ? std::abs(value) : value);
  }

  /// Short of the rate, where chance does not explain it at 99%; of everything, one is short.
  Finding sampled() {
    n_ = observed_.served(check_.input, in_);
    if (n_ == 0)
      return {};
    Wide rate = check_.limits.front().bound;
    std::uint64_t seen = observed_.count(check_.input, in_);
    Finding out = point(static_cast<Wide>(seen) / static_cast<Wide>(n_));
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
  means.push_back(decide(plan, mean, observed, in, true).value);
  if (means.size() > check.history)
    means.pop_front();
  if (means.size() < check.least)
    return out;
  Wide middle = static_cast<Wide>(means.size() - 1) / 2, products = 0, squares = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    Wide x = static_cast<Wide>(i) - middle;
    products += x * means[i];
    squares += x * x;
  }
  out.value = check.absolute ? std::abs(products / squares) : products / squares;
  out.low = out.high = out.value;
  // No line goes through a mean that is not finite.
  out.verdict = verdictOf(std::isfinite(out.value) &&
                          std::all_of(check.limits.begin(), check.limits.end(),
                                      [&](const auto& limit) { return holds(out.value, limit); }));
  return out;
}

} // namespace tikc::interpreter
