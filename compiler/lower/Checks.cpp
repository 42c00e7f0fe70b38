#include "lower/Checks.h"

#include "bounds/facts/Lemma.h"
#include "lower/Figures.h"
#include "lower/Numbers.h"
#include "lower/Streams.h"
#include "model/Metrics.h"
#include "support/Check.h"

#include <algorithm>
#include <array>

namespace tikc::lower {

using model::Aggregate;
using model::Bound;
using model::Clause;
using model::Comparator;
using model::Contract;
using plan::Check;
using plan::Plan;
using plan::Register;
using plan::Signal;
using plan::Window;

namespace {

template <typename T> std::uint32_t indexOf(std::vector<T>& rows, T row) {
  auto place = std::find(rows.begin(), rows.end(), row);
  if (place == rows.end())
    place = rows.insert(place, std::move(row));
  return static_cast<std::uint32_t>(place - rows.begin());
}

/// Sample quantiles decide from as many observations as bound the true one at 95%.
const Rational usualAlpha(5, 100);

std::uint64_t fewestFor(const Rational& level) {
  constexpr unsigned bits = 128;
  auto count = bounds::lemmas::statOrderCount.evaluate(
      std::array{bounds::Real(level, bits), bounds::Real(usualAlpha, bits)});
  return count ? mpz_class(count->upper()).get_ui() : 1;
}

/// What breaks a limit.
Comparator opposite(Comparator comparator) {
  switch (comparator) {
  case Comparator::LessEqual:
    return Comparator::Greater;
  case Comparator::Less:
    return Comparator::GreaterEqual;
  case Comparator::GreaterEqual:
    return Comparator::Less;
  case Comparator::Greater:
    return Comparator::LessEqual;
  case Comparator::Equal:
    return Comparator::NotEqual;
  case Comparator::NotEqual:
    return Comparator::Equal;
  }
  TIKC_CHECK(false, "each comparator has its case");
}

std::vector<plan::Limit> limitsOf(const Bound& bound) {
  if (bound.upper)
    return {{Comparator::GreaterEqual, nearest(bound.limit)},
            {Comparator::LessEqual, nearest(*bound.upper)}};
  if (bound.comparator == Comparator::Equal && bound.measure.aggregate == Aggregate::Quantile)
    return {{Comparator::GreaterEqual, nearest(bound.limit)},
            {Comparator::LessEqual, nearest(bound.limit)}};
  return {{bound.comparator, nearest(bound.limit)}};
}

bool isCoherence(const Clause& clause) {
  return clause.directive && clause.directive->id == model::CallId::Coherent;
}

bool isSampling(const Clause& clause) {
  return clause.directive && (clause.directive->id == model::CallId::Sample ||
                              clause.directive->id == model::CallId::Replay);
}

input inputOf(const model::Call& directive) {
  const std::string& name = directive.expr.arguments[0].text;
  if (directive.id == model::CallId::Replay)
    return name == "batch" ? input::batch_replays : input::request_replays;
  if (name == "logits")
    return input::rows;
  if (name == "logprobs")
    return input::tokens;
  return name == "routes" ? input::routes : input::requests;
}

class Lowerer {
public:
  Lowerer(Plan& plan, const Contract& contract) : plan_(plan), contract_(contract) {}

  void add(const Clause& clause) {
    plan::Clause out;
    out.id = clause.id.text;
    out.because = clause.because ? clause.because->value : std::string();
    for (const Bound& bound : clause.bounds)
      add(out, check(clause, bound));
    if (clause.directive) {
      out.countsAsAny = false;
      add(out, isCoherence(clause) ? coherence(*clause.directive) : sampling(*clause.directive));
    }
    plan_.clauses.push_back(std::move(out));
  }

private:
  void add(plan::Clause& clause, Check check) {
    clause.checks.push_back(static_cast<std::uint32_t>(plan_.checks.size()));
    plan_.checks.push_back(std::move(check));
  }

