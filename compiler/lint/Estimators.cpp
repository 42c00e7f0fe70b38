#include "bounds/facts/Comparisons.h"
#include "lint/Lint.h"

#include "logic/Domain.h"
#include "logic/Magnitudes.h"
#include "logic/Order.h"
#include "model/Laws.h"
#include "model/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

/// Figures that cannot tell what they are asked for: whatever the kernels do, they meet the bound;
/// or what they leave out is what goes wrong.
namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

void forEachBound(const Contract& contract, auto visit) {
  for (const Clause& clause : contract.clauses)
    for (const Bound& bound : clause.bounds)
      visit(clause, bound);
}

/// `rate(prob_gap > 1)`: what the metric's range decides already.
void checkCondition(const LintInput& input, const Bound& bound) {
  const auto& threshold = bound.measure.threshold;
  if (!threshold || input.sink.hasErrorWithin(bound.span))
    return;
  auto [low, high] = model::domainOf(bound.measure);
  const logic::Magnitude at = logic::magnitudeOf(threshold->bound);
  bool isAbove = model::isAbove(threshold->comparator),
       isStrict = model::isStrict(threshold->comparator);
  // The sign of how far the threshold lies beyond an end; nothing if that is unknown.
  auto beyond = [&](const std::optional<Rational>& end, bool isHigh) -> std::optional<int> {
    auto order =
        end ? logic::compare(at, isHigh ? logic::upperEnd(*end) : logic::Magnitude{*end, false})
            : std::nullopt;
    if (!order)
      return std::nullopt;
    const int sign = *order > 0 ? 1 : *order < 0 ? -1 : 0;
    return isAbove ? sign : -sign;
  };
  const auto near = beyond(isAbove ? high : low, isAbove); // the end that the condition asks for
  const auto far = beyond(isAbove ? low : high, !isAbove);
  bool never = near && (*near > 0 || (isStrict && *near == 0));
  bool always = far && (*far < 0 || (!isStrict && *far == 0));
  bool isOrder = isAbove || model::isBelow(threshold->comparator);
  if (!isOrder || (!never && !always))
    return;
  input.sink
      .report<diag::ConditionDecided>(bound.measure.span,
                                      ticked(input.sources.text(bound.measure.span)),
                                      never ? "none" : "all")
      .note(fmt::format("the range of `{}` is {} to {}", model::info(bound.measure.metric).symbol,
                        low ? printRational(*low) : "-infinity",
                        high ? printRational(*high) : "infinity"));
}

// What holds of every pair of kernels, of tokens that one of the two drew.

/// A figure of the population that no kernels can bring past an end.
struct PopulationEnd {
  MetricId metric;
  Aggregate aggregate;
  bool isUpper;
  int end; // of weights, before they are held to their caps
  std::string_view why;
};
constexpr std::string_view meanRatio =
    "over the inference kernel's draws, the mean of p/q is the mass that p has there: at most 1";
constexpr std::string_view meanWeight =
    "over the inference kernel's draws, p/q is at most 1 on average; between its caps, its mean is "
    "largest if each weight is 0 or at the upper cap";
constexpr std::string_view meanGap = "over the inference kernel's draws, the mean of log q − log p "
                                     "is a divergence: never below 0";
constexpr PopulationEnd populationEnds[] = {
    {MetricId::Ratio, Aggregate::Mean, true, 1, meanRatio},
    {MetricId::SeqRatio, Aggregate::Mean, true, 1, meanRatio},
    {MetricId::CappedRatio, Aggregate::Mean, true, 1, meanWeight},
    {MetricId::SeqCappedRatio, Aggregate::Mean, true, 1, meanWeight},
    {MetricId::LogprobGap, Aggregate::Mean, true, 0, meanGap},
    {MetricId::SeqLogRatio, Aggregate::Mean, true, 0, meanGap},
    {MetricId::K1, Aggregate::Mean, false, 0, meanGap},
    {MetricId::PplRatio, Aggregate::None, false, 1, meanGap},
};

