#pragma once

#include <cmath>

namespace tikc {

/// A sum in two doubles. It keeps the error of every addition exactly (Knuth's two-sum). The order
/// of additions and merges changes the value by a few 2^-53 of itself, plus n·2^-106 of the sum of
/// magnitudes.
///
/// An infinity or a NaN persists: if `high` is not finite, `low` is meaningless and is not read.
struct sum {
  double high = 0;
  double low = 0;

  constexpr void add(double x) {
    const double total = high + x;
    const double x_kept = total - high;
    low += (high - (total - x_kept)) + (x - x_kept);
    high = total;
  }

  constexpr void merge(const sum& other) {
    add(other.high);
    low += other.low;
  }

  double value() const { return std::isfinite(high) ? high + low : high; }
};

} // namespace tikc
