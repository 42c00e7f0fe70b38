#pragma once

#include "tikc/detail/instruction_sets.h"
#include "tikc/detail/row_cut.h"
#include "tikc/detail/unfused.h"

#if TIKC_FOR_X86
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif

TIKC_UNFUSED_BEGIN
namespace tikc::detail::rows::avx2 {

constexpr std::size_t lanes = 8;
using floats = __m256;
using mask = __m256;
struct doubles {
  __m256d low, high;
};

[[gnu::always_inline]] inline floats all(float value) { return _mm256_set1_ps(value); }
[[gnu::always_inline]] inline floats load(const float* from) { return _mm256_loadu_ps(from); }
[[gnu::always_inline]] inline void store(float* to, floats a) { _mm256_storeu_ps(to, a); }
[[gnu::always_inline]] inline floats fused(floats a, floats b, floats c) {
  return _mm256_fmadd_ps(a, b, c);
}
[[gnu::always_inline]] inline floats smaller(floats a, floats b) { return _mm256_min_ps(a, b); }
[[gnu::always_inline]] inline floats larger(floats a, floats b) { return _mm256_max_ps(a, b); }
[[gnu::always_inline]] inline floats magnitude(floats a) { return _mm256_andnot_ps(all(-0.0F), a); }
[[gnu::always_inline]] inline floats root(floats a) { return _mm256_sqrt_ps(a); }
[[gnu::always_inline]] inline mask is_less(floats a, floats b) {
  return _mm256_cmp_ps(a, b, _CMP_LT_OQ);
}
[[gnu::always_inline]] inline mask is_equal(floats a, floats b) {
  return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
[[gnu::always_inline]] inline mask both(mask a, mask b) { return _mm256_and_ps(a, b); }
[[gnu::always_inline]] inline mask either(mask a, mask b) { return _mm256_or_ps(a, b); }
[[gnu::always_inline]] inline mask excluding(mask a, mask b) { return _mm256_andnot_ps(b, a); }
[[gnu::always_inline]] inline std::size_t count(mask a) {
  return static_cast<std::size_t>(__builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(a))));
}
[[gnu::always_inline]] inline floats select(mask where, floats a, floats b) {
  return _mm256_blendv_ps(b, a, where);
}
/// Returns a·2ⁿ, with n in the low bits of the power's fraction.
[[gnu::always_inline]] inline floats scaled_by_power(floats a, floats power) {
  return _mm256_castsi256_ps(
      _mm256_add_epi32(_mm256_castps_si256(a), _mm256_slli_epi32(_mm256_castps_si256(power), 23)));
}
/// Returns a·2⁻ⁿ.
[[gnu::always_inline]] inline floats lowered_by_power(floats a, floats power) {
  return _mm256_castsi256_ps(
      _mm256_sub_epi32(_mm256_castps_si256(a), _mm256_slli_epi32(_mm256_castps_si256(power), 23)));
}
/// Returns the bits of a, and the bits in which b and c differ.
[[gnu::always_inline]] inline floats differing(floats a, floats b, floats c) {
  return _mm256_or_ps(a, _mm256_xor_ps(b, c));
}
[[gnu::always_inline]] inline bool has_bits(floats a, std::uint32_t which) {
  return _mm256_testz_si256(_mm256_castps_si256(a), _mm256_set1_epi32(static_cast<int>(which))) ==
         0;
}

[[gnu::always_inline]] inline doubles all_exact(double value) {
  return {_mm256_set1_pd(value), _mm256_set1_pd(value)};
}
[[gnu::always_inline]] inline doubles widen(floats a) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(a)), _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1))};
}
[[gnu::always_inline]] inline floats narrow(doubles a) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(a.low)),
                              _mm256_cvtpd_ps(a.high), 1);
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
  return {_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
}
[[gnu::always_inline]] inline doubles larger(doubles a, doubles b) {
  return {_mm256_max_pd(a.low, b.low), _mm256_max_pd(a.high, b.high)};
}
[[gnu::always_inline]] inline double largest(doubles a) {
  __m256d whole = _mm256_max_pd(a.low, a.high);
  __m128d half = _mm_max_pd(_mm256_castpd256_pd128(whole), _mm256_extractf128_pd(whole, 1));
  return _mm_cvtsd_f64(_mm_max_sd(half, _mm_unpackhi_pd(half, half)));
}
[[gnu::always_inline]] inline double sum(doubles a) {
  __m256d whole = a.low + a.high;
  __m128d half = _mm_add_pd(_mm256_castpd256_pd128(whole), _mm256_extractf128_pd(whole, 1));
  return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}
[[gnu::always_inline]] inline double sum(floats a) { return sum(widen(a)); }
[[gnu::always_inline]] inline float largest(floats a) {
  __m128 half = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
  half = _mm_max_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_max_ss(half, _mm_shuffle_ps(half, half, 1)));
}

[[gnu::always_inline]] inline floats decode_half(__m128i bits) { return _mm256_cvtph_ps(bits); }

[[gnu::always_inline]] inline floats decode_e4m3(__m128i bytes) {
  // The layout is fp16's with an exponent bias that is smaller by 8, except for NaN.
  __m128i size = _mm_and_si128(bytes, _mm_set1_epi16(0x7f));
  __m128i sign = _mm_slli_epi16(_mm_and_si128(bytes, _mm_set1_epi16(0x80)), 8);
  __m128i nan = _mm_and_si128(_mm_cmpeq_epi16(size, _mm_set1_epi16(0x7f)), _mm_set1_epi16(0x7e00));
  __m128i half = _mm_or_si128(_mm_or_si128(sign, nan), _mm_slli_epi16(size, 7));
  return decode_half(half) * all(0x1p8F);
}

[[gnu::always_inline]] inline __m128i load_halves(row_view row, std::size_t index) {
  return _mm_loadu_si128(
      reinterpret_cast<const __m128i_u*>(static_cast<const std::uint16_t*>(row.data) + index));
}

[[gnu::always_inline]] inline floats load_bf16(row_view row, std::size_t index) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_halves(row, index)), 16));
}

/// Loads logits. Branches that always go the same way cost less than kernels for each pair of
/// formats.
[[gnu::always_inline]] inline floats load(row_view row, std::size_t index) {
  if (row.format == number_format::fp32)
    return _mm256_loadu_ps(static_cast<const float*>(row.data) + index);
  if (row.format == number_format::bf16)
    return load_bf16(row, index);
  if (row.format == number_format::fp16)
    return decode_half(load_halves(row, index));
  __m128i bytes = _mm_cvtepu8_epi16(_mm_loadl_epi64(
      reinterpret_cast<const __m128i_u*>(static_cast<const std::uint8_t*>(row.data) + index)));
  return row.format == number_format::fp8_e5m2 ? decode_half(_mm_slli_epi16(bytes, 8))
                                               : decode_e4m3(bytes);
}

#include "tikc/detail/row_kernels.h"

#include "tikc/detail/row_cut_kernels.h"

} // namespace tikc::detail::rows::avx2
TIKC_UNFUSED_END

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
