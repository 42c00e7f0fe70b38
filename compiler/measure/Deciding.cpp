#include "measure/Deciding.h"

#include <algorithm>
#include <cmath>

namespace tikc::measure {
namespace {

constexpr double mostObservations = 0x1p60;

/// The spread of `factor` times as many values, about another centre.
std::optional<spread> grown(const std::optional<spread>& about, double sum, double count,
                            double centre, double factor) {
  if (!about)
    return std::nullopt;
  const double moved = about->centre - centre;
  const double squares =
      about->squares + moved * (2 * (sum - count * about->centre) + count * moved);
  return spread{centre, std::max(0.0, squares) * factor};
}

/// The factor for one limit on a mean, within 1%.
std::optional<double> factorFor(const tikc::check& check, const finding& shown, double limit) {
  const double count = static_cast<double>(shown.observations), range = check.high - check.low;
  const double mean = shown.value - check.low, bound = limit - check.low;
  if (!(mean < bound || mean > bound))
    return std::nullopt;
  const auto decides = [&](double factor) {
    const auto observations = static_cast<std::uint64_t>(count * factor);
    const double sum = mean * count * factor, alpha = check.alpha / 2;
    const auto about = grown(shown.about, mean * count, count, bound, factor);
    return mean < bound ? mean_upper(sum, observations, range, alpha, about) <= bound
                        : mean_lower(sum, observations, range, alpha, about) >= bound;
  };
  double few = 1, enough = 1;
  while (!decides(enough)) {
    few = enough;
    enough *= 2;
    if (count * enough > mostObservations)
      return std::nullopt;
  }
  while (enough > 1.01 * few) {
    const double middle = std::sqrt(few * enough);
    (decides(middle) ? enough : few) = middle;
  }
  return enough;
}

/// Other intervals narrow about with the root of what is observed.
double rootFactorFor(const finding& shown, double limit) {
  const double room = std::abs(limit - shown.value);
  const double width = limit > shown.value ? shown.high - shown.value : shown.value - shown.low;
  return width > room && room > 0 ? std::pow(width / room, 2) : 1;
}

} // namespace

std::optional<double> observationsToDecide(const tikc::check& check, const finding& shown) {
  const bool isOfMean = check.alpha > 0 &&
                        (check.how == estimator::mean || check.how == estimator::share) &&
                        shown.value >= check.low && shown.value <= check.high;
  double factor = 1;
  for (std::size_t i = 0; i < check.limit_count; ++i) {
    const double limit = check.limits[i].bound;
    const auto each = isOfMean ? factorFor(check, shown, limit)
                               : std::optional<double>(rootFactorFor(shown, limit));
    if (!each)
      return std::nullopt;
    factor = std::max(factor, *each);
  }
  if (!(factor > 1) || !std::isfinite(factor))
    return std::nullopt;
  return static_cast<double>(shown.observations) * (factor - 1);
}

} // namespace tikc::measure
