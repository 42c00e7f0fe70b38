#pragma once

#include "model/Contract.h"

#include <limits>
#include <optional>

/// What a cap or a mask of ratios takes from the samples. An estimate, which decides nothing:
/// doubles will do.
namespace tikc::lint {

/// What a correction may take from the samples before somebody should be asked.
inline constexpr double mostRemoved = 0.1;

/// Ratios that a correction leaves as they are.
struct Kept {
  double low = 0, high = std::numeric_limits<double>::infinity();
};

/// Those of a contract's correction, or of a rule's; nothing of one that leaves all as they are.
std::optional<Kept> keptBy(const model::Call& correction);

/// The share of ratios outside, were their logarithms normal with that deviation and a mean of the
/// ratios of one.
double outside(const Kept& kept, double deviation);
/// The same where the mean of the logarithms is known.
double outside(const Kept& kept, double mean, double deviation);
/// Of the sum of such ratios, which is what a gradient is made of: the share of those outside, or
/// what of them lies beyond the upper end.
double weightOutside(const Kept& kept, double deviation);
double weightBeyond(const Kept& kept, double deviation);
/// The deviation of a normal law whose size is so large on average.
double deviationOfMeanSize(double size);

} // namespace tikc::lint
