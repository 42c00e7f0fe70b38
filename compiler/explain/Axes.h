#pragma once

#include <string>
#include <vector>

/// What plots share.
namespace tikc::explain {

/// From one end of the page to the other. Doubles draw; they decide nothing.
struct Scale {
  double low = 0, high = 1; // of the numbers
  double from = 0, to = 1;  // on the page
  double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
};

/// About five, at 1, 2 or 5 times a power of ten.
std::vector<double> ticksOf(const Scale& scale);
std::string tickText(double tick);

} // namespace tikc::explain
