#pragma once

#include "data/Report.h"
#include "tikc/wire.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

/// Numbers and texts of evidence as bytes, little-endian.
namespace tikc::measure {

inline constexpr std::size_t digestSize = sizeof data::PieceId::digest;

inline std::string_view bytesOf(const data::PieceId& id) {
  return {reinterpret_cast<const char*>(id.digest.data()), digestSize};
}

class ByteWriter {
public:
  void number(std::uint64_t value, unsigned bytes = 8) {
    StringOut out{bytes_};
    detail::put_little(out, value, bytes);
  }
  void real(double value) { number(std::bit_cast<std::uint64_t>(value)); }
  void raw(std::string_view bytes) { bytes_ += bytes; }
  void text(std::string_view value) {
    number(value.size());
    raw(value);
  }
  void id(const data::PieceId& value) { raw(bytesOf(value)); }
  void maybe(const std::optional<double>& value) {
    number(value ? 1 : 0, 1);
    if (value)
      real(*value);
  }
  std::string_view bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

private:
  struct StringOut {
    std::string& to;
    void put(unsigned char byte) { to += static_cast<char>(byte); }
  };
  std::string bytes_;
};

/// Reads the bytes of a ByteWriter. After the first error, it returns only zeros.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number(unsigned bytes = 8) {
    const std::string_view from = raw(bytes);
    return from.empty()
               ? 0
               : detail::get_little(reinterpret_cast<const unsigned char*>(from.data()), bytes);
  }
  double real() { return std::bit_cast<double>(number()); }
  std::string_view raw(std::uint64_t size) {
    require(size <= rest_.size());
    if (!good_)
      return {};
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  std::string_view text() { return raw(number()); }
  data::PieceId id() {
    data::PieceId out;
    const std::string_view bytes = raw(digestSize);
    if (!bytes.empty())
      std::memcpy(out.digest.data(), bytes.data(), digestSize);
    return out;
  }
  bool flag() {
    const std::uint64_t out = number(1);
    require(out <= 1);
    return out == 1;
  }
  std::optional<double> maybe() { return flag() ? std::optional(real()) : std::nullopt; }
  /// Reads the count of elements that take at least `least` bytes each; fails if they cannot
  /// follow.
  std::uint64_t count(std::uint64_t least) {
    const std::uint64_t out = number();
    require(out <= rest_.size() / least);
    return good_ ? out : 0;
  }

  void require(bool condition) { good_ = good_ && condition; }
  bool isGood() const { return good_; }
  std::string_view rest() const { return rest_; }
  /// Whether all bytes were read without an error.
  bool isDone() const { return good_ && rest_.empty(); }

private:
  std::string_view rest_;
  bool good_ = true;
};

} // namespace tikc::measure
