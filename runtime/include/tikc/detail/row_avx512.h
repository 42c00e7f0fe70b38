#pragma once

#include "tikc/detail/instruction_sets.h"
#include "tikc/detail/row_cut.h"
#include "tikc/detail/unfused.h"

#if TIKC_FOR_X86
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"))),        \
                             apply_to = function)
#else
#pragma GCC push_options
// GCC 12's own header initialises "undefined" vectors with themselves.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq")
#endif

TIKC_UNFUSED_BEGIN
namespace tikc::detail::rows::avx512 {

constexpr std::size_t lanes = 16;
using floats = __m512;
using mask = __mmask16;
struct doubles {
  __m512d low, high;
};

[[gnu::always_inline]] inline floats all(float value) { return _mm512_set1_ps(value); }
[[gnu::always_inline]] inline floats load(const float* from) { return _mm512_loadu_ps(from); }
[[gnu::always_inline]] inline void store(float* to, floats a) { _mm512_storeu_ps(to, a); }
[[gnu::always_inline]] inline floats fused(floats a, floats b, floats c) {
  return _mm512_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] inline floats smaller(floats a, floats b) { return _mm512_min_ps(a, b); }
[[gnu::always_inline]] inline floats larger(floats a, floats b) { return _mm512_max_ps(a, b); }
[[gnu::always_inline]] inline floats magnitude(floats a) { return _mm512_abs_ps(a); }
[[gnu::always_inline]] inline floats root(floats a) { return _mm512_sqrt_ps(a); }
[[gnu::always_inline]] inline mask is_less(floats a, floats b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
}
[[gnu::always_inline]] inline mask is_equal(floats a, floats b) {
  return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ);
}
[[gnu::always_inline]] inline mask both(mask a, mask b) { return static_cast<mask>(a & b); }
[[gnu::always_inline]] inline mask either(mask a, mask b) { return static_cast<mask>(a | b); }
[[gnu::always_inline]] inline mask excluding(mask a, mask b) { return static_cast<mask>(a & ~b); }
[[gnu::always_inline]] inline std::size_t count(mask a) {
  return static_cast<std::size_t>(__builtin_popcount(a));
}
[[gnu::always_inline]] inline floats select(mask where, floats a, floats b) {
  return _mm512_mask_blend_ps(where, b, a);
}
/// Returns a·2ⁿ, with n in the low bits of the power's fraction.
[[gnu::always_inline]] inline floats scaled_by_power(floats a, floats power) {
  return _mm512_castsi512_ps(
      _mm512_add_epi32(_mm512_castps_si512(a), _mm512_slli_epi32(_mm512_castps_si512(power), 23)));
}
/// Returns a·2⁻ⁿ.
[[gnu::always_inline]] inline floats lowered_by_power(floats a, floats power) {
  return _mm512_castsi512_ps(
      _mm512_sub_epi32(_mm512_castps_si512(a), _mm512_slli_epi32(_mm512_castps_si512(power), 23)));
}
/// Returns the bits of a, and the bits in which b and c differ.
[[gnu::always_inline]] inline floats differing(floats a, floats b, floats c) {
  return _mm512_castsi512_ps(_mm512_ternarylogic_epi32(
      _mm512_castps_si512(a), _mm512_castps_si512(b), _mm512_castps_si512(c), 0xf6));
}
[[gnu::always_inline]] inline bool has_bits(floats a, std::uint32_t which) {
  return _mm512_test_epi32_mask(_mm512_castps_si512(a),
                                _mm512_set1_epi32(static_cast<int>(which))) != 0;
}

