#include "gate/Means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tikc::gate {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Shares of what may be staked, from nearly all down to what sums of a billion responses need.
constexpr std::size_t stakes = 24;
double stakeAt(std::size_t i) {
  constexpr std::array<double, 4> bold = {0.98, 0.93, 0.85, 0.7};
  return i < bold.size() ? bold[i] : std::ldexp(1.0, -static_cast<int>(i - bold.size()) - 1);
}

/// What sums of doubles may be off, as a share of their parts; sums of tokens are made in single
/// precision.
constexpr double sumError = 4e-6;

constexpr double mostUnits = 1e15;

MeanEvidence::Sums times(const MeanEvidence::Sums& sums, double factor) {
  MeanEvidence::Sums out = sums;
  for (auto each :
       {&MeanEvidence::Sums::units, &MeanEvidence::Sums::total, &MeanEvidence::Sums::squares,
        &MeanEvidence::Sums::sizes, &MeanEvidence::Sums::sizeSquares, &MeanEvidence::Sums::cross})
    out.*each *= factor;
  return out;
}

/// A place between `inside` and `outside` at which the test holds, near to the first of all;
/// `outside` where there is none. Far out sums tell less than they could, so it is looked for from
/// the inside.
template <class Test> double nearestShown(double inside, double outside, Test&& test) {
  double kept = inside;
  for (int step = 48; step > 0; --step) {
    double shown = inside + (outside - inside) * std::ldexp(1.0, -step);
    if (!test(shown)) {
      kept = shown;
      continue;
    }
    for (int half = 0; half < 40; ++half) {
      const double middle = kept + (shown - kept) / 2;
      (test(middle) ? shown : kept) = middle;
    }
    return shown;
  }
  return outside;
}

} // namespace

MeanEvidence::Sums MeanEvidence::ofObservations(const measure::UnitSums& from, double longest) {
  return {static_cast<double>(from.units),
          from.total,
          from.squares,
          from.sizes,
          from.sizeSquares,
          from.cross,
          longest};
}

MeanEvidence::Sums MeanEvidence::ofMeans(const measure::UnitSums& from) {
  const double units = static_cast<double>(from.units);
  return {units, from.means, from.meanSquares, units, units, from.means, 1};
}

MeanEvidence::MeanEvidence(const Sums& sums, ValueEnds extent, double target, double shared)
    : sums_(sums), extent_(extent), asked_(target), shared_(shared) {}

/// A stake of 1 loses all by what is worst at `anchor`; at `mean` that is `scale`.
double MeanEvidence::process(double mean, double sign, double scale, double anchor) const {
  const double parts = std::abs(mean) * sums_.sizes + std::abs(sums_.total);
  const double drift = (sign * (sums_.total - mean * sums_.sizes) - sumError * parts) / scale;
  const double squareParts = sums_.squares + mean * mean * sums_.sizeSquares;
  const double spread =
      (std::max(0.0, sums_.squares - 2 * mean * sums_.cross + mean * mean * sums_.sizeSquares) +
       2 * sumError * squareParts) /
      (scale * scale);
  std::array<double, stakes> each{};
  double top = -unbounded;
  for (std::size_t i = 0; i < stakes; ++i) {
    const double stake = stakeAt(i) * (scale / anchor);
    // Who stakes more than there is may have lost it.
    each[i] =
        stake < 1 ? (stake * drift + (std::log1p(-stake) + stake) * spread) / shared_ : -unbounded;
    top = std::max(top, each[i]);
  }
  if (!std::isfinite(top))
    return -unbounded;
  double total = 0;
  for (double one : each)
    total += std::exp(one - top);
  return top + std::log(total / static_cast<double>(stakes));
}

double MeanEvidence::againstAtLeast(double mean) const {
  const double scale = (extent_.high - mean) * sums_.longest;
  const double low = std::isfinite(extent_.low) ? extent_.low : std::min(mean, asked_);
  const double anchor = (extent_.high - low) * sums_.longest;
  if (!(sums_.units > 0) || !std::isfinite(anchor) || !(scale > 0))
    return -unbounded;
  return process(mean, -1, scale, anchor);
}

double MeanEvidence::againstAtMost(double mean) const {
  if (!(sums_.units > 0) || !std::isfinite(extent_.low))
    return -unbounded;
  if (mean == extent_.low && sums_.total > mean * sums_.sizes)
    return unbounded; // one that is above the lower end is enough
  const double scale = (mean - extent_.low) * sums_.longest;
  const double anchor = asked_ > extent_.low ? (asked_ - extent_.low) * sums_.longest : 1;
  return scale > 0 ? process(mean, 1, scale, anchor) : -unbounded;
}

ValueEnds MeanEvidence::limits(double alpha) const {
  ValueEnds out = extent_;
  if (!(sums_.units > 0))
    return out;
  const double needed = -std::log(alpha), at = value();
  if (std::isfinite(extent_.high) && at < extent_.high)
    out.high =
        nearestShown(at, extent_.high, [&](double mean) { return againstAtLeast(mean) >= needed; });
  if (std::isfinite(extent_.low) && at > extent_.low)
    out.low =
        nearestShown(at, extent_.low, [&](double mean) { return againstAtMost(mean) >= needed; });
  return out;
}

template <class Test> std::optional<double> MeanEvidence::unitsUntil(Test&& test) const {
  if (!(sums_.units > 0))
    return std::nullopt;
  auto shows = [&](double units) {
    MeanEvidence more(times(sums_, units / sums_.units), extent_, asked_, shared_);
    return test(more);
  };
  double few = 0, enough = 1;
  while (enough < mostUnits && !shows(enough)) {
    few = enough;
    enough *= 2;
  }
  if (!(enough < mostUnits))
    return std::nullopt;
  while (enough - few > 1 && enough - few > 1e-6 * enough) {
    const double middle = std::floor(few + (enough - few) / 2);
    (shows(middle) ? enough : few) = middle;
  }
  return enough;
}

std::optional<double> MeanEvidence::unitsToShowBelow(double mean, double alpha) const {
  return unitsUntil([&](const MeanEvidence& evidence) {
    return evidence.againstAtLeast(mean) >= -std::log(alpha);
  });
}

std::optional<double> MeanEvidence::unitsToShowAbove(double mean, double alpha) const {
  return unitsUntil([&](const MeanEvidence& evidence) {
    return evidence.againstAtMost(mean) >= -std::log(alpha);
  });
}

MeanEvidence MeanReading::of(const measure::UnitSums& sums) const {
  return {longest != 0 ? MeanEvidence::ofObservations(sums, longest) : MeanEvidence::ofMeans(sums),
          extent, target, shared};
}

std::optional<double> fewestBelow(double mean, ValueEnds extent, double shared, double alpha) {
  MeanEvidence::Sums one;
  one.units = one.sizes = one.sizeSquares = 1;
  one.total = one.cross = extent.low;
  one.squares = extent.low * extent.low;
  return MeanEvidence(one, extent, mean, shared).unitsToShowBelow(mean, alpha);
}

} // namespace tikc::gate
