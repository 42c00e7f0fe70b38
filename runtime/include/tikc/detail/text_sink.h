#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

/// Passes text and bytes to a caller's `void(const char*, std::size_t)` without allocation.
namespace tikc::detail {

/// Buffers output, so that the sink is called once for hundreds of bytes.
template <class Sink> class text_sink {
public:
  explicit text_sink(Sink& sink) : sink_(sink) {}
  text_sink(const text_sink&) = delete;
  text_sink& operator=(const text_sink&) = delete;
  ~text_sink() { flush(); }

  void put(char one) {
    if (size_ == sizeof held_)
      flush();
    held_[size_++] = one;
  }
  void put(const char* text, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      put(text[i]);
  }
  void text(const char* text) { put(text, std::strlen(text)); }

private:
  void flush() {
    if (size_ > 0)
      sink_(static_cast<const char*>(held_), size_);
    size_ = 0;
  }

  Sink& sink_;
  std::size_t size_ = 0;
  char held_[512];
};

/// Returns the size of the UTF-8 character at the start of a text, or 0 if there is none. Overlong
/// forms, surrogates and values beyond Unicode are invalid. Reads no further than the terminating
/// zero.
inline std::size_t character_size(const char* text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto follows = [&](std::size_t at, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(at) >= low && byte(at) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80, high = first == 0xED ? 0x9F : 0xBF;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80, high = first == 0xF4 ? 0x8F : 0xBF;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// Writes untrusted text as UTF-8, whatever its bytes are. `escape(char)` either writes an ASCII
/// character and returns true, or does nothing.
template <class Out, class Escape> void write_text(Out& out, const char* text, Escape&& escape) {
  while (*text != 0) {
    const std::size_t size = character_size(text);
    if (size == 0)
      out.text("\xEF\xBF\xBD"); // U+FFFD
    else if (size > 1 || !escape(*text))
      out.put(text, size);
    text += size == 0 ? 1 : size;
  }
}

template <class Out> void write_number(Out& out, std::uint64_t value) {
  char digits[20];
  std::size_t at = sizeof digits;
  do
    digits[--at] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  out.put(digits + at, sizeof digits - at);
}

/// Replaces the decimal point of printf's current locale, which may be several bytes, with that of
/// "C".
inline std::size_t mend_point(char* number) {
  std::size_t size = 0;
  bool in_point = false;
  for (const char* at = number; *at != 0; ++at) {
    const bool is_plain = (*at >= '0' && *at <= '9') || *at == '-' || *at == '+' || *at == 'e';
    if (is_plain || !in_point)
      number[size++] = is_plain ? *at : '.';
    in_point = !is_plain;
  }
  number[size] = 0;
  return size;
}

/// Writes a finite number, with a point or an exponent (1.0, 1e+06), so that reading it gives the
/// same number.
template <class Out> void write_finite(Out& out, double value) {
  char digits[40];
#if defined(__cpp_lib_to_chars)
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  const auto size = static_cast<std::size_t>(end.ptr - digits);
#else
  std::snprintf(digits, sizeof digits, "%.17g", value);
  const std::size_t size = mend_point(digits);
#endif
  out.put(digits, size);
  if (std::memchr(digits, '.', size) == nullptr && std::memchr(digits, 'e', size) == nullptr)
    out.text(".0");
}

} // namespace tikc::detail
