#include "lint/Actions.h"
#include "lint/Lint.h"
#include "lint/Removed.h"

#include "model/Metrics.h"
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
  switch (measure.metric) {
  case MetricId::K2:
  case MetricId::K3:
    return isMean ? std::optional(std::sqrt(2 * limit)) : std::nullopt;
  case MetricId::LogprobGap:
    if (measure.aggregate == Aggregate::RootMeanSquare || measure.aggregate == Aggregate::Deviation)
      return limit;
    return isMean && measure.absolute ? std::optional(deviationOfMeanSize(limit)) : std::nullopt;
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

const Amount* lengthOf(const Contract& contract) {
  const auto& mean = contract.assumptions.meanLength;
  return mean ? &*mean : contract.policy.horizon ? &*contract.policy.horizon : nullptr;
}

bool weighsResponses(const Contract& contract) {
  const auto& estimator = contract.assumptions.estimator;
  return estimator && estimator->value == GradientEstimator::Sequence;
}

/// The share that a clause leaves outside, if one counts what the correction changes, or more.
double allowedOutside(const Contract& contract, const RatioRange& range, bool ofResponses) {
  double out = 1;
  for (const Clause& clause : contract.clauses)
    for (const Bound& bound : clause.bounds) {
      const Measure& measure = bound.measure;
      const auto& ends = measure.parameters;
      if (!isOfServer(clause) || !limitsAbove(bound) || ends.size() != 2 ||
          measure.aggregate != Aggregate::Mean ||
          measure.metric != (ofResponses ? MetricId::SeqClipped : MetricId::Clipped) ||
          ends[0].get_d() < range.low || ends[1].get_d() > range.high)
        continue;
      out = std::min(out, (bound.upper ? *bound.upper : bound.limit).scaled().get_d());
    }
  return out;
}

void checkRemoved(const LintInput& input, const Call& correction) {
  auto range = keptBy(correction);
  Noise noise = noiseOf(input.contract);
  bool ofResponses = weighsResponses(input.contract);
  const Amount* length = lengthOf(input.contract);
  if (!range || !noise.from || !(noise.deviation > 0) || (ofResponses && !length))
    return;
  double tokens = ofResponses ? length->scaled().get_d() : 1;
  double share = std::min(outside(*range, noise.deviation * std::sqrt(tokens)),
                          allowedOutside(input.contract, *range, ofResponses));
  if (share < mostRemoved)
    return;
  auto& diagnostic = input.sink.report<diag::CorrectionRemovesMuch>(
      correction.expr.span, ticked(input.sources.text(correction.expr.span)),
      fmt::format("{:.0f}%", 100 * share), ofResponses ? "responses" : "tokens");
  diagnostic.relatedTo(noise.from->span, "at the limit of this clause");
  diagnostic.note(
      ofResponses ? fmt::format("estimated as if the log-ratios of a response's {} tokens were "
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
      else if (model::info(metric).level == model::Level::Sequence)
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
  for (const Rule& rule : input.contract.rules)
    forEachAction(rule, [&](const Call& action) {
      if (action.id == CallId::Correct && !input.sink.hasErrorWithin(action.expr.span))
        checkRemoved(input, action);
    });
  const auto& correction = input.contract.assumptions.correction;
  if (!correction || input.sink.hasErrorWithin(correction->expr.span))
    return;
  checkRemoved(input, *correction);
  checkGeometric(input, *correction);
}

} // namespace tikc::lint
