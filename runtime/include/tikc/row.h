#pragma once

#include "tikc/detail/instruction_sets.h"
#include "tikc/detail/row_avx2.h"
#include "tikc/detail/row_avx512.h"
#include "tikc/detail/row_greedy.h"
#include "tikc/detail/row_portable.h"

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

/// Asked each time, which is a few loads: what keeps it would be guarded by a lock.
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

/// The statistics of a pair of rows of raw logits: p = softmax(z/train_temperature), q =
/// softmax(z′/infer_temperature), `logit_*` and `top1_*` before the temperatures. 2 ≤ vocabulary ≤
/// 262,144; `scratch` holds `row_scratch_floats(vocabulary)`.
///
/// Logits may be any finite floats, and temperatures 1e-200 to 1e30: how far the rows lie apart,
/// and tokens below their peaks, costs no digits. A statistic is within 1e-4 of itself for a total
/// variation of at least 1e-6, and what drifts in fp32 are off by: `logit_osc` and `logprob_linf`
/// 3e-8 more, `tv` and `entropy_gap` 1e-7, `logit_l2` 1e-18. `chi2` may be too large where a token
/// has a log-prob below −1e9. Other temperatures make what knows them the worst.
///
/// At temperature 0 the law is one token, that of the largest logit. Where two share it, which of
/// them is not in the row: what knows the temperatures is the worst.
///
/// −inf on both sides is a mask: the token does not exist. On one side it is a probability of 0,
/// and counts in `nonfinite`; the divergences that this makes infinite are +inf, and so are the
/// logit statistics and `logprob_linf`, and `top1_margin` is 0. Where the masks are `lenient`, a
/// token that only the inference masks is in none of these but `missing_mass` and the divergences.
/// NaN or +inf anywhere, or a side that masks every token, make every statistic what is worst for
/// it, and log-probs NaN.
template <std::uint32_t Wants>
row_stats row_pass(row_view train, row_view infer, std::size_t vocabulary, double train_temperature,
                   double infer_temperature, std::int64_t sampled, float* scratch,
                   mask_rule masks = mask_rule::strict) {
  return detail::rows::row_pass_on<Wants>(detail::rows::best_instruction_set(), train, infer,
                                          vocabulary, train_temperature, infer_temperature, sampled,
                                          scratch, masks);
}

/// What `missing_mass` is of such rows where the inference cuts, too: the mass that the trainer's
/// law has on tokens that the inference masks or cuts. Its law is cut at its temperature, which is
/// not 0. It is an upper bound where engines may differ: of tokens with one logit those count as
/// cut that the trainer gives most to, top_p is that of what top_k and min_p leave, and less by
/// 2⁻²⁰, which is what an engine's sums may be off by.
///
/// The rows have no NaN or +inf, and each has a token that is no mask.
inline double missing_mass(row_view train, row_view infer, std::size_t vocabulary,
                           double train_temperature, double infer_temperature, const row_cut& cut,
                           float* scratch) {
  return detail::rows::missing_mass_on(detail::rows::best_instruction_set(), train, infer,
                                       vocabulary, train_temperature, infer_temperature, cut,
                                       scratch);
}

} // namespace tikc