  Check sampling(const model::Call& directive) {
    Check out;
    out.text = model::print(directive.expr);
    out.estimator = estimator::sampled;
    out.input = inputOf(directive);
    out.limits = {{Comparator::GreaterEqual, nearest(directive.expr.arguments[1].quantity)}};
    out.window = indexOf(plan_.windows, Window{});
    place(out, {});
    return out;
  }

  /// Of what the server drew, at the ends of the chain: of other draws no ratio averages 1.
  Check coherence(const model::Call& directive) {
    Check out;
    out.text = model::print(directive.expr);
    out.estimator = estimator::coherence;
    out.limits = {{Comparator::LessEqual, 1}};
    for (const model::Expr& argument : directive.expr.arguments)
      if (argument.kind == model::Expr::Kind::Quantity)
        out.alpha = nearest(Rational(1 - argument.quantity.scaled()));
    out.window = indexOf(plan_.windows, Window{});
    place(out, {});
    Signal gap;
    gap.figure = plan::Figure::LogprobGap;
    out.signal = indexOf(plan_.signals, std::move(gap));
    keep(out, fold::sketch);
    out.worst = indexOf(plan_.registers, Register{out.signal, fold::largest, {}, 0});
    return out;
  }

  Check check(const Clause& clause, const Bound& bound) {
    Check out;
    out.text = model::print(clause.writtenAs(bound));
    out.limits = limitsOf(bound);
    out.unit = unitOf(bound.limit);
    out.symbol = model::info(bound.limit.unit).symbol;
    if (bound.confidence)
      out.alpha = nearest(Rational(1 - bound.confidence->scaled()));
    out.window = indexOf(plan_.windows, windowOf(bound.over)); // a slope may take it back
    place(out, bound.scope);
    out.signal = indexOf(plan_.signals, signalOf(clause, bound.measure));
    range(out, bound.measure);
    estimate(out, bound);
    keepWorst(out, bound.measure);
    return out;
  }

  Signal signalOf(const Clause& clause, const model::Measure& measure) const {
    Signal out;
    out.figure = figureOf(measure.metric);
    // What is never negative is its own size: no checker then takes it for one of |x|.
    out.absolute = measure.absolute && !isOfWindow(measure) &&
                   plan::info(out.figure).range == figure_range::any;
    out.byResponse = measure.aggregate == Aggregate::MeanByResponse;
    for (const Rational& parameter : measure.parameters)
      out.parameters.push_back(nearest(parameter));
    if (comparesKernels(out))
      out.stream = placeOfStream(plan_.streams, contract_, clause);
    return out;
  }

  /// What requests are like is the server's alone, whatever link a clause names.
  static bool comparesKernels(const Signal& signal) {
    const source from = plan::sourceOf(signal);
    return from != source::requests && from != source::replays;
  }

  void place(Check& out, const model::Scope& scope) const {
    out.onMixture = scope.kind == model::Scope::Kind::All;
    for (std::uint32_t i = 0; !out.onMixture && i < plan_.slices.size(); ++i) {
      bool named = scope.kind == model::Scope::Kind::EachSlice ||
                   std::any_of(scope.slices.begin(), scope.slices.end(),
                               [&](const auto& name) { return name.text == plan_.slices[i].name; });
      if (named)
        out.slices.push_back(i);
    }
  }

  void range(Check& out, const model::Measure& measure) const {
    if (measure.aggregate == Aggregate::Rate || measure.aggregate == Aggregate::Quantile) {
      out.low = 0; // of the share that a limit is about
      out.high = 1;
      return;
    }
    auto [low, high] = model::domainOf(measure);
    if (!low || !high)
      return;
    Rational size = std::max(Rational(abs(*low)), *high);
    bool isSquared = measure.aggregate == Aggregate::RootMeanSquare;
    out.low = measure.absolute || isSquared ? 0 : nearest(*low);
    out.high = nearest(isSquared ? Rational(size * size) : measure.absolute ? size : *high);
  }

