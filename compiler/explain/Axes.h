#pragma once

#include <string>
#include <vector>

/// Parts that plots share.
namespace tikc::explain {

/// A linear map from numbers to the page. It uses doubles, because drawings decide nothing.
struct Scale {
  double low = 0, high = 1; // of the numbers
  double from = 0, to = 1;  // on the page
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// Returns about five ticks, at 1, 2 or 5 times a power of ten.
std::vector<double> ticksOf(const Scale& scale);
std::string tickText(double tick);

} // namespace tikc::explain
