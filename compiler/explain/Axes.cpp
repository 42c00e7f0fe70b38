#include "explain/Axes.h"

#include <fmt/format.h>

#include <cmath>

namespace tikc::explain {
namespace {

double tickStep(double range) {
  double rough = range / 5, power = std::pow(10, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough)
      return factor * power;
  return 10 * power;
}

} // namespace

std::vector<double> ticksOf(const Scale& scale) {
  std::vector<double> out;
  double step = tickStep(scale.high - scale.low);
  for (double i = std::ceil(scale.low / step - 1e-9); i * step <= scale.high * (1 + 1e-9); ++i)
    out.push_back(i * step);
  return out;
}

std::string tickText(double tick) {
  return std::abs(tick) < 1e-12 ? "0" : fmt::format("{:.6g}", tick);
}

} // namespace tikc::explain
