#pragma once

#include "tikc/detail/instruction_sets.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#if TIKC_FOR_X86
#include <immintrin.h>
#endif
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

/// The vectors of the token pass: the same names in each namespace, with different widths. `real`
/// and `whole` are the compiler's vector types, so that +, −, ·, & and shifts need no wrapper. A
/// function with such a vector must be compiled for its instruction set, hence the attributes.
#define TIKC_TOKEN_INLINE __attribute__((always_inline)) inline
#define TIKC_TOKEN_AVX2 __attribute__((target("avx2,fma,f16c")))
#define TIKC_TOKEN_AVX512                                                                          \
  __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq")))

namespace tikc::detail {

enum class token_isa : std::uint8_t { portable, avx2, avx512 };

/// Returns the best available instruction set. Each call tests again: that costs a few loads, and a
/// cache would need a lock.
inline token_isa best_token_isa() {
#if TIKC_FOR_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return token_isa::avx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return token_isa::avx2;
  }
#endif
  return token_isa::portable;
}

/// The first `count` values, padded with zeros; it reads nothing past them. `Width` is the number
/// of lanes.
template <class Number, std::size_t Width> struct padded {
  Number values[Width] = {};
  padded(const Number* from, std::size_t count) {
    std::memcpy(values, from, count * sizeof(Number));
  }
};