/// The caps make a chord of what a weight becomes, from 0 to the upper cap, and end it there.
Rational endOf(const PopulationEnd& row, const Measure& measure) {
  if (model::info(row.metric).gives != model::Gives::Weight)
    return row.end;
  const Rational &low = measure.parameters.at(0), &high = measure.parameters.at(1);
  return high < row.end ? high : Rational(low + row.end * (high - low) / high);
}

/// Whether the log-probs that a clause compares are of the laws that served, drawn by the second of
/// the two kernels: what the ends are about.
bool isOfServedDraws(const Contract& contract, const Laws& laws, const Clause& clause) {
  auto infer = clause.link ? laws.placeOf(clause.link->to.text) : std::optional(laws.server());
  auto train = clause.link ? laws.placeOf(clause.link->from.text) : std::optional<std::size_t>(0);
  if (!infer || !train || contract.chain.size() < 2 || laws.drawerOf(clause) != *infer)
    return false;
  return !laws.kernels()[*infer].logsRaw && !laws.kernels()[*train].logsRaw;
}

/// What the range of the figure says already is told of that.
bool isDecidedByRange(const Bound& bound) {
  auto high = model::domainOf(bound.measure).high;
  return high && (model::isStrict(bound.comparator) ? bound.limit.scaled() > *high
                                                    : bound.limit.scaled() >= *high);
}

bool isOfResponses(MetricId metric) { return model::info(metric).level == model::Level::Sequence; }

/// A clause that asks for what lies past the end. Of log-ratios the prover finds it.
void reportBeyond(const LintInput& input, const Clause& clause, const Bound& bound,
                  const PopulationEnd& row) {
  if (row.why == meanGap && row.metric != MetricId::PplRatio)
    return;
  const Rational end = endOf(row, bound.measure);
  const auto side =
      row.isUpper ? bounds::QuantityInfo::Side::Lower : bounds::QuantityInfo::Side::Upper;
  for (const bounds::QuantityLimit& limit : bounds::limitsOf(bound)) {
    const Rational value = limit.quantity.scaled();
    bool isPast = row.isUpper ? value > end : value < end;
    if (limit.side == side && (isPast || (value == end && limit.strict)))
      input.sink.report<diag::ClausesContradict>(bound.span, ticked(clause.id.text), row.why)
          .isFixed = !input.contract.claims.empty();
  }
}

void checkPopulation(const LintInput& input, const Laws& laws, const Clause& clause,
                     const Bound& bound) {
  const Measure& measure = bound.measure;
  if (measure.absolute || !isOfServedDraws(input.contract, laws, clause) ||
      input.sink.hasErrorWithin(bound.span))
    return;
  for (const PopulationEnd& row : populationEnds) {
    if (row.metric != measure.metric || row.aggregate != measure.aggregate)
      continue;
    // Whole responses of a slice that they are in for how long they became are drawn from no law.
    if (isOfResponses(row.metric) && laws.slicesCutResponses() &&
        bound.scope.kind != model::Scope::Kind::All)
      continue;
    reportBeyond(input, clause, bound, row);
    // A bound on the other side, too, is what tells kernels apart.
    if (row.isUpper ? limitsBelow(bound) : limitsAbove(bound))
      continue;
    Rational limit = bound.limit.scaled(), end = endOf(row, measure);
    // Kernels that agree are at the end.
    bool isKept = (row.isUpper ? limit > end : limit < end) ||
                  (limit == end && !model::isStrict(bound.comparator));
    if (!isKept || (row.isUpper && isDecidedByRange(bound)))
      continue;
    // That the other side is free is the same fault, told less well.
    input.sink.drop([&](const diag::Diagnostic& diagnostic) {
      return diagnostic.code == diag::Code::OneSided && diagnostic.span == bound.span;
    });
    input.sink
        .report<diag::BoundOfEveryKernel>(bound.span,
                                          ticked(input.sources.text(bound.measure.span)))
        .note(std::string(row.why));
  }
}

