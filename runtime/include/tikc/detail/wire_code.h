#pragma once

#include "tikc/cell.h"
#include "tikc/detail/text_sink.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

/// Encodes and decodes numbers, with a checksum.
namespace tikc::detail {

/// CRC-32C, which detects any single flipped bit and any burst of 32.
struct crc32c {
  std::uint32_t state = 0xffffffffU;

  static constexpr std::array<std::uint32_t, 256> table() {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t rest = i;
      for (int bit = 0; bit < 8; ++bit)
        rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0x82f63b78U : 0U);
      out[i] = rest;
    }
    return out;
  }
  void add(unsigned char byte) {
    static constexpr std::array<std::uint32_t, 256> remainders = table();
    state = (state >> 8U) ^ remainders[(state ^ byte) & 0xffU];
  }
  std::uint32_t value() const { return ~state; }
};

struct byte_count {
  std::size_t size = 0;
  void put(unsigned char) { ++size; }
};

template <class Sink> struct checked_bytes {
  explicit checked_bytes(Sink& sink) : to(sink) {}
  text_sink<Sink> to;
  crc32c crc;
  void put(unsigned char byte) {
    crc.add(byte);
    to.put(static_cast<char>(byte));
  }
};

template <class Out> void put_little(Out& out, std::uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i)
    out.put(static_cast<unsigned char>(value >> (8 * i)));
}

inline std::uint64_t get_little(const unsigned char* at, unsigned bytes) {
  std::uint64_t out = 0;
  for (unsigned i = 0; i < bytes; ++i)
    out |= std::uint64_t{at[i]} << (8 * i);
  return out;
}

template <class T> auto bits_of(T value) {
  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> out;
  static_assert(sizeof out == sizeof value);
  std::memcpy(&out, &value, sizeof out);
  return out;
}

/// Returns the bits of a value, with one form for NaN. The bits of a computed NaN depend on the
/// processor, its instructions and the order of operands.
template <class T> auto canonical_bits(T value) {
  return bits_of(value == value ? value : std::numeric_limits<T>::quiet_NaN());
}

template <class Out> class encoder {
public:
  explicit encoder(Out& out) : out_(out) {}

  template <class T>
  std::enable_if_t<std::is_integral_v<T>> operator()(const T& value, T usual = 0) {
    if (begins(value == usual))
      put_varint(static_cast<T>(value - usual));
  }
  template <class T>
  std::enable_if_t<std::is_floating_point_v<T>> operator()(const T& value, T usual = 0) {
    if (!begins(bits_of(value) == bits_of(usual)))
      return;
    out_.put(1);
    put_little(out_, canonical_bits(value), sizeof(T));
  }
  template <bool Largest> void operator()(const worst_few<Largest>& state) {
    (*this)(state.count);
    for (const offender& each : state.kept) {
      (*this)(each.value, worst_few<Largest>::none);
      (*this)(each.id);
    }
  }

  void finish() {
    if (run_ == 0)
      return;
    out_.put(0);
    put_varint(run_ - 1);
    run_ = 0;
  }

private:
  bool begins(bool is_usual) {
    if (is_usual)
      ++run_;
    else
      finish();
    return !is_usual;
  }
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U)
      out_.put(static_cast<unsigned char>(value | 0x80U));
    out_.put(static_cast<unsigned char>(value));
  }

  Out& out_;
  std::uint64_t run_ = 0;
};

/// Reads what an encoder wrote. A walk over a const object only checks the bytes, and predicts
/// whether a walk over the object would succeed.
class decoder {
public:
  decoder(const unsigned char* from, std::size_t size) : at_(from), end_(from + size) {}

  template <class T>
  std::enable_if_t<std::is_integral_v<T>> operator()(T& value, std::remove_const_t<T> usual = 0) {
    store(value, integer(usual));
  }
  template <class T>
  std::enable_if_t<std::is_floating_point_v<T>> operator()(T& value,
                                                           std::remove_const_t<T> usual = 0) {
    store(value, real(usual));
  }
  template <bool Largest> void operator()(worst_few<Largest>& state) { state = few<Largest>(); }
  template <bool Largest> void operator()(const worst_few<Largest>&) { few<Largest>(); }

  void require(bool condition) { good_ = good_ && condition; }

  /// Returns whether all bytes were read and valid.
  bool is_done() const { return good_ && run_ == 0 && at_ == end_; }

private:
  template <class T> static void store(T& at, T value) { at = value; }
  template <class T> static void store(const T&, T) {}

  unsigned char byte() {
    require(at_ != end_);
    return at_ == end_ ? std::uint8_t{0} : *at_++;
  }

  /// Reads a varint; only the shortest form is valid.
  std::uint64_t varint() {
    std::uint64_t out = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned char next = byte();
      const std::uint64_t part = next & 0x7fU;
      require(shift < 63 || part <= 1);
      out |= part << shift;
      if (next < 0x80) {
        require(next != 0 || shift == 0);
        return out;
      }
    }
    require(false);
    return 0;
  }

  bool is_usual() {
    if (run_ > 0) {
      --run_;
      return true;
    }
    if (at_ == end_ || *at_ != 0) {
      require(at_ != end_);
      in_run_ = false;
      return at_ == end_;
    }
    ++at_;
    require(!in_run_); // a run must have its full length
    in_run_ = true;
    run_ = varint();
    return true;
  }

  template <class T> T integer(T usual) {
    if (is_usual())
      return usual;
    const std::uint64_t value = varint();
    require(value != 0 && value <= std::numeric_limits<T>::max());
    return static_cast<T>(static_cast<T>(value) + usual);
  }

  template <class T> T real(T usual) {
    if (is_usual())
      return usual;
    require(byte() == 1);
    decltype(bits_of(usual)) bits = 0;
    for (unsigned i = 0; i < sizeof(T); ++i)
      bits |= decltype(bits){byte()} << (8 * i);
    require(bits != bits_of(usual));
    T out;
    std::memcpy(&out, &bits, sizeof out);
    require(bits == canonical_bits(out));
    return out;
  }

  /// Reads outliers. The count is used as an index later, and merging relies on the order.
  template <bool Largest> worst_few<Largest> few() {
    using few_of = worst_few<Largest>;
    few_of out;
    (*this)(out.count);
    require(out.count <= few_of::capacity);
    for (std::size_t i = 0; i < few_of::capacity; ++i) {
      offender& each = out.kept[i];
      (*this)(each.value, few_of::none);
      (*this)(each.id);
      require(each.value == each.value);
      // An observed value may equal the empty value, so the next ones are not compared with it.
      if (i >= out.count)
        require(each.value == few_of::none && each.id == 0);
      else
        require(i == 0 || !few_of::is_worse(each, out.kept[i - 1]));
    }
    return out;
  }

  const unsigned char* at_;
  const unsigned char* end_;
  std::uint64_t run_ = 0; // the rest of the current run
  bool in_run_ = false;
  bool good_ = true;
};

} // namespace tikc::detail
