#include "lint/Lint.h"

#include "metrics/Metrics.h"
#include "support/Utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

/// What a correction does to the samples at the noise that the contract itself allows. An estimate,
/// which decides nothing: doubles will do.
namespace tikc::lint {

using namespace model;
using utf8::ticked;

namespace {

/// What a correction may take from the samples before somebody should be asked.
constexpr double mostRemoved = 0.1;

bool isOfServer(const Clause& clause) { return !clause.link && !clause.drawn; }

/// The standard deviation of a token's log-ratio at which a clause's limit is reached, were
/// log-ratios normal.
std::optional<double> deviationOf(const Bound& bound) {
  const Measure& measure = bound.measure;
  if (!limitsAbove(bound) || measure.threshold)
    return std::nullopt;
  double limit = (bound.upper ? *bound.upper : bound.limit).scaled().get_d();
  if (bound.limit.unit == Unit::Bit)
    limit *= std::log(2.0);
  bool isMean = measure.aggregate == Aggregate::Mean;
  constexpr double meanSize = 0.7978845608; // of a standard normal: √(2/π)
  switch (measure.metric) {
  case MetricId::K2:
  case MetricId::K3:
    return isMean ? std::optional(std::sqrt(2 * limit)) : std::nullopt;
  case MetricId::LogprobGap:
    if (measure.aggregate == Aggregate::RootMeanSquare || measure.aggregate == Aggregate::Deviation)
      return limit;
    return isMean && measure.absolute ? std::optional(limit / meanSize) : std::nullopt;
  default:
    return std::nullopt;
  }
}

struct Noise {
  double deviation = std::numeric_limits<double>::infinity();
  const Bound* from = nullptr;
};

/// The least that a clause leaves.
Noise noiseOf(const Contract& contract) {
  Noise out;
  for (const Clause& clause : contract.clauses)
    for (const Bound& bound : clause.bounds)
      if (auto deviation = isOfServer(clause) ? deviationOf(bound) : std::nullopt;
          deviation && *deviation < out.deviation)
        out = {*deviation, &bound};
  return out;
}

/// Ratios that a correction leaves as they are.
struct Kept {
  double low = 0, high = std::numeric_limits<double>::infinity();
};
std::optional<Kept> keptBy(const Call& correction) {
  std::vector<double> numbers;
  for (const Expr& argument : correction.expr.arguments)
    if (argument.kind == Expr::Kind::Quantity)
      numbers.push_back(argument.quantity.scaled().get_d());
  auto number = [&](std::size_t i) { return i < numbers.size() ? numbers[i] : 0; };
  switch (correction.id) {
  case CallId::TruncatedIs:
    return Kept{0, number(0)};
  case CallId::MaskedIs:
    return Kept{number(0), number(1)};
  case CallId::Clip:
    return Kept{1 - number(0), 1 + number(0)};
  case CallId::Ppo:
    return Kept{1 - number(0), 1 + number(1)};
  default:
    return std::nullopt;
  }
}

/// The share of a normal law above a point, in standard deviations.
double above(double point) { return std::erfc(point / std::sqrt(2.0)) / 2; }

/// Of ratios whose logarithm is normal with a mean of one: E w = 1 sets the mean of log w.
double outside(const Kept& kept, double deviation) {
  auto at = [&](double ratio) { return std::log(ratio) / deviation + deviation / 2; };
  double low = kept.low > 0 ? 1 - above(at(kept.low)) : 0;
  return low + (std::isinf(kept.high) ? 0 : above(at(kept.high)));
}

const Amount* lengthOf(const Contract& contract) {
  const auto& mean = contract.assumptions.meanLength;
  return mean ? &*mean : contract.policy.horizon ? &*contract.policy.horizon : nullptr;
}

bool weighsResponses(const Contract& contract) {
  const auto& estimator = contract.assumptions.estimator;
  return estimator && estimator->value == GradientEstimator::Sequence;
}

void checkRemoved(const LintInput& input, const Call& correction) {
  auto kept = keptBy(correction);
  Noise noise = noiseOf(input.contract);
  bool ofResponses = weighsResponses(input.contract);
  const Amount* length = lengthOf(input.contract);
  if (!kept || !noise.from || !(noise.deviation > 0) || (ofResponses && !length))
    return;
  double tokens = ofResponses ? length->scaled().get_d() : 1;
  double share = outside(*kept, noise.deviation * std::sqrt(tokens));
  if (share < mostRemoved)
    return;
  auto& found = input.sink.report<diag::CorrectionRemovesMuch>(
      correction.expr.span, ticked(input.sources.text(correction.expr.span)),
      fmt::format("{:.0f}%", 100 * share), ofResponses ? "responses" : "tokens");
  found.relatedTo(noise.from->span, "at the limit of this clause");
  found.note(ofResponses
                 ? fmt::format("estimated as if the log-ratios of a response's {} tokens were "
                               "independent and normal, each with a standard deviation of {:.3g}",
                               printRational(length->scaled()), noise.deviation)
                 : fmt::format("estimated as if log-ratios were normal, with a standard deviation "
                               "of {:.3g}",
                               noise.deviation));
}

/// The geometric mean of a response's ratios hides what their product, its weight, is.
void checkGeometric(const LintInput& input, const Call& correction) {
  const Amount* length = lengthOf(input.contract);
  if (correction.id == CallId::NoCorrection || !weighsResponses(input.contract) || !length)
    return;
  const Bound* geometric = nullptr;
  for (const Clause& clause : input.contract.clauses)
    for (const Bound& bound : clause.bounds) {
      MetricId metric = bound.measure.metric;
      if (metric == MetricId::SeqGeoRatio || metric == MetricId::SeqGeoClipped)
        geometric = geometric ? geometric : &bound;
      else if (metrics::info(metric).level == metrics::Level::Sequence)
        return;
    }
  if (!geometric)
    return;
  double tokens = length->scaled().get_d(), digits = tokens * std::log10(1.001);
  std::string weight = digits < 6 ? fmt::format("{:.3g}", std::pow(1.001, tokens))
                                  : fmt::format("1e{:.0f}", std::floor(digits));
  input.sink
      .report<diag::GeometricMeanAlone>(geometric->measure.span,
                                        ticked(input.sources.text(geometric->measure.span)))
      .relatedTo(correction.expr.span, "the weight of a response is the product")
      .note(fmt::format("over {:.0f} tokens a geometric mean of 1.001 is a weight of {}", tokens,
                        weight));
}

} // namespace

void lintCorrections(const LintInput& input) {
  const auto& correction = input.contract.assumptions.correction;
  if (!correction || input.sink.hasErrorWithin(correction->expr.span))
    return;
  checkRemoved(input, *correction);
  checkGeometric(input, *correction);
}

} // namespace tikc::lint