/// Figures that are an estimate only of what the second kernel drew: of other tokens they have no
/// meaning that anybody knows.
bool isOfItsOwnDraws(const Bound& bound) {
  if (bound.measure.aggregate != Aggregate::Mean)
    return false;
  switch (bound.measure.metric) {
  case MetricId::K1:
  case MetricId::K3:
  case MetricId::TvSampled:
  case MetricId::SeqTv:
    return true;
  default:
    return false;
  }
}

void checkDrawn(const LintInput& input, const Laws& laws, const Clause& clause,
                const Bound& bound) {
  if (!clause.drawn || !isOfItsOwnDraws(bound) || input.contract.chain.size() < 2)
    return;
  const std::string& infer = clause.link ? clause.link->to.text : input.contract.chain.back().text;
  auto place = laws.placeOf(infer);
  if (place && laws.drawerOf(clause) != *place)
    input.sink
        .report<diag::EstimateOfOtherDraws>(
            clause.drawn->span, ticked(input.sources.text(bound.measure.span)), ticked(infer))
        .relatedTo(bound.measure.span, "this estimates over that kernel's draws");
}

// What a figure leaves out.

/// Half of the observations, or more, may be anything.
bool isCentral(const Measure& measure) {
  return measure.aggregate == Aggregate::Quantile && measure.level <= Rational(1, 2);
}

/// What a figure shows; of the others it shows nothing.
enum class Aspect : std::uint8_t { Drift, Flips, BatchReplays, RequestReplays };

/// A bound that holds whatever is observed shows nothing.
std::optional<Aspect> aspectOf(const Bound& bound) {
  const model::MetricInfo& info = model::info(bound.measure.metric);
  if (logic::isVacuous(bound, logic::Stands::InClause))
    return std::nullopt;
  switch (info.input) {
  case model::Input::Logits:
  case model::Input::Logprobs:
    return info.gives == model::Gives::Event ? Aspect::Flips : Aspect::Drift;
  case model::Input::BatchReplay:
    return Aspect::BatchReplays;
  case model::Input::RequestReplay:
    return Aspect::RequestReplays;
  default:
    return std::nullopt;
  }
}

struct Shown {
  const Bound* bound;
  Aspect aspect;
};

std::vector<Shown> shownBy(const Contract& contract) {
  std::vector<Shown> out;
  forEachBound(contract, [&](const Clause&, const Bound& bound) {
    if (auto aspect = aspectOf(bound))
      out.push_back({&bound, *aspect});
  });
  return out;
}

/// A median alone: the half above it may be anything.
void checkMedians(const LintInput& input, const std::vector<Shown>& all, Aspect aspect) {
  const Bound* first = nullptr;
  bool hasOther = false;
  for (const Shown& each : all) {
    if (each.aspect != aspect)
      continue;
    bool isMedian = isCentral(each.bound->measure) && limitsAbove(*each.bound);
    hasOther = hasOther || !isMedian;
    if (isMedian && !first)
      first = each.bound;
  }
  if (first && !hasOther && !input.sink.hasErrors())
    input.sink
        .report<diag::MedianAlone>(first->span, ticked(input.sources.text(first->measure.span)))
        .note("also bound a mean, a high quantile or a maximum");
}

/// A loss of sums, or of the batch's mean, weighs tokens alike.
bool averagesByResponse(Loss loss) { return loss == Loss::TokenMean; }

bool isMeanOfTokens(const Measure& measure) {
  bool isMean =
      measure.aggregate == Aggregate::Mean || measure.aggregate == Aggregate::MeanByResponse;
  return isMean && model::isAveragedByResponse(model::info(measure.metric));
}