[[gnu::always_inline]] inline doubles all_exact(double value) {
  return {_mm512_set1_pd(value), _mm512_set1_pd(value)};
}
[[gnu::always_inline]] inline doubles widen(floats a) {
  return {_mm512_cvtps_pd(_mm512_castps512_ps256(a)),
          _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1))};
}
[[gnu::always_inline]] inline floats narrow(doubles a) {
  return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a.low)), _mm512_cvtpd_ps(a.high),
                            1);
}
[[gnu::always_inline]] inline doubles operator+(doubles a, doubles b) {
  return {a.low + b.low, a.high + b.high};
}
[[gnu::always_inline]] inline doubles operator-(doubles a, doubles b) {
  return {a.low - b.low, a.high - b.high};
}
[[gnu::always_inline]] inline doubles operator*(doubles a, doubles b) {
  return {a.low * b.low, a.high * b.high};
}
[[gnu::always_inline]] inline doubles smaller(doubles a, doubles b) {
  return {_mm512_min_pd(a.low, b.low), _mm512_min_pd(a.high, b.high)};
}
[[gnu::always_inline]] inline doubles larger(doubles a, doubles b) {
  return {_mm512_max_pd(a.low, b.low), _mm512_max_pd(a.high, b.high)};
}
[[gnu::always_inline]] inline double largest(doubles a) {
  return _mm512_reduce_max_pd(_mm512_max_pd(a.low, a.high));
}
[[gnu::always_inline]] inline double sum(doubles a) { return _mm512_reduce_add_pd(a.low + a.high); }
[[gnu::always_inline]] inline double sum(floats a) { return sum(widen(a)); }
[[gnu::always_inline]] inline float largest(floats a) { return _mm512_reduce_max_ps(a); }

[[gnu::always_inline]] inline floats decode_half(__m256i bits) { return _mm512_cvtph_ps(bits); }

[[gnu::always_inline]] inline floats decode_e4m3(__m256i bytes) {
  // The layout is fp16's with an exponent bias that is smaller by 8, except for NaN.
  __m256i size = _mm256_and_si256(bytes, _mm256_set1_epi16(0x7f));
  __m256i sign = _mm256_slli_epi16(_mm256_and_si256(bytes, _mm256_set1_epi16(0x80)), 8);
  __m256i nan = _mm256_and_si256(_mm256_cmpeq_epi16(size, _mm256_set1_epi16(0x7f)),
                                 _mm256_set1_epi16(0x7e00));
  __m256i half = _mm256_or_si256(_mm256_or_si256(sign, nan), _mm256_slli_epi16(size, 7));
  return decode_half(half) * all(0x1p8F);
}

[[gnu::always_inline]] inline __m256i load_halves(row_view row, std::size_t index) {
  return _mm256_loadu_si256(
      reinterpret_cast<const __m256i_u*>(static_cast<const std::uint16_t*>(row.data) + index));
}

[[gnu::always_inline]] inline floats load_bf16(row_view row, std::size_t index) {
  // Word k goes to place 2k + 1, with 0 elsewhere: one instruction widens and shifts.
  const __m512i places = _mm512_set_epi16(15, 0, 14, 0, 13, 0, 12, 0, 11, 0, 10, 0, 9, 0, 8, 0, //
                                          7, 0, 6, 0, 5, 0, 4, 0, 3, 0, 2, 0, 1, 0, 0, 0);
  return _mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(
      0xaaaaaaaaU, places, _mm512_castsi256_si512(load_halves(row, index))));
}

/// Loads logits. Branches that always go the same way cost less than kernels for each pair of
/// formats.
[[gnu::always_inline]] inline floats load(row_view row, std::size_t index) {
  if (row.format == number_format::fp32)
    return _mm512_loadu_ps(static_cast<const float*>(row.data) + index);
  if (row.format == number_format::bf16)
    return load_bf16(row, index);
  if (row.format == number_format::fp16)
    return decode_half(load_halves(row, index));
  __m256i bytes = _mm256_cvtepu8_epi16(_mm_loadu_si128(
      reinterpret_cast<const __m128i_u*>(static_cast<const std::uint8_t*>(row.data) + index)));
  return row.format == number_format::fp8_e5m2 ? decode_half(_mm256_slli_epi16(bytes, 8))
                                               : decode_e4m3(bytes);
}

#include "tikc/detail/row_kernels.h"

#include "tikc/detail/row_cut_kernels.h"

} // namespace tikc::detail::rows::avx512
TIKC_UNFUSED_END

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC diagnostic pop
#pragma GCC pop_options
#endif
#endif