  static bool isOfWindow(const model::Measure& measure) {
    return model::info(measure.metric).level == model::Level::Window;
  }

  void estimate(Check& out, const Bound& bound) {
    const model::Measure& measure = bound.measure;
    out.absolute = measure.absolute && isOfWindow(measure);
    if (measure.metric == model::MetricId::DriftSlope)
      return slope(out);
    if (isOfWindow(measure)) {
      out.estimator = *plan::info(plan_.signals[out.signal].figure).estimator;
      return keep(out, fold::moments);
    }
    switch (measure.aggregate) {
    case Aggregate::Max:
      out.estimator = estimator::largest;
      return keep(out, fold::largest);
    case Aggregate::Min:
      out.estimator = estimator::smallest;
      return keep(out, fold::smallest);
    case Aggregate::Quantile:
      return quantile(out, measure);
    case Aggregate::Rate:
      out.estimator = estimator::share;
      if (measure.threshold)
        return keepShare(out, measure.threshold->comparator, nearest(measure.threshold->bound),
                         isBelow(out.limits.back().comparator));
      return keep(out, fold::nonzero);
    case Aggregate::Sum:
      out.estimator = estimator::total;
      return keep(out, fold::total);
    case Aggregate::Count:
      out.estimator = estimator::nonzero;
      return keep(out, fold::nonzero);
    case Aggregate::Slope:
      return slope(out);
    case Aggregate::RootMeanSquare:
      out.estimator = estimator::root_mean_square;
      return keep(out, fold::squares);
    case Aggregate::Deviation:
      out.estimator = estimator::deviation;
      out.least = 2; // one is no distance from itself
      return keepSpread(out);
    case Aggregate::EffectiveShare:
      out.estimator = estimator::effective_share;
      return keepSpread(out);
    case Aggregate::Mean:
    case Aggregate::MeanByResponse:
    case Aggregate::None:
      out.estimator = estimator::mean;
      keepSquares(out, measure);
      return keep(out, fold::total);
    }
  }

  /// Over so many windows, each of them the stage's; or over windows of another length.
  void slope(Check& out) {
    constexpr std::uint32_t fewestWindows = 3; // two lie on a line, whatever they are
    constexpr std::uint32_t usualHistory = 16, longestHistory = 4096;
    const Window& window = plan_.windows[out.window];
    bool isWritten = window.unit == window_unit::ticks;
    out.history = isWritten
                      ? static_cast<std::uint32_t>(std::min<double>(window.amount, longestHistory))
                      : usualHistory;
    if (isWritten)
      out.window = indexOf(plan_.windows, Window{});
    out.estimator = estimator::slope;
    out.least = std::min(fewestWindows, out.history);
    keep(out, fold::total);
  }

  /// For each limit what is beyond it, so that the sketch only has to show the value.
  void quantile(Check& out, const model::Measure& measure) {
    out.estimator = estimator::quantile;
    setLevel(out, measure.level);
    for (const plan::Limit& limit : out.limits) {
      keepShare(out, opposite(limit.comparator), limit.bound, true);
      if (!out.alpha)
        out.least =
            std::max(out.least, fewestFor(isBelow(limit.comparator) ? measure.level
                                                                    : Rational(1 - measure.level)));
    }
    keep(out, fold::sketch);
  }

