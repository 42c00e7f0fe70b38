#pragma once

#include <compare>
#include <cstdint>

namespace tikc {

/// The identifier of a file in a SourceManager; the default names no file.
enum class FileId : std::uint32_t { None = 0xffffffff };

/// A half-open range of bytes in one file, in its own encoding: a byte-order mark counts.
struct Span {
  FileId file = FileId::None;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool valid() const { return file != FileId::None; }
  std::uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  bool contains(const Span& inner) const {
    return file == inner.file && begin <= inner.begin && inner.end <= end;
  }
  /// The empty span before the first byte, for insertions.
  Span start() const { return {file, begin, begin}; }
  Span finish() const { return {file, end, end}; }

  auto operator<=>(const Span&) const = default;
};

/// Returns the smallest span that contains both, which must be in one file.
inline Span join(const Span& a, const Span& b) {
  if (!a.valid())
    return b;
  if (!b.valid())
    return a;
  return {a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

} // namespace tikc
