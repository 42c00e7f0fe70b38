#pragma once

#include "tikc/detail/row_avx2.h"
#include "tikc/detail/row_avx512.h"
#include "tikc/detail/row_portable.h"
#include "tikc/detail/row_walk.h"

namespace tikc {

/// Floats of scratch for a row: a weight for each token.
constexpr std::size_t row_scratch_floats(std::size_t vocabulary) {
  return (vocabulary + detail::rows::row_padding - 1) / detail::rows::row_padding *
         detail::rows::row_padding;
}

/// Scratch that is the caller's, one a thread.
template <std::size_t Vocabulary> struct row_scratch {
  static_assert(Vocabulary >= 2 && Vocabulary <= detail::rows::row_tokens_limit);
  alignas(64) float weights[row_scratch_floats(Vocabulary)];
};

namespace detail::rows {

enum class instruction_set : std::uint8_t { portable, avx2, avx512 };

inline bool is_available(instruction_set set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == instruction_set::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  if (set == instruction_set::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); // f16c is older
#endif
  return set == instruction_set::portable;
}

/// Asked each time, which is a few loads: what keeps it would be guarded by a lock.
inline instruction_set best_instruction_set() {
  for (instruction_set set : {instruction_set::avx512, instruction_set::avx2})
    if (is_available(set))
      return set;
  return instruction_set::portable;
}

template <std::uint32_t Wants>
row_stats row_pass_on(instruction_set set, row_view train, row_view infer, std::size_t vocabulary,
                      double train_temperature, double infer_temperature, std::int64_t sampled,
                      float* scratch) {
  switch (set) {
#if defined(__x86_64__)
  case instruction_set::avx512:
    return row_walk<avx512::row_kernels, Wants>(train, infer, vocabulary, train_temperature,
                                                infer_temperature, scratch)
        .run(sampled);
  case instruction_set::avx2:
    return row_walk<avx2::row_kernels, Wants>(train, infer, vocabulary, train_temperature,
                                              infer_temperature, scratch)
        .run(sampled);
#endif
  default:
    return row_walk<portable::row_kernels, Wants>(train, infer, vocabulary, train_temperature,
                                                  infer_temperature, scratch)
        .run(sampled);
  }
}

} // namespace detail::rows

/// The statistics of a pair of rows of raw logits: p = softmax(z/train_temperature), q =
/// softmax(z′/infer_temperature), `logit_*` and `top1_*` before the temperatures. 2 ≤ vocabulary ≤
/// 262,144; `scratch` holds `row_scratch_floats(vocabulary)`.
///
/// −inf on both sides is a mask: the token does not exist. On one side it is a probability of 0,
/// and counts in `nonfinite`; the divergences that this makes infinite are +inf, the logit
/// statistics leave the token out. NaN or +inf anywhere, or a side that masks every token, make
/// every statistic what is worst for it, and log-probs NaN.
template <std::uint32_t Wants>
row_stats row_pass(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
                   double infer_temperature, std::int64_t sampled, float* scratch) {
  return detail::rows::row_pass_on<Wants>(detail::rows::best_instruction_set(), train, infer,
                                          vocabulary, train_temperature, infer_temperature, sampled,
                                          scratch);
}

} // namespace tikc