  void keep(Check& out, fold kind) {
    bool countsNan = kind != fold::nonzero || isBelow(out.limits.back().comparator) ||
                     out.limits.back().comparator == Comparator::Equal;
    out.registers.push_back(indexOf(plan_.registers, Register{out.signal, kind, {}, 0, countsNan}));
  }
  /// For the interval of a mean. Of flags, the sum of squares is the sum.
  void keepSquares(Check& out, const model::Measure& measure) {
    if (out.low && out.high && !model::isShareOfFlags(measure))
      out.squares = indexOf(plan_.registers, Register{out.signal, fold::squares, {}, 0, true});
  }
  void keepSpread(Check& out) {
    keep(out, fold::squares);
    keep(out, fold::total);
  }
  void keepShare(Check& out, Comparator comparator, double threshold, bool countsNan) {
    out.registers.push_back(indexOf(
        plan_.registers, Register{out.signal, fold::share, comparator, threshold, countsNan}));
  }

  /// The observations that a person would look at first: on the side that the limit is against.
  void keepWorst(Check& out, const model::Measure& measure) {
    switch (out.estimator) {
    case estimator::largest:
    case estimator::smallest:
      out.worst = out.registers.front();
      return;
    case estimator::root_mean_square: // of what may be signed
    case estimator::deviation:
    case estimator::effective_share:
    case estimator::ess:
    case estimator::perplexity_ratio:
    case estimator::pearson:
    case estimator::slope:
    case estimator::sampled:
    case estimator::coherence:
      return;
    default:
      break;
    }
    bool isLargest =
        isBelow(out.limits.back().comparator) || out.limits.back().comparator == Comparator::Equal;
    if (measure.threshold && isBelow(measure.threshold->comparator)) // few, or many, of the small
      isLargest = !isLargest;
    const Signal& signal = plan_.signals[out.signal];
    if (plan::sourceOf(signal) == source::tokens && !isFreeOfTokens(signal, isLargest))
      return;
    out.worst = indexOf(plan_.registers,
                        Register{out.signal, isLargest ? fold::largest : fold::smallest, {}, 0});
  }

  /// What the extremes of the log-ratio tell, so that no token is looked at a second time.
  static bool isFreeOfTokens(const Signal& signal, bool isLargest) {
    switch (plan::info(signal.figure).course) {
    case course::rises:
    case course::falls:
      return isLargest || !signal.absolute;
    case course::even:
    case course::convex:
    case course::outside:
      return isLargest;
    case course::apart:
      return false;
    }
    TIKC_CHECK(false, "each course has its case");
  }

  /// A level of more digits than a ratio holds is rounded to the side on which the clause asks for
  /// more.
  static void setLevel(Check& out, const Rational& level) {
    constexpr std::uint32_t largest = 1'000'000'000;
    if (level.get_den() <= largest) {
      out.levelPart = static_cast<std::uint32_t>(level.get_num().get_ui());
      out.levelWhole = static_cast<std::uint32_t>(level.get_den().get_ui());
      return;
    }
    Rational parts = level * largest;
    mpz_class whole = parts.get_num() / parts.get_den();
    out.levelPart = static_cast<std::uint32_t>(whole.get_ui()) +
                    (isBelow(out.limits.back().comparator) ? 1 : 0);
    out.levelWhole = largest;
  }

  Plan& plan_;
  const Contract& contract_;
};

} // namespace

Window windowOf(const std::optional<model::Amount>& over) {
  if (!over)
    return {};
  double amount = nearest(over->scaled());
  switch (over->dimension()) {
  case model::Dimension::Tokens:
    return {window_unit::tokens, amount};
  case model::Dimension::Sequences:
    return {window_unit::sequences, amount};
  case model::Dimension::Requests:
    return {window_unit::requests, amount};
  case model::Dimension::Steps:
    return {window_unit::steps, amount};
  case model::Dimension::Windows:
    return {window_unit::ticks, amount};
  default:
    TIKC_CHECK(over->dimension() == model::Dimension::Time, "other windows are of time");
    return {window_unit::seconds, amount};
  }
}

void addClauses(Plan& plan, const Contract& contract) {
  for (const Clause& clause : contract.clauses)
    if (!clause.directive || isSampling(clause) || isCoherence(clause))
      Lowerer(plan, contract).add(clause);
}

} // namespace tikc::lower
