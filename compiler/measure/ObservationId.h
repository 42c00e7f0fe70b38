#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc::measure {

/// Where an observation is in the data, as the number that checkers keep beside what stands out:
/// its piece, the record in that (its line where it has one) and the token in the record.
struct ObservationId {
  std::uint64_t piece = 0, record = 0, token = 0;

  static constexpr unsigned tokenBits = 28, recordBits = 20;
  /// A response's tokens that are numbered together; those behind them are nowhere that is told.
  static constexpr std::size_t mostTokens = std::size_t{1} << tokenBits;
  /// Those from this one on are one, and nowhere that is told.
  static constexpr std::uint64_t lastPiece = 0xffff;
  static constexpr std::uint64_t untold = (std::uint64_t{1} << recordBits) - 1;

  std::uint64_t packed() const {
    return (piece < lastPiece ? piece : lastPiece) << (recordBits + tokenBits) |
           (record < untold ? record : untold) << tokenBits | (token & (mostTokens - 1));
  }
  static ObservationId of(std::uint64_t packed) {
    return {packed >> (recordBits + tokenBits), packed >> tokenBits & untold,
            packed & (mostTokens - 1)};
  }
  bool isTold() const { return record != untold; }
};

} // namespace tikc::measure