/// Means of the other weights than the loss has, alone: what a gradient is made of is then weighed
/// by the length of its response, or by nothing where it should be.
void checkWeighing(const LintInput& input, const std::vector<Shown>& all) {
  const Assumptions& assumptions = input.contract.assumptions;
  bool isOfOneToken =
      assumptions.estimator && assumptions.estimator->value == GradientEstimator::Step;
  if (!assumptions.loss || isOfOneToken || input.sink.hasErrors())
    return;
  bool byResponse = averagesByResponse(assumptions.loss->value);
  const Bound* first = nullptr;
  bool hasOther = false;
  for (const Shown& each : all) {
    if (each.aspect != Aspect::Drift)
      continue;
    const Measure& measure = each.bound->measure;
    bool isMeanByResponse = measure.aggregate == Aggregate::MeanByResponse;
    bool isWeighedOtherwise = isMeanOfTokens(measure) && isMeanByResponse != byResponse;
    hasOther = hasOther || !isWeighedOtherwise;
    if (isWeighedOtherwise && !first)
      first = each.bound;
  }
  if (!first || hasOther)
    return;
  std::string_view tokens = "tokens equally", responses = "responses equally";
  input.sink
      .report<diag::MeanWeighedOtherwise>(
          first->span, ticked(input.sources.text(first->measure.span)),
          byResponse ? tokens : responses, byResponse ? responses : tokens)
      .relatedTo(assumptions.loss->span, "the loss")
      .note(fmt::format("also bound `{}` of the same metric, or a high quantile or a maximum",
                        byResponse ? "mean_by_response" : "mean"));
}

/// What is measured of kernels, in the laws that are logged: raw log-probs know neither a
/// temperature nor a cut.
void checkRaw(const LintInput& input, const Laws& laws) {
  if (input.contract.chain.size() < 2)
    return;
  const Clause* measured = nullptr;
  forEachBound(input.contract, [&](const Clause& clause, const Bound& bound) {
    if (!measured && !clause.link &&
        model::info(bound.measure.metric).input == model::Input::Logprobs)
      measured = &clause;
  });
  const auto& correction = input.contract.assumptions.correction;
  bool isCorrected = correction && correction->expr.text != "none";
  if (!measured && !isCorrected)
    return;
  for (std::size_t place : {std::size_t{0}, laws.server()}) {
    const KernelLaws& kernel = laws.kernels()[place];
    if (!kernel.logsRaw || !laws.logsDiffer(place))
      continue;
    auto declared = std::find_if(input.contract.kernels.begin(), input.contract.kernels.end(),
                                 [&](const Kernel& each) { return each.name.text == kernel.name; });
    auto& diagnostic =
        input.sink.report<diag::RawLogprobs>(declared->logprobs->span, ticked(kernel.name));
    if (measured)
      diagnostic.relatedTo(measured->id.span, "this clause uses them");
    if (isCorrected)
      diagnostic.relatedTo(correction->expr.span, "this correction computes its weights from them");
  }
}

/// The ends of the chain sample at two temperatures, so that they differ whatever their numerics
/// are.
void checkTemperatures(const LintInput& input, const Laws& laws) {
  if (input.contract.chain.size() < 2)
    return;
  const KernelLaws& train = laws.kernels().front();
  const KernelLaws& infer = laws.kernels().back();
  if (train.temperature == infer.temperature || !infer.temperatureFrom)
    return;
  auto& diagnostic = input.sink.report<diag::TemperaturesDiffer>(
      infer.temperatureFrom->span, ticked(infer.name), printRational(infer.temperature),
      ticked(train.name), printRational(train.temperature));
  if (train.temperatureFrom && train.temperatureFrom != infer.temperatureFrom)
    diagnostic.relatedTo(train.temperatureFrom->span, "the trainer's temperature");
}

} // namespace

void lintEstimators(const LintInput& input) {
  Laws laws(input.contract);
  forEachBound(input.contract, [&](const Clause& clause, const Bound& bound) {
    checkCondition(input, bound);
    checkPopulation(input, laws, clause, bound);
    checkDrawn(input, laws, clause, bound);
  });
  const std::vector<Shown> shown = shownBy(input.contract);
  for (Aspect aspect : {Aspect::Drift, Aspect::Flips, Aspect::BatchReplays, Aspect::RequestReplays})
    checkMedians(input, shown, aspect);
  checkWeighing(input, shown);
  checkRaw(input, laws);
  checkTemperatures(input, laws);
}

} // namespace tikc::lint
