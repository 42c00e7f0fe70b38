#pragma once

#include <algorithm>
#include <cstdint>

namespace tikc::measure {

/// Where an observation is in the data, as the number that checkers keep beside what stands out:
/// its piece, the record in that (its line where it has one) and the token in the record.
struct ObservationId {
  std::uint64_t piece = 0, record = 0, token = 0;

  static constexpr unsigned tokenBits = 20, recordBits = 26;

  /// What is further on than a number tells is told as the last that it can.
  std::uint64_t packed() const {
    const std::uint64_t lastRecord = (std::uint64_t{1} << recordBits) - 1;
    const std::uint64_t lastToken = (std::uint64_t{1} << tokenBits) - 1;
    return piece << (recordBits + tokenBits) | std::min(record, lastRecord) << tokenBits |
           std::min(token, lastToken);
  }
  static ObservationId of(std::uint64_t packed) {
    return {packed >> (recordBits + tokenBits),
            packed >> tokenBits & ((std::uint64_t{1} << recordBits) - 1),
            packed & ((std::uint64_t{1} << tokenBits) - 1)};
  }
};

} // namespace tikc::measure
