#pragma once

#include "tikc/detail/device.h"
#include "tikc/formats.h"

#include <algorithm>

#include <cmath>

/// How threads read a pair of rows: in groups of a few tokens, with one load per side.
namespace tikc::cuda::detail {

/// Device instructions, and their equivalents on a host.
TIKC_ON_BOTH inline float power_of_two(float x) {
#if defined(__CUDA_ARCH__)
  float out;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
  return out;
#else
  return std::exp2(x);
#endif
}

/// Returns a·b + c, rounded once: the rounding error that the frame removed must not return.
TIKC_ON_BOTH inline float fused(float a, float b, float c) { return std::fma(a, b, c); }

/// Returns the smaller value, or NaN if either is NaN.
TIKC_ON_BOTH inline float lower_of(float a, float b) {
#if defined(__CUDA_ARCH__)
  float out;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
#else
  return a < b || a != a ? a : b;
#endif
}
TIKC_ON_BOTH inline float higher_of(float a, float b) {
#if defined(__CUDA_ARCH__)
  float out;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
#else
  return a > b || a != a ? a : b;
#endif
}

TIKC_ON_BOTH inline float decoded_fp16(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  float out;
  asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, low;}"
      : "=f"(out)
      : "r"(bits));
  return out;
#else
  return tikc::detail::decode_fp16(bits & 0xffffU);
#endif
}

TIKC_ON_BOTH inline float float_of(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  return __uint_as_float(bits);
#else
  return tikc::detail::float_of_bits(bits);
#endif
}

TIKC_ON_BOTH inline float decoded_e4m3(std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  std::uint32_t halves;
  asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; cvt.rn.f16x2.e4m3x2 %0, low;}"
      : "=r"(halves)
      : "r"(bits & 0xffU));
  return decoded_fp16(halves);
#else
  return tikc::detail::decode_e4m3(bits & 0xffU);
#endif
}

template <number_format Format> TIKC_ON_BOTH float decoded(std::uint32_t bits) {
  if constexpr (Format == number_format::fp32)
    return float_of(bits);
  else if constexpr (Format == number_format::bf16)
    return float_of(bits << 16U);
  else if constexpr (Format == number_format::fp16)
    return decoded_fp16(bits);
  else if constexpr (Format == number_format::fp8_e4m3)
    return decoded_e4m3(bits);
  else
    return decoded_fp16((bits & 0xffU) << 8U);
}

/// Tokens of one row, in their storage format.
template <number_format Format, unsigned Tokens>
struct alignas(Tokens* bytes_of(Format)) logits_group {
  static constexpr unsigned size = bytes_of(Format), bytes = Tokens * size, words = bytes / 4;
  std::uint32_t word[words];

  TIKC_ON_BOTH float at(unsigned i) const {
    constexpr unsigned in_a_word = 4 / size;
    std::uint32_t bits = word[i / in_a_word];
    if constexpr (Format == number_format::bf16) // the upper half needs no shift
      return float_of(i % 2 != 0 ? bits & 0xffff0000U : bits << 16U);
    return decoded<Format>(bits >> (i % in_a_word * 8 * size));
  }

  /// Moves all tokens down by one, so that a loop always reads the first.
  TIKC_ON_BOTH void drop_first() {
    for (unsigned i = 0; i < words; ++i) {
      const std::uint32_t next = i + 1 < words ? word[i + 1] : 0;
      if constexpr (size == 4)
        word[i] = next;
      else
        word[i] = word[i] >> (8 * size) | next << (32 - 8 * size);
    }
  }

  /// `at` is a multiple of the group's size in bytes.
  TIKC_ON_BOTH static logits_group load(const unsigned char* at) {
    logits_group out;
#if defined(__CUDA_ARCH__)
    if constexpr (words == 4)
      asm("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
          : "=r"(out.word[0]), "=r"(out.word[1]), "=r"(out.word[2]), "=r"(out.word[3])
          : "l"(at));
    else if constexpr (words == 2)
      asm("ld.global.nc.L1::no_allocate.v2.b32 {%0, %1}, [%2];"
          : "=r"(out.word[0]), "=r"(out.word[1])
          : "l"(at));
    else
      asm("ld.global.nc.L1::no_allocate.b32 %0, [%1];" : "=r"(out.word[0]) : "l"(at));
#else
    std::memcpy(out.word, at, bytes);
#endif
    return out;
  }

  TIKC_ON_BOTH static std::uint32_t bits_at(const unsigned char* row, long long token) {
    const unsigned char* at = row + token * size;
#if defined(__CUDA_ARCH__)
    if constexpr (size == 4)
      return *reinterpret_cast<const std::uint32_t*>(at);
    else if constexpr (size == 2)
      return *reinterpret_cast<const std::uint16_t*>(at);
    else
      return *at;
#else
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, size); // the low bytes: CUDA's hosts are little-endian
    return bits;
#endif
  }

  /// Reads token by token, for rows that are not aligned.
  TIKC_ON_BOTH static logits_group gather(const unsigned char* row, long long first) {
    logits_group out{};
    for (unsigned i = 0; i < Tokens; ++i)
      out.word[i * size / 4] |= bits_at(row, first + i) << (i * size % 4 * 8);
    return out;
  }

  TIKC_ON_BOTH static float value_at(const unsigned char* row, long long token) {
    return decoded<Format>(bits_at(row, token));
  }
};

