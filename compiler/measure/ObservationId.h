#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc::measure {

/// The place of an observation in the data, as the number that checkers keep with outliers: its
/// piece, its record (the line if there is one), its response in a record of several, and its
/// token.
struct ObservationId {
  std::uint64_t piece = 0, record = 0, token = 0;
  std::uint64_t response = 0; // from 1; 0 for a record with one response

  static constexpr unsigned tokenBits = 28, recordBits = 20;
  /// In a record with several responses, response and token share the token's bits.
  static constexpr unsigned sharedBits = 16, responseBits = tokenBits - 1 - sharedBits;
  static constexpr std::uint64_t isShared = std::uint64_t{1} << (tokenBits - 1);
  static constexpr std::uint64_t mostResponses = (std::uint64_t{1} << responseBits) - 1;
  /// Returns how many tokens of a response have a number; places of later tokens are not reported.
  std::size_t mostTokens() const {
    return std::size_t{1} << (response == 0 ? tokenBits - 1 : sharedBits);
  }
  /// This number stands for all later pieces, without a place.
  static constexpr std::uint64_t lastPiece = 0xffff;
  static constexpr std::uint64_t untold = (std::uint64_t{1} << recordBits) - 1;

  std::uint64_t packed() const {
    const bool isNowhere = record >= untold || token >= mostTokens() || response > mostResponses;
    const std::uint64_t within = response == 0 ? token : isShared | response << sharedBits | token;
    return (piece < lastPiece ? piece : lastPiece) << (recordBits + tokenBits) |
           (isNowhere ? untold << tokenBits : record << tokenBits | within);
  }
  static ObservationId of(std::uint64_t packed) {
    ObservationId out{packed >> (recordBits + tokenBits), packed >> tokenBits & untold,
                      packed & (isShared - 1)};
    if ((packed & isShared) != 0) {
      out.response = out.token >> sharedBits;
      out.token &= (std::uint64_t{1} << sharedBits) - 1;
    }
    return out;
  }
  bool isTold() const { return record != untold; }
};

} // namespace tikc::measure