/// 128-bit vectors of the machine: SSE2 or NEON.
namespace portable {

inline constexpr std::size_t width = 4;
typedef float real __attribute__((vector_size(16)));
typedef std::uint32_t whole __attribute__((vector_size(16)));
typedef std::int32_t lanes __attribute__((vector_size(16)));
#if defined(__aarch64__)
inline constexpr bool fuses = true; // whether fma() rounds once
#else
inline constexpr bool fuses = false;
#endif

TIKC_TOKEN_INLINE real splat(float x) { return real{x, x, x, x}; }
TIKC_TOKEN_INLINE whole splat(std::uint32_t x) { return whole{x, x, x, x}; }
TIKC_TOKEN_INLINE whole as_whole(real x) { return reinterpret_cast<whole>(x); }
TIKC_TOKEN_INLINE real as_real(whole x) { return reinterpret_cast<real>(x); }
TIKC_TOKEN_INLINE real load(const float* from) {
  real out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
TIKC_TOKEN_INLINE void store(std::uint32_t* to, whole x) { std::memcpy(to, &x, sizeof x); }
TIKC_TOKEN_INLINE void store(float* to, real x) { std::memcpy(to, &x, sizeof x); }
TIKC_TOKEN_INLINE lanes load_mask(const std::uint8_t* from) {
  return lanes{from[0], from[1], from[2], from[3]} != 0;
}
TIKC_TOKEN_INLINE real load_part(const float* from, std::size_t count) {
  return load(padded<float, width>(from, count).values);
}
TIKC_TOKEN_INLINE lanes load_mask_part(const std::uint8_t* from, std::size_t count) {
  return load_mask(padded<std::uint8_t, width>(from, count).values);
}
TIKC_TOKEN_INLINE lanes first_lanes(std::size_t count) {
  const auto end = static_cast<std::int32_t>(count);
  return lanes{0, 1, 2, 3} < end;
}
TIKC_TOKEN_INLINE lanes all_lanes() { return lanes{-1, -1, -1, -1}; }
TIKC_TOKEN_INLINE real select(lanes which, real yes, real no) { return which ? yes : no; }
TIKC_TOKEN_INLINE whole select(lanes which, whole yes, whole no) { return which ? yes : no; }
TIKC_TOKEN_INLINE real fma(real a, real b, real c) {
#if defined(__aarch64__)
  return reinterpret_cast<real>(vfmaq_f32(c, a, b));
#else
  return a * b + c;
#endif
}
TIKC_TOKEN_INLINE real lesser(real a, real b) { return a < b ? a : b; }
TIKC_TOKEN_INLINE real greater(real a, real b) { return a > b ? a : b; }
TIKC_TOKEN_INLINE lanes is_less(real a, real b) { return a < b; }
TIKC_TOKEN_INLINE lanes is_at_most(real a, real b) { return a <= b; }
TIKC_TOKEN_INLINE lanes both(lanes a, lanes b) { return a & b; }
TIKC_TOKEN_INLINE lanes without(lanes a, lanes b) { return a & ~b; }
TIKC_TOKEN_INLINE whole tally(whole count, lanes which) {
  return count - reinterpret_cast<whole>(which);
}
TIKC_TOKEN_INLINE std::uint32_t bits(lanes which) {
  const lanes one_each = which & lanes{1, 2, 4, 8};
  return static_cast<std::uint32_t>(one_each[0] | one_each[1] | one_each[2] | one_each[3]);
}
TIKC_TOKEN_INLINE bool any_top_bit(whole x) {
  std::uint64_t halves[2];
  std::memcpy(halves, &x, sizeof x);
  return ((halves[0] | halves[1]) & 0x8000'0000'8000'0000U) != 0;
}
TIKC_TOKEN_INLINE float total(real x) { return (x[0] + x[2]) + (x[1] + x[3]); }
TIKC_TOKEN_INLINE std::uint32_t total(whole x) { return (x[0] + x[2]) + (x[1] + x[3]); }
TIKC_TOKEN_INLINE float least(real x) {
  const float a = x[0] < x[1] ? x[0] : x[1];
  const float b = x[2] < x[3] ? x[2] : x[3];
  return a < b ? a : b;
}

} // namespace portable

#if TIKC_FOR_X86

namespace avx2 {

inline constexpr std::size_t width = 8;
typedef float real __attribute__((vector_size(32)));
typedef std::uint32_t whole __attribute__((vector_size(32)));
typedef std::int32_t lanes __attribute__((vector_size(32)));
inline constexpr bool fuses = true;

#define TIKC_TOKEN_OP TIKC_TOKEN_AVX2 TIKC_TOKEN_INLINE
TIKC_TOKEN_OP real splat(float x) { return _mm256_set1_ps(x); }
TIKC_TOKEN_OP whole splat(std::uint32_t x) { return whole{x, x, x, x, x, x, x, x}; }
TIKC_TOKEN_OP whole as_whole(real x) { return reinterpret_cast<whole>(x); }
TIKC_TOKEN_OP real as_real(whole x) { return reinterpret_cast<real>(x); }
TIKC_TOKEN_OP real load(const float* from) { return _mm256_loadu_ps(from); }
TIKC_TOKEN_OP void store(float* to, real x) { _mm256_storeu_ps(to, x); }
TIKC_TOKEN_OP void store(std::uint32_t* to, whole x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(x));
}
TIKC_TOKEN_OP lanes load_mask(const std::uint8_t* from) {
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from));
  return reinterpret_cast<lanes>(_mm256_cvtepu8_epi32(bytes)) != 0;
}
TIKC_TOKEN_OP real load_part(const float* from, std::size_t count) {
  return load(padded<float, width>(from, count).values);
}
TIKC_TOKEN_OP lanes load_mask_part(const std::uint8_t* from, std::size_t count) {
  return load_mask(padded<std::uint8_t, width>(from, count).values);
}
TIKC_TOKEN_OP lanes first_lanes(std::size_t count) {
  const auto end = static_cast<std::int32_t>(count);
  return lanes{0, 1, 2, 3, 4, 5, 6, 7} < end;
}
TIKC_TOKEN_OP lanes all_lanes() { return lanes{-1, -1, -1, -1, -1, -1, -1, -1}; }
TIKC_TOKEN_OP real select(lanes which, real yes, real no) {
  return _mm256_blendv_ps(no, yes, reinterpret_cast<real>(which));
}
TIKC_TOKEN_OP whole select(lanes which, whole yes, whole no) {
  return as_whole(select(which, as_real(yes), as_real(no)));
}
TIKC_TOKEN_OP real fma(real a, real b, real c) { return _mm256_fmadd_ps(a, b, c); }
TIKC_TOKEN_OP real lesser(real a, real b) { return _mm256_min_ps(a, b); }
TIKC_TOKEN_OP real greater(real a, real b) { return _mm256_max_ps(a, b); }
TIKC_TOKEN_OP lanes is_less(real a, real b) {
  return reinterpret_cast<lanes>(_mm256_cmp_ps(a, b, _CMP_LT_OQ));
}
TIKC_TOKEN_OP lanes is_at_most(real a, real b) {
  return reinterpret_cast<lanes>(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}
TIKC_TOKEN_OP lanes both(lanes a, lanes b) { return a & b; }
TIKC_TOKEN_OP lanes without(lanes a, lanes b) { return a & ~b; }
TIKC_TOKEN_OP whole tally(whole count, lanes which) {
  return count - reinterpret_cast<whole>(which);
}
TIKC_TOKEN_OP std::uint32_t bits(lanes which) {
  return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<real>(which)));
}
TIKC_TOKEN_OP bool any_top_bit(whole x) { return bits(reinterpret_cast<lanes>(x)) != 0; }
TIKC_TOKEN_OP float total(real x) {
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}
TIKC_TOKEN_OP std::uint32_t total(whole x) {
  return ((x[0] + x[4]) + (x[1] + x[5])) + ((x[2] + x[6]) + (x[3] + x[7]));
}
TIKC_TOKEN_OP float least(real x) {
  __m128 half = _mm_min_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  half = _mm_min_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_min_ss(half, _mm_movehdup_ps(half)));
}
#undef TIKC_TOKEN_OP

} // namespace avx2

