#include "lint/Removed.h"

#include "model/Metrics.h"

#include <cmath>
#include <vector>

namespace tikc::lint {
namespace {

/// The share of a normal law above a point, in standard deviations.
double above(double point) { return std::erfc(point / std::sqrt(2.0)) / 2; }

/// A rule names it in its first argument: `correct(tis, 2)`.
model::CallId kindOf(const model::Call& correction) {
  if (correction.id != model::CallId::Correct || correction.expr.arguments.empty())
    return correction.id;
  const model::CallInfo* named =
      model::findCall(model::CallPlace::Correction, correction.expr.arguments[0].text);
  return named ? named->id : correction.id;
}

} // namespace

std::optional<RatioRange> keptBy(const model::Call& correction) {
  std::vector<double> numbers;
  for (const model::Expr& argument : correction.expr.arguments)
    if (argument.kind == model::Expr::Kind::Quantity)
      numbers.push_back(argument.quantity.scaled().get_d());
  auto number = [&](std::size_t i) { return i < numbers.size() ? numbers[i] : 0; };
  switch (kindOf(correction)) {
  case model::CallId::TruncatedIs:
    return RatioRange{0, number(0)};
  case model::CallId::MaskedIs:
    return RatioRange{number(0), number(1)};
  case model::CallId::Clip:
    return RatioRange{1 - number(0), 1 + number(0)};
  case model::CallId::Ppo:
    return RatioRange{1 - number(0), 1 + number(1)};
  default:
    return std::nullopt;
  }
}

double outside(const RatioRange& range, double mean, double deviation) {
  auto at = [&](double ratio) { return (std::log(ratio) - mean) / deviation; };
  double low = range.low > 0 ? 1 - above(at(range.low)) : 0;
  return low + (std::isinf(range.high) ? 0 : above(at(range.high)));
}

/// E w = 1 sets the mean of log w.
double outside(const RatioRange& range, double deviation) {
  return outside(range, -deviation * deviation / 2, deviation);
}

/// Weighed by themselves such ratios are as normal, about the mean with the other sign.
double weightOutside(const RatioRange& range, double deviation) {
  return outside(range, deviation * deviation / 2, deviation);
}

double weightBeyond(const RatioRange& range, double deviation) {
  if (std::isinf(range.high))
    return 0;
  const RatioRange upper{0, range.high};
  return weightOutside(upper, deviation) - range.high * outside(upper, deviation);
}

double deviationOfMeanSize(double size) {
  constexpr double meanSize = 0.7978845608; // of a standard normal: √(2/π)
  return size / meanSize;
}

} // namespace tikc::lint
