#pragma once

#include "tikc/detail/instruction_sets.h"
#include "tikc/detail/prefetch.h"
#include "tikc/detail/token_simd.h"
#include "tikc/detail/token_stats.h"
#include "tikc/detail/unfused.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tikc::detail {

inline constexpr std::uint32_t needs_extremes =
    token_want::range | token_want::places | token_want::sketch;
inline constexpr std::uint32_t needs_probs =
    token_want::prob_gap | token_want::prob_gap_square | token_want::pearson;
inline constexpr std::uint32_t needs_exponential = needs_probs | token_want::tv_sampled |
                                                   token_want::tv_square | token_want::k3 |
                                                   token_want::ratio | token_want::mult_prob_error;

/// The largest |x| for the short series; the longer one is valid up to `series_limit`.
inline constexpr float near_limit = 0.25F;
inline constexpr float series_limit = 0.5F;
/// Up to this |x|, (e^x)² and its sums stay in fp32's range. Up to its own limit for |log q|,
/// e^(log q) and e^(x + log q) are normal numbers. Tokens beyond either limit are gathered, and
/// processed in double.
inline constexpr float far_limit = 20.0F;
inline constexpr float logprob_limit = 64.0F;
/// Below this |x|, each value has a regular bucket, which never counts lanes without a token.
inline constexpr float placed_limit = 0x1p15F;

/// What a block adds to its sequence, in addition to its statistics.
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

/// Thresholds on x that are only known at run time, and their counts.
struct token_thresholds {
  const float *above, *below, *beyond;
  std::size_t above_count, below_count, beyond_count;
  std::uint64_t *above_into, *below_into, *beyond_into;
};

template <class Stats>
using token_pass = block_totals (*)(Stats&, const float*, const float*, const std::uint8_t*,
                                    std::size_t);

/// A pass over tokens whose x is given as a third array.
template <class Stats>
using gapped_token_pass = block_totals (*)(Stats&, const float*, const float*, const float*,
                                           const std::uint8_t*, std::size_t);

TIKC_UNFUSED_BEGIN
namespace portable {
#define TIKC_TOKEN_TARGET
#include "tikc/detail/token_kernel.h"
#undef TIKC_TOKEN_TARGET
} // namespace portable

#if TIKC_FOR_X86
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
TIKC_UNFUSED_END

template <class Stats> struct any_pass {
  token_pass<Stats> run;
  std::size_t block_tokens;
};

/// Returns the pass that computes these wants for an instruction set.
template <class Plan, class Stats> any_pass<Stats> choose_pass_of(token_isa isa) {
  switch (isa) {
#if TIKC_FOR_X86
  case token_isa::avx512:
    return {avx512::pass<Plan, Stats>, avx512::block_tokens};
  case token_isa::avx2:
    return {avx2::pass<Plan, Stats>, avx2::block_tokens};
#endif
  default:
    return {portable::pass<Plan, Stats>, portable::block_tokens};
  }
}

template <class Plan, class Stats> gapped_token_pass<Stats> choose_gapped_pass_of(token_isa isa) {
  switch (isa) {
#if TIKC_FOR_X86
  case token_isa::avx512:
    return avx512::pass_gapped<Plan, Stats>;
  case token_isa::avx2:
    return avx2::pass_gapped<Plan, Stats>;
#endif
  default:
    return portable::pass_gapped<Plan, Stats>;
  }
}

using threshold_pass = void (*)(const token_thresholds&, const float*, const float*, const float*,
                                const std::uint8_t*, std::size_t);
inline threshold_pass choose_threshold_pass(token_isa isa) {
  switch (isa) {
#if TIKC_FOR_X86
  case token_isa::avx512:
    return avx512::count_thresholds;
  case token_isa::avx2:
    return avx2::count_thresholds;
#endif
  default:
    return portable::count_thresholds;
  }
}

template <class Plan, bool = is_constant<Plan>> struct pass_for {
  using type = any_pass<token_stats<Plan>>;
  static type choose(token_isa isa, const Plan&) {
    return choose_pass_of<Plan, token_stats<Plan>>(isa);
  }
};
template <class Plan> struct pass_for<Plan, false> {
  using type = typename Plan::pass;
  static type choose(token_isa isa, const Plan& plan) { return type(isa, plan); }
};
template <class Plan> using chosen_pass = typename pass_for<Plan>::type;

template <class Plan> chosen_pass<Plan> choose_pass(token_isa isa, const Plan& plan) {
  return pass_for<Plan>::choose(isa, plan);
}

} // namespace tikc::detail
