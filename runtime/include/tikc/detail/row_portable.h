#pragma once

#include "tikc/detail/row_cut.h"
#include "tikc/detail/unfused.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

/// For any CPU: the compilers' own vectors, which are SSE2 on x86-64 and NEON on aarch64.
TIKC_UNFUSED_BEGIN
namespace tikc::detail::rows::portable {

constexpr std::size_t lanes = 4;
using floats = float __attribute__((vector_size(16)));
using words = std::uint32_t __attribute__((vector_size(16)));
using mask = std::int32_t __attribute__((vector_size(16)));
using double_pair = double __attribute__((vector_size(16)));
struct doubles {
  double_pair low, high;
};

[[gnu::always_inline]] inline floats all(float value) { return floats{value, value, value, value}; }
[[gnu::always_inline]] inline floats load(const float* from) {
  floats out;
  std::memcpy(&out, from, sizeof out);
  return out;
}
[[gnu::always_inline]] inline void store(float* to, floats a) { std::memcpy(to, &a, sizeof a); }
[[gnu::always_inline]] inline floats as_floats(words a) {
  floats out;
  std::memcpy(&out, &a, sizeof out);
  return out;
}
[[gnu::always_inline]] inline words as_words(floats a) {
  words out;
  std::memcpy(&out, &a, sizeof out);
  return out;
}
[[gnu::always_inline]] inline floats fused(floats a, floats b, floats c) {
#if defined(__aarch64__)
  return vfmaq_f32(c, a, b);
#else
  return a * b + c; // no sum here needs the single rounding
#endif
}
[[gnu::always_inline]] inline mask is_less(floats a, floats b) { return a < b; }
[[gnu::always_inline]] inline mask is_equal(floats a, floats b) { return a == b; }
[[gnu::always_inline]] inline mask both(mask a, mask b) { return a & b; }
[[gnu::always_inline]] inline mask either(mask a, mask b) { return a | b; }
[[gnu::always_inline]] inline mask excluding(mask a, mask b) { return a & ~b; }
[[gnu::always_inline]] inline std::size_t count(mask a) {
  return static_cast<std::size_t>(-(a[0] + a[1] + a[2] + a[3]));
}
[[gnu::always_inline]] inline floats select(mask where, floats a, floats b) {
  return where ? a : b;
}
[[gnu::always_inline]] inline floats smaller(floats a, floats b) { return select(a < b, a, b); }
[[gnu::always_inline]] inline floats larger(floats a, floats b) { return select(a > b, a, b); }
[[gnu::always_inline]] inline floats magnitude(floats a) {
  return as_floats(as_words(a) & 0x7fffffffU);
}
[[gnu::always_inline]] inline floats root(floats a) {
  return floats{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
}
/// Returns a·2ⁿ, with n in the low bits of the power's fraction.
[[gnu::always_inline]] inline floats scaled_by_power(floats a, floats power) {
  return as_floats(as_words(a) + (as_words(power) << 23U));
}
/// Returns a·2⁻ⁿ.
[[gnu::always_inline]] inline floats lowered_by_power(floats a, floats power) {
  return as_floats(as_words(a) - (as_words(power) << 23U));
}
/// Returns the bits of a, and the bits in which b and c differ.
[[gnu::always_inline]] inline floats differing(floats a, floats b, floats c) {
  return as_floats(as_words(a) | (as_words(b) ^ as_words(c)));
}
[[gnu::always_inline]] inline bool has_bits(floats a, std::uint32_t which) {
  words bits = as_words(a);
  return ((bits[0] | bits[1] | bits[2] | bits[3]) & which) != 0;
}

[[gnu::always_inline]] inline doubles all_exact(double value) {
  return {double_pair{value, value}, double_pair{value, value}};
}
[[gnu::always_inline]] inline doubles widen(floats a) {
  return {double_pair{static_cast<double>(a[0]), static_cast<double>(a[1])},
          double_pair{static_cast<double>(a[2]), static_cast<double>(a[3])}};
}
[[gnu::always_inline]] inline floats narrow(doubles a) {
  return floats{static_cast<float>(a.low[0]), static_cast<float>(a.low[1]),
                static_cast<float>(a.high[0]), static_cast<float>(a.high[1])};
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
  return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
[[gnu::always_inline]] inline doubles larger(doubles a, doubles b) {
  return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
[[gnu::always_inline]] inline double largest(doubles a) {
  return std::max(std::max(a.low[0], a.low[1]), std::max(a.high[0], a.high[1]));
}
[[gnu::always_inline]] inline double sum(doubles a) {
  double_pair whole = a.low + a.high;
  return whole[0] + whole[1];
}
[[gnu::always_inline]] inline double sum(floats a) { return sum(widen(a)); }
[[gnu::always_inline]] inline float largest(floats a) {
  return std::max(std::max(a[0], a[1]), std::max(a[2], a[3]));
}

using packed_words = std::uint16_t __attribute__((vector_size(8)));
using packed_bytes = std::uint8_t __attribute__((vector_size(4)));

template <class Packed>
[[gnu::always_inline]] inline words load_words(row_view row, std::size_t index) {
  Packed raw;
  std::memcpy(&raw, static_cast<const unsigned char*>(row.data) + index * (sizeof raw / lanes),
              sizeof raw);
  return __builtin_convertvector(raw, words);
}

[[gnu::always_inline]] inline floats decode_half(words bits) {
  words shifted = (bits & 0x7fffU) << 13U;
  // The exponents' biases differ by 112. The product also handles subnormal numbers.
  floats finite = as_floats(shifted) * all(0x1p112F);
  floats special = as_floats(shifted | 0x7f800000U);
  floats value = select(shifted >= 0x0f800000U, special, finite);
  return as_floats(as_words(value) | (bits & 0x8000U) << 16U);
}

[[gnu::always_inline]] inline floats decode_e4m3(words bytes) {
  // The layout is fp16's with an exponent bias that is smaller by 8, except for NaN.
  floats value = decode_half((bytes & 0x80U) << 8U | (bytes & 0x7fU) << 7U) * all(0x1p8F);
  return select((bytes & 0x7fU) == 0x7fU, all(std::numeric_limits<float>::quiet_NaN()), value);
}

[[gnu::always_inline]] inline floats load_bf16(row_view row, std::size_t index) {
  return as_floats(load_words<packed_words>(row, index) << 16U);
}

/// Loads logits. Branches that always go the same way cost less than kernels for each pair of
/// formats.
[[gnu::always_inline]] inline floats load(row_view row, std::size_t index) {
  if (row.format == number_format::fp32)
    return as_floats(load_words<words>(row, index));
  if (row.format == number_format::bf16)
    return load_bf16(row, index);
  if (row.format == number_format::fp16)
    return decode_half(load_words<packed_words>(row, index));
  words bytes = load_words<packed_bytes>(row, index);
  return row.format == number_format::fp8_e5m2 ? decode_half(bytes << 8U) : decode_e4m3(bytes);
}

#include "tikc/detail/row_kernels.h"

#include "tikc/detail/row_cut_kernels.h"

} // namespace tikc::detail::rows::portable
TIKC_UNFUSED_END