namespace avx512 {

inline constexpr std::size_t width = 16;
typedef float real __attribute__((vector_size(64)));
typedef std::uint32_t whole __attribute__((vector_size(64)));
using lanes = __mmask16;
inline constexpr bool fuses = true;

// Masked and zeroing forms of some intrinsics replace the plain ones, about which g++ 12.2 warns.
#define TIKC_TOKEN_OP TIKC_TOKEN_AVX512 TIKC_TOKEN_INLINE
TIKC_TOKEN_OP real splat(float x) { return _mm512_set1_ps(x); }
TIKC_TOKEN_OP whole splat(std::uint32_t x) {
  return reinterpret_cast<whole>(_mm512_set1_epi32(static_cast<int>(x)));
}
TIKC_TOKEN_OP whole as_whole(real x) { return reinterpret_cast<whole>(x); }
TIKC_TOKEN_OP real as_real(whole x) { return reinterpret_cast<real>(x); }
TIKC_TOKEN_OP real load(const float* from) { return _mm512_loadu_ps(from); }
TIKC_TOKEN_OP void store(float* to, real x) { _mm512_storeu_ps(to, x); }
TIKC_TOKEN_OP void store(std::uint32_t* to, whole x) {
  _mm512_storeu_si512(to, reinterpret_cast<__m512i>(x));
}
TIKC_TOKEN_OP lanes load_mask(const std::uint8_t* from) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm_test_epi8_mask(bytes, bytes);
}
TIKC_TOKEN_OP lanes first_lanes(std::size_t count) {
  return static_cast<lanes>((1U << count) - 1U);
}
TIKC_TOKEN_OP real load_part(const float* from, std::size_t count) {
  return _mm512_maskz_loadu_ps(first_lanes(count), from);
}
TIKC_TOKEN_OP lanes load_mask_part(const std::uint8_t* from, std::size_t count) {
  const __m128i bytes = _mm_maskz_loadu_epi8(first_lanes(count), from);
  return _mm_test_epi8_mask(bytes, bytes);
}
TIKC_TOKEN_OP lanes all_lanes() { return 0xffff; }
TIKC_TOKEN_OP real select(lanes which, real yes, real no) {
  return _mm512_mask_blend_ps(which, no, yes);
}
TIKC_TOKEN_OP whole select(lanes which, whole yes, whole no) {
  return reinterpret_cast<whole>(_mm512_mask_blend_epi32(which, reinterpret_cast<__m512i>(no),
                                                         reinterpret_cast<__m512i>(yes)));
}
TIKC_TOKEN_OP real fma(real a, real b, real c) { return _mm512_fmadd_ps(a, b, c); }
TIKC_TOKEN_OP real lesser(real a, real b) { return _mm512_maskz_min_ps(all_lanes(), a, b); }
TIKC_TOKEN_OP real greater(real a, real b) { return _mm512_maskz_max_ps(all_lanes(), a, b); }
TIKC_TOKEN_OP lanes is_less(real a, real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
TIKC_TOKEN_OP lanes is_at_most(real a, real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
TIKC_TOKEN_OP lanes both(lanes a, lanes b) { return _kand_mask16(a, b); }
TIKC_TOKEN_OP lanes without(lanes a, lanes b) { return _kandn_mask16(b, a); }
TIKC_TOKEN_OP whole tally(whole count, lanes which) {
  const __m512i old = reinterpret_cast<__m512i>(count);
  return reinterpret_cast<whole>(_mm512_mask_sub_epi32(old, which, old, _mm512_set1_epi32(-1)));
}
TIKC_TOKEN_OP std::uint32_t bits(lanes which) { return which; }
TIKC_TOKEN_OP bool any_top_bit(whole x) {
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(x)) != 0;
}
template <int Half> TIKC_TOKEN_OP avx2::real half_of(real x) {
  return _mm512_maskz_extractf32x8_ps(0xff, x, Half);
}
TIKC_TOKEN_OP float total(real x) { return avx2::total(half_of<0>(x) + half_of<1>(x)); }
TIKC_TOKEN_OP std::uint32_t total(whole x) {
  const real same = as_real(x);
  return avx2::total(avx2::as_whole(half_of<0>(same)) + avx2::as_whole(half_of<1>(same)));
}
TIKC_TOKEN_OP float least(real x) {
  return avx2::least(avx2::lesser(half_of<0>(x), half_of<1>(x)));
}
#undef TIKC_TOKEN_OP

} // namespace avx512

#endif

} // namespace tikc::detail
