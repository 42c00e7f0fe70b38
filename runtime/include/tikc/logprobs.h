#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tikc {

/// What single precision leaves of a sure token: a logit less the logarithm of a sum about as
/// large. No log-prob is further above 0.
inline constexpr float left_by_rounding = 1e-3F;

/// What attention and logits are masked with, the lowest numbers of fp32 and bf16 or most of that,
/// is minus infinity for a token that was drawn.
inline constexpr float masked_log_prob = -1e38F;

namespace detail {
inline bool is_above_zero(float log_prob) {
  return log_prob > left_by_rounding && std::isfinite(log_prob);
}
} // namespace detail

/// The first token that counts of which this side has a number above 0, as no probability has;
/// `size` where none has one. What is infinite is a worst value already.
inline std::size_t first_above_zero(const float* side, const std::uint8_t* mask, std::size_t size) {
  constexpr std::size_t block = 64;
  for (std::size_t begin = 0; begin < size; begin += block) {
    const std::size_t end = size - begin < block ? size : begin + block;
    // Whole blocks without a branch: there are hardly ever any, and vectors tell so at once.
    if (end - begin == block) {
      std::uint32_t any = 0;
      for (std::size_t i = 0; i < block; ++i)
        any |= side[begin + i] > left_by_rounding ? 1U : 0U;
      if (any == 0)
        continue;
    }
    for (std::size_t i = begin; i < end; ++i)
      if (detail::is_above_zero(side[i]) && (mask == nullptr || mask[i] != 0))
        return i;
  }
  return size;
}

} // namespace tikc
