#pragma once

#include "tikc/detail/prefetch.h"
#include "tikc/detail/token_simd.h"
#include "tikc/detail/token_stats.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tikc::detail {

inline constexpr std::uint32_t needs_extremes =
    token_want::range | token_want::places | token_want::sketch;
inline constexpr std::uint32_t needs_probs = token_want::prob_gap | token_want::pearson;
inline constexpr std::uint32_t needs_exponential =
    needs_probs | token_want::tv_sampled | token_want::k3 | token_want::ratio;

/// |x| up to here has a short series, up to `series_limit` a longer one.
inline constexpr float near_limit = 0.25F;
inline constexpr float series_limit = 0.5F;
/// |x| up to here leaves (e^x)² and its sums in the range of fp32, and |log q| up to its own limit
/// leaves e^(log q) and e^(x + log q) normal numbers. Tokens beyond either are gathered, and
/// treated in double.
inline constexpr float far_limit = 20.0F;
inline constexpr float logprob_limit = 64.0F;
/// |x| below here has a bucket of its own, not one that lanes without a token count in.
inline constexpr float placed_limit = 0x1p15F;

/// What a block adds to more than its statistics: to the sequence it is of.
struct block_totals {
  double gap = 0;
  float least = infinity;
  float greatest = -infinity;
  std::uint64_t count = 0;

  void add_bad(std::uint64_t tokens) {
    gap = std::numeric_limits<double>::quiet_NaN();
    least = -infinity;
    greatest = infinity;
    count += tokens;
  }
};

template <class Plan>
using token_pass = block_totals (*)(token_stats<Plan>&, const float*, const float*,
                                    const std::uint8_t*, std::size_t);

namespace portable {
#define TIKC_TOKEN_TARGET
#include "tikc/detail/token_kernel.h"
#undef TIKC_TOKEN_TARGET
} // namespace portable

#if defined(__x86_64__)
namespace avx2 {
#define TIKC_TOKEN_TARGET TIKC_TOKEN_AVX2
#include "tikc/detail/token_kernel.h"
#undef TIKC_TOKEN_TARGET
} // namespace avx2

namespace avx512 {
#define TIKC_TOKEN_TARGET TIKC_TOKEN_AVX512
#include "tikc/detail/token_kernel.h"
#undef TIKC_TOKEN_TARGET
} // namespace avx512
#endif

template <class Plan> struct chosen_pass {
  token_pass<Plan> run;
  std::size_t block_tokens;
};

template <class Plan> chosen_pass<Plan> choose_pass(token_isa isa) {
  switch (isa) {
#if defined(__x86_64__)
  case token_isa::avx512:
    return {avx512::pass<Plan>, avx512::block_tokens};
  case token_isa::avx2:
    return {avx2::pass<Plan>, avx2::block_tokens};
#endif
  default:
    return {portable::pass<Plan>, portable::block_tokens};
  }
}

} // namespace tikc::detail
