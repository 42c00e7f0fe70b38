#pragma once

#include "data/bytes/Mapped.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tikc::data {

/// A sequential stream of bytes.
class ByteStream {
public:
  virtual ~ByteStream() = default;
  /// Fills `out` with available bytes; returns 0 at the end and on a fault.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  /// The fault of the stream, or empty.
  const std::string& fault() const { return fault_; }

protected:
  std::size_t fail(std::string why) {
    fault_ = std::move(why);
    return 0;
  }

private:
  std::string fault_;
};

enum class Packing : std::uint8_t { None, Gzip, Zstd };
/// Returns the compression by the first bytes, whatever the name.
Packing packingOf(std::string_view start);
std::string_view nameOf(Packing packing);

/// Streams a file. Memory behind the reader is released.
std::unique_ptr<ByteStream> streamOf(std::shared_ptr<const MappedFile> file);
/// Streams standard input or another descriptor, which stays open.
std::unique_ptr<ByteStream> streamOfDescriptor(int descriptor);
/// Decompresses a stream, which is read in blocks. Concatenated members are decompressed in turn,
/// as gzip and zstd do.
std::unique_ptr<ByteStream> unpacked(std::unique_ptr<ByteStream> inner);

/// A sliding window over a stream. For bytes in memory or in a mapped file, it is all of them,
/// without a copy.
class Window {
public:
  explicit Window(std::string_view bytes, const MappedFile* in = nullptr)
      : file_(in), view_(bytes) {}
  explicit Window(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)) {}

  std::string_view view() const { return view_; }
  /// The offset of the view's start.
  std::uint64_t offset() const { return offset_; }
  /// Extends the view; returns false if no bytes came.
  bool grow();
  void drop(std::size_t bytes);
  /// Drops bytes of a stream, and counts the ends of lines in them. Bytes in memory stay.
  bool dropLines(std::size_t bytes);
  /// The ends of lines that `dropLines()` counted.
  std::uint64_t droppedLines() const { return droppedLines_; }
  /// Releases the memory of the view's first bytes, if they are in a mapped file.
  void forget(std::size_t bytes) const;
  std::string fault() const { return stream_ ? stream_->fault() : std::string(); }

private:
  std::unique_ptr<ByteStream> stream_;
  const MappedFile* file_ = nullptr;
  std::unique_ptr<char[]> buffer_; // uninitialised: a pipe delivers little at a time
  std::size_t capacity_ = 0;
  std::string_view view_;
  std::uint64_t offset_ = 0, droppedLines_ = 0;
};

} // namespace tikc::data
