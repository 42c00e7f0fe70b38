#include "audit/settings/Corrections.h"

#include <cmath>

namespace tikc::audit {
namespace {

/// The log-ratio at which e^x − 1 − x reaches a limit, on one side of 0.
double whereLowVariance(double limit, bool isAbove) {
  double near = 0, far = isAbove ? std::log(limit + 2) + 2 : -(limit + 2);
  for (int i = 0; i < 80; ++i) {
    const double middle = (near + far) / 2;
    (std::exp(middle) - 1 - middle < limit ? near : far) = middle;
  }
  return near;
}

/// The ratios whose figure is within.
lint::RatioRange ratiosOf(const TrainerCorrection& correction) {
  const double limit = correction.range.high;
  switch (correction.figure) {
  case CorrectedFigure::Square:
    return {std::exp(-std::sqrt(2 * limit)), std::exp(std::sqrt(2 * limit))};
  case CorrectedFigure::LowVariance:
    return {std::exp(whereLowVariance(limit, false)), std::exp(whereLowVariance(limit, true))};
  default:
    return correction.range;
  }
}

} // namespace

TakenShare takenBy(const TrainerCorrection& correction, double noise, double horizon) {
  const double token = lint::deviationOfMeanSize(noise);
  const lint::RatioRange range = ratiosOf(correction);
  if (correction.figure == CorrectedFigure::RarestToken) {
    const double share = 1 - std::pow(1 - lint::outside(range, token), horizon);
    return {share, share};
  }
  if (correction.figure == CorrectedFigure::Geometric) {
    const double share = lint::outside(range, -token * token / 2, token / std::sqrt(horizon));
    return {share, share};
  }
  const bool ofResponses = correction.unit == CorrectedUnit::Responses;
  const double deviation = ofResponses ? token * std::sqrt(horizon) : token;
  return {lint::outside(range, deviation), correction.does == CorrectionDoes::Masks
                                               ? lint::weightOutside(range, deviation)
                                               : lint::weightBeyond(range, deviation)};
}

} // namespace tikc::audit
