#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tikc {

/// The largest log-prob that rounding can give a certain token: a logit minus a similarly large
/// logarithm in single precision.
inline constexpr float left_by_rounding = 1e-3F;

/// Log-probs below this count as minus infinity for a sampled token. Attention and logits are
/// masked with the lowest numbers of fp32 and bf16, or with most of that.
inline constexpr float masked_log_prob = -1e38F;

namespace detail {
inline bool is_above_zero(float log_prob) {
  return log_prob > left_by_rounding && std::isfinite(log_prob);
}
} // namespace detail

/// Returns the first unmasked token with a finite number above 0, which no log-prob is; `size` if
/// there is none. Infinities are worst values already.
inline std::size_t first_above_zero(const float* side, const std::uint8_t* mask, std::size_t size) {
  constexpr std::size_t block = 64;
  for (std::size_t begin = 0; begin < size; begin += block) {
    const std::size_t end = size - begin < block ? size : begin + block;
    // Test whole blocks without a branch: hits are rare, and vector code finds none quickly.
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
