#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tikc {

/// The storage format of a logit. `fp8_e4m3` is OCP's e4m3fn: it has no infinities, and 0x7f and
/// 0xff are NaN. `fp8_e5m2` is IEEE-like.
enum class number_format : std::uint8_t { fp32, bf16, fp16, fp8_e4m3, fp8_e5m2 };

/// A row of contiguous numbers, aligned or not.
struct row_view {
  const void* data;
  number_format format;
};

constexpr std::size_t bytes_of(number_format format) {
  switch (format) {
  case number_format::fp32:
    return 4;
  case number_format::bf16:
  case number_format::fp16:
    return 2;
  case number_format::fp8_e4m3:
  case number_format::fp8_e5m2:
    return 1;
  }
  return 0;
}

namespace detail {

inline float float_of_bits(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float decode_fp16(std::uint32_t bits) {
  std::uint32_t sign = (bits & 0x8000U) << 16U;
  std::uint32_t exponent = (bits >> 10U) & 0x1fU;
  std::uint32_t fraction = bits & 0x3ffU;
  if (exponent == 0x1fU)
    return float_of_bits(sign | 0x7f800000U | fraction << 13U);
  if (exponent != 0)
    return float_of_bits(sign | (exponent + 112U) << 23U | fraction << 13U);
  float magnitude = static_cast<float>(fraction) * 0x1p-24F;
  return sign != 0 ? -magnitude : magnitude;
}

inline float decode_e4m3(std::uint32_t bits) {
  if ((bits & 0x7fU) == 0x7fU)
    return std::numeric_limits<float>::quiet_NaN();
  // The layout of fp16's upper bits, with an exponent bias that is smaller by 8.
  return decode_fp16((bits & 0x80U) << 8U | (bits & 0x7fU) << 7U) * 0x1p8F;
}

inline const void* address(row_view row, std::size_t index) {
  return static_cast<const unsigned char*>(row.data) + index * bytes_of(row.format);
}

inline row_view skip(row_view row, std::size_t count) { return {address(row, count), row.format}; }

} // namespace detail

/// Returns the value of `bits`, which are in the low bits of the word.
inline float decode(number_format format, std::uint32_t bits) {
  switch (format) {
  case number_format::fp32:
    return detail::float_of_bits(bits);
  case number_format::bf16:
    return detail::float_of_bits(bits << 16U);
  case number_format::fp16:
    return detail::decode_fp16(bits);
  case number_format::fp8_e4m3:
    return detail::decode_e4m3(bits);
  case number_format::fp8_e5m2:
    return detail::decode_fp16(bits << 8U);
  }
  return std::numeric_limits<float>::quiet_NaN();
}

inline float value_at(row_view row, std::size_t index) {
  const void* at = detail::address(row, index);
  std::uint8_t byte;
  std::uint16_t half;
  std::uint32_t word;
  switch (bytes_of(row.format)) {
  case sizeof byte:
    std::memcpy(&byte, at, sizeof byte);
    return decode(row.format, byte);
  case sizeof half:
    std::memcpy(&half, at, sizeof half);
    return decode(row.format, half);
  default:
    std::memcpy(&word, at, sizeof word);
    return decode(row.format, word);
  }
}

} // namespace tikc
