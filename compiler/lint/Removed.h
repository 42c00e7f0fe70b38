#pragma once

#include "model/Contract.h"

#include <limits>
#include <optional>

/// Estimates how much a cap or mask of ratios removes from the samples. Doubles suffice, because an
/// estimate decides nothing.
namespace tikc::lint {

/// The largest share that a correction may remove without a finding.
inline constexpr double mostRemoved = 0.1;

/// The ratios that a correction does not change.
struct RatioRange {
  double low = 0, high = std::numeric_limits<double>::infinity();
};

/// Returns the range of a contract's or a rule's correction; nothing if it changes no ratio.
std::optional<RatioRange> keptBy(const model::Call& correction);

/// Returns the share of ratios outside, if their logarithms are normal with this deviation and the
/// ratios' mean is one.
double outside(const RatioRange& range, double deviation);
/// Returns the share of ratios outside, for logarithms with a known mean.
double outside(const RatioRange& range, double mean, double deviation);
/// Return the share of the sum of such ratios, which scales a gradient, from those outside, or from
/// the parts beyond the upper end.
double weightOutside(const RatioRange& range, double deviation);
double weightBeyond(const RatioRange& range, double deviation);
/// Returns the deviation of a normal law with mean 0 whose mean absolute value is `size`.
double deviationOfMeanSize(double size);

} // namespace tikc::lint
