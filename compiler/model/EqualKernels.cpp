#include "model/EqualKernels.h"

#include "model/Metrics.h"

#include <algorithm>

namespace tikc::model {

using namespace model;
namespace {

/// Of each observation.
std::optional<Rational> observed(const Measure& measure) {
  const MetricInfo& info = model::info(measure.metric);
  const std::vector<Rational>& given = measure.parameters;
  if (info.input == Input::Requests || measure.metric == MetricId::Top1Margin)
    return std::nullopt;
  if (info.gives == Gives::Weight)
    return std::min(std::max(Rational(1), given.at(0)), given.at(1));
  if (!given.empty()) // an event: the ratio is outside
    return Rational(given[0] > 1 || (given.size() > 1 && given[1] < 1));
  bool isOne = info.better == Better::One || info.better == Better::Higher;
  return Rational(isOne || domainOf(info.range).low == Rational(1));
}

} // namespace

std::optional<Rational> figureOfEqualKernels(const Measure& measure) {
  auto value = observed(measure);
  if (!value)
    return std::nullopt;
  switch (measure.aggregate) {
  case Aggregate::Deviation:
  case Aggregate::Slope:
    return Rational(0);
  case Aggregate::EffectiveShare:
    return *value == 0 ? std::nullopt : std::optional(Rational(1));
  case Aggregate::Sum:
  case Aggregate::Count:
    return *value == 0 ? value : std::nullopt;
  case Aggregate::Rate:
    if (measure.threshold)
      return Rational(
          meets(*value, measure.threshold->comparator, measure.threshold->bound.scaled()));
    return value;
  default:
    return value;
  }
}

bool refusesEqualKernels(const Bound& bound) {
  auto value = figureOfEqualKernels(bound.measure);
  if (!value)
    return false;
  Rational limit = bound.limit.scaled();
  if (bound.upper)
    return *value < limit || *value > bound.upper->scaled();
  return !meets(*value, bound.comparator, limit);
}

bool haveOneLaw(const Contract& contract) {
  return std::none_of(contract.kernels.begin(), contract.kernels.end(), [](const Kernel& kernel) {
    const Sampling& sampling = kernel.sampling;
    return sampling.temperature || sampling.topP || sampling.topK || sampling.minP;
  });
}

} // namespace tikc::model
