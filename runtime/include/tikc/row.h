#pragma once

#include "tikc/detail/instruction_sets.h"
#include "tikc/detail/row_avx2.h"
#include "tikc/detail/row_avx512.h"
#include "tikc/detail/row_greedy.h"
#include "tikc/detail/row_portable.h"

namespace tikc {

/// The size of a row's scratch in floats: a weight for each token.
constexpr std::size_t row_scratch_floats(std::size_t vocabulary) {
  return (vocabulary + detail::rows::row_padding - 1) / detail::rows::row_padding *
         detail::rows::row_padding;
}

/// A thread's scratch, owned by the caller.
template <std::size_t Vocabulary> struct row_scratch {
  static_assert(Vocabulary >= 2 && Vocabulary <= detail::rows::row_tokens_limit);
  alignas(64) float weights[row_scratch_floats(Vocabulary)];
};

namespace detail::rows {

enum class instruction_set : std::uint8_t { portable, avx2, avx512 };

inline bool is_available(instruction_set set) {
#if TIKC_FOR_X86
  __builtin_cpu_init();
  if (set == instruction_set::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  if (set == instruction_set::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); // f16c is older
#endif
  return set == instruction_set::portable;
}

/// Returns the best available instruction set. Each call tests again: that costs a few loads, and a
/// cache would need a lock.
inline instruction_set best_instruction_set() {
  for (instruction_set set : {instruction_set::avx512, instruction_set::avx2})
    if (is_available(set))
      return set;
  return instruction_set::portable;
}

template <class Walk>
row_stats row_pass_of(row_view train, row_view infer, std::size_t vocabulary,
                      double train_temperature, double infer_temperature, std::int64_t sampled,
                      float* scratch, mask_rule masks) {
  return Walk(train, infer, vocabulary, train_temperature, infer_temperature, scratch)
      .run(sampled, masks);
}

template <template <class, std::uint32_t> class Walk, std::uint32_t Wants, class... Arguments>
row_stats row_pass_as(instruction_set set, Arguments... arguments) {
  switch (set) {
#if TIKC_FOR_X86
  case instruction_set::avx512:
    return row_pass_of<Walk<avx512::row_kernels, Wants>>(arguments...);
  case instruction_set::avx2:
    return row_pass_of<Walk<avx2::row_kernels, Wants>>(arguments...);
#endif
  default:
    return row_pass_of<Walk<portable::row_kernels, Wants>>(arguments...);
  }
}

/// `IsGreedy`: a temperature is 0.
template <std::uint32_t Wants, bool IsGreedy, class... Arguments>
row_stats row_pass_at(instruction_set set, Arguments... arguments) {
  if constexpr (IsGreedy)
    return row_pass_as<greedy_row, Wants>(set, arguments...);
  else
    return row_pass_as<row_walk, Wants>(set, arguments...);
}

template <std::uint32_t Wants>
row_stats row_pass_on(instruction_set set, row_view train, row_view infer, std::size_t vocabulary,
                      double train_temperature, double infer_temperature, std::int64_t sampled,
                      float* scratch, mask_rule masks = mask_rule::strict) {
  auto* const pass = train_temperature == 0 || infer_temperature == 0
                         ? &row_pass_at<Wants, true, row_view, row_view, std::size_t, double,
                                        double, std::int64_t, float*, mask_rule>
                         : &row_pass_at<Wants, false, row_view, row_view, std::size_t, double,
                                        double, std::int64_t, float*, mask_rule>;
  return pass(set, train, infer, vocabulary, train_temperature, infer_temperature, sampled, scratch,
              masks);
}

template <class... Arguments> double missing_mass_on(instruction_set set, Arguments... arguments) {
  switch (set) {
#if TIKC_FOR_X86
  case instruction_set::avx512:
    return cut_row<avx512::cut_kernels>(arguments...).missing();
  case instruction_set::avx2:
    return cut_row<avx2::cut_kernels>(arguments...).missing();
#endif
  default:
    return cut_row<portable::cut_kernels>(arguments...).missing();
  }
}

} // namespace detail::rows

/// Computes the statistics of a pair of rows of raw logits: p = softmax(z/train_temperature), q =
/// softmax(z′/infer_temperature), and `logit_*` and `top1_*` before the temperatures. Requires 2 ≤
/// vocabulary ≤ 262,144; `scratch` holds `row_scratch_floats(vocabulary)`.
///
/// Logits may be any finite floats, and temperatures 1e-200 to 1e30. Other temperatures give
/// statistics that depend on temperatures their worst value. Distance between the rows, and tokens
/// far below their peaks, cost no precision. If the total variation is at least 1e-6, the relative
/// error is at most 1e-4. Drift in fp32 adds an absolute error: 3e-8 to `logit_osc` and
/// `logprob_linf`, 1e-7 to `tv` and `entropy_gap`, 1e-18 to `logit_l2`. `chi2` may be too large
/// where a token has a log-prob below −1e9.
///
/// At temperature 0, the distribution is the one token with the largest logit. If two tokens share
/// it, the choice is unknown, and statistics that depend on temperatures have their worst value.
///
/// −inf on both sides is a mask: the token does not exist. −inf on one side is a probability of 0,
/// and counts in `nonfinite`. Divergences that it makes infinite are +inf, and so are the logit
/// statistics and `logprob_linf`; `top1_margin` is 0. If masks are `lenient`, a token that only the
/// inference masks affects only `missing_mass` and the divergences. NaN or +inf anywhere, or a side
/// that masks every token, gives every statistic its worst value, and NaN log-probs.
template <std::uint32_t Wants>
row_stats row_pass(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
                   double infer_temperature, std::int64_t sampled, float* scratch,
                   mask_rule masks = mask_rule::strict) {
  return detail::rows::row_pass_on<Wants>(detail::rows::best_instruction_set(), train, infer,
                                          vocabulary, train_temperature, infer_temperature, sampled,
                                          scratch, masks);
}

/// Computes `missing_mass` for an inference that also cuts: the trainer's mass on tokens that the
/// inference masks or cuts. The inference cuts its distribution at its temperature, which is not 0.
/// The result is an upper bound where engines may differ. Among tokens with equal logits, the ones
/// with the most trainer mass count as cut. top_p applies to the tokens that top_k and min_p leave,
/// and is lowered by 2⁻²⁰, the possible error of an engine's sums.
///
/// The rows have no NaN or +inf, and each has an unmasked token.
inline double missing_mass(row_view train, row_view infer, std::size_t vocabulary,
                           double train_temperature, double infer_temperature, const row_cut& cut,
                           float* scratch) {
  return detail::rows::missing_mass_on(detail::rows::best_instruction_set(), train, infer,
                                       vocabulary, train_temperature, infer_temperature, cut,
                                       scratch);
}

} // namespace tikc