/// The largest logit of some groups.
template <number_format Format> struct peak {
  float first = -std::numeric_limits<float>::infinity();

  TIKC_ON_BOTH void add(float value) { first = first < value ? value : first; }
  template <unsigned Tokens> TIKC_ON_BOTH void add(const logits_group<Format, Tokens>& group) {
    for (unsigned i = 0; i < Tokens; ++i)
      add(group.at(i));
  }
  TIKC_ON_BOTH float value() const { return first; }
};

#if defined(__CUDA_ARCH__)
/// Compares two logits at a time; other formats have no such instruction.
template <> struct peak<number_format::bf16> {
  std::uint32_t pair = 0xff80ff80U; // −inf

  __device__ void add(std::uint32_t other) {
    asm("max.bf16x2 %0, %0, %1;" : "+r"(pair) : "r"(other));
  }
  __device__ void add(float value) { add(__float_as_uint(value) >> 16U | 0xff800000U); }
  template <unsigned Tokens>
  __device__ void add(const logits_group<number_format::bf16, Tokens>& group) {
    for (std::uint32_t word : group.word)
      add(word);
  }
  __device__ float value() const {
    return fmaxf(float_of(pair << 16U), float_of(pair & 0xffff0000U));
  }
};
#endif

template <number_format Train, number_format Infer> struct pair_group {
  static constexpr unsigned widest = bytes_of(Train) > bytes_of(Infer) ? bytes_of(Train)
                                                                       : bytes_of(Infer);
  static constexpr unsigned tokens = widest == 4 ? 4 : 8;
  using train_group = logits_group<Train, tokens>;
  using infer_group = logits_group<Infer, tokens>;
  train_group train;
  infer_group infer;
};

/// A pair of rows: whole spans, which are 16 aligned bytes of the narrower side, and the edges,
/// which are the few tokens before and after them.
template <number_format Train, number_format Infer> struct pair_rows {
  using group = pair_group<Train, Infer>;
  using train_group = typename group::train_group;
  using infer_group = typename group::infer_group;
  static constexpr int tokens = group::tokens;
  static constexpr int train_size = static_cast<int>(bytes_of(Train)),
                       infer_size = static_cast<int>(bytes_of(Infer));
  static constexpr int narrowest = train_size < infer_size ? train_size : infer_size,
                       widest = train_size < infer_size ? infer_size : train_size;
  static constexpr int span = 16 / narrowest; // in tokens
  static constexpr int groups_of_span = span / tokens;

  const unsigned char *train, *infer;
  int vocabulary;
  int head = 0; // the first token of the first span
  int spans = 0;
  bool is_aligned = false; // else spans start anywhere, and their groups are gathered

  TIKC_ON_BOTH pair_rows(const void* train_row, const void* infer_row, std::uint32_t size)
      : train(static_cast<const unsigned char*>(train_row)),
        infer(static_cast<const unsigned char*>(infer_row)), vocabulary(static_cast<int>(size)) {
    const int train_lead = lead_of<train_group>(train), infer_lead = lead_of<infer_group>(infer);
    constexpr int of_the_wider = 16 / widest;
    if (train_lead >= 0 && infer_lead >= 0 &&
        train_lead % of_the_wider == infer_lead % of_the_wider) {
      is_aligned = true;
      head = (span - (train_size == narrowest ? train_lead : infer_lead)) % span;
    }
    head = head < vocabulary ? head : vocabulary;
    spans = (vocabulary - head) / span;
  }

  TIKC_ON_BOTH int groups() const { return spans * groups_of_span; }
  TIKC_ON_BOTH int first_of(int group_index) const { return head + group_index * tokens; }
  TIKC_ON_BOTH int edges() const { return vocabulary - spans * span; }
  TIKC_ON_BOTH int edge(int index) const { return index < head ? index : index + spans * span; }
  TIKC_ON_BOTH bool has(int token) const { return token >= 0 && token < vocabulary; }

  TIKC_ON_BOTH group load(int index) const {
    const long long first = first_of(index);
    if (is_aligned)
      return {train_group::load(train + first * train_group::size),
              infer_group::load(infer + first * infer_group::size)};
    return {train_group::gather(train, first), infer_group::gather(infer, first)};
  }

  TIKC_ON_BOTH float train_at(long long token) const { return train_group::value_at(train, token); }
  TIKC_ON_BOTH float infer_at(long long token) const { return infer_group::value_at(infer, token); }

private:
  /// Returns the number of tokens from the last 16 aligned bytes to the row; −1 if it is not an
  /// integer.
  template <class Group> TIKC_ON_BOTH static int lead_of(const unsigned char* row) {
    const auto bytes = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(row) % 16);
    return bytes % Group::size == 0 ? static_cast<int>(bytes / Group::size) : -1;
  }
};

} // namespace tikc::cuda::detail
