#pragma once

#include "data/Report.h"
#include "data/arrays/Array.h"
#include "data/text/Json.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace tikc::data {

/// Log-probs of a row as floats: where they stand, if they stand there as such.
class LogprobRow {
public:
  std::span<const float> read(const Array& array, std::string_view row, ClassCounts& counts) {
    const std::size_t size = row.size() / bytesOf(array.type);
    written_.clear();
    isPossible_ = false;
    values_.resize(size);
    if (array.type == ElementType::F32)
      if (const auto floats = alignedFloats(row); areAllNumbers(floats, isPossible_)) {
        counts[static_cast<std::size_t>(NumberClass::Finite)] += size;
        return floats;
      }
    for (std::size_t i = 0; i < size; ++i) {
      const double written = elementAt(array.type, row.data() + i * bytesOf(array.type));
      auto value = static_cast<float>(written);
      if (static_cast<double>(value) != written && std::isfinite(value))
        written_.resize(size);
      if (value == sentinel) {
        ++counts[static_cast<std::size_t>(NumberClass::Sentinel)];
        value = std::numeric_limits<float>::quiet_NaN();
      } else {
        count(value, counts);
      }
      values_[i] = value;
    }
    for (std::size_t i = 0; i < written_.size(); ++i)
      written_[i] = elementAt(array.type, row.data() + i * bytesOf(array.type));
    return values_;
  }
  /// The numbers of the row that was read, where floats do not hold them; else none.
  std::span<const double> written() const { return written_; }
  /// Whether the row that was read is known to have no number above 0.
  bool isPossible() const { return isPossible_; }

private:
  static constexpr float sentinel = -9999;

  /// Floats where they stand, or, as archives put members at any byte, a copy of them.
  std::span<const float> alignedFloats(std::string_view row) {
    if (reinterpret_cast<std::uintptr_t>(row.data()) % alignof(float) == 0)
      return {reinterpret_cast<const float*>(row.data()), values_.size()};
    std::memcpy(values_.data(), row.data(), row.size());
    return values_;
  }
  /// In blocks of a fixed size, which compilers turn into vectors.
  static bool areAllNumbers(std::span<const float> floats, bool& isPossible) {
    constexpr std::size_t block = 32;
    std::uint32_t others = 0, above = 0;
    for (; floats.size() >= block && others == 0; floats = floats.subspan(block))
      for (std::size_t i = 0; i < block; ++i) {
        others |= isOther(floats[i]);
        above |= static_cast<std::uint32_t>(floats[i] > 0);
      }
    if (others != 0)
      return false;
    for (const float each : floats) {
      others |= isOther(each);
      above |= static_cast<std::uint32_t>(each > 0);
    }
    isPossible = (above | others) == 0;
    return others == 0;
  }
  /// 1 for an infinity, a NaN and the sentinel.
  static std::uint32_t isOther(float value) {
    constexpr std::uint32_t exponent = 0x7f800000;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint32_t>((bits & exponent) == exponent) |
           static_cast<std::uint32_t>(bits == std::bit_cast<std::uint32_t>(sentinel));
  }
  static void count(float value, ClassCounts& counts) {
    const NumberClass numberClass = std::isfinite(value) ? NumberClass::Finite
                                    : std::isnan(value)  ? NumberClass::NaN
                                    : value > 0          ? NumberClass::Infinity
                                                         : NumberClass::MinusInfinity;
    ++counts[static_cast<std::size_t>(numberClass)];
  }

  std::vector<float> values_;
  std::vector<double> written_;
  bool isPossible_ = false;
};

} // namespace tikc::data
