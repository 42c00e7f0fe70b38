#pragma once

#include "data/bytes/Mapped.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tikc::data {

/// Bytes that come one after the other.
class ByteStream {
public:
  virtual ~ByteStream() = default;
  /// Fills `out` as far as there is something; 0 at the end, and where there is a fault.
  virtual std::size_t read(char* out, std::size_t size) = 0;
  /// What is wrong with it; empty where nothing is.
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
/// By the first bytes, whatever the name says.
Packing packingOf(std::string_view start);
std::string_view nameOf(Packing packing);

/// A file from its begin to its end, which costs no memory behind where it is read.
std::unique_ptr<ByteStream> streamOf(std::shared_ptr<const MappedFile> file);
/// Standard input, or another descriptor, which stays open.
std::unique_ptr<ByteStream> streamOfDescriptor(int descriptor);
/// What is packed, unpacked; `inner` is read in blocks. Files that were joined are one after the
/// other, as gzip and zstd have it.
std::unique_ptr<ByteStream> unpacked(std::unique_ptr<ByteStream> inner);

/// A part of a stream that stands in memory, and moves on; of bytes in memory it is all of them, as
/// they are.
class Window {
public:
  explicit Window(std::string_view bytes) : view_(bytes) {}
  explicit Window(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)) {}

  std::string_view view() const { return view_; }
  /// Where the view begins.
  std::uint64_t offset() const { return offset_; }
  /// More behind the view; false where nothing came.
  bool grow();
  void drop(std::size_t bytes);
  std::string fault() const { return stream_ ? stream_->fault() : std::string(); }

private:
  std::unique_ptr<ByteStream> stream_;
  std::unique_ptr<char[]> buffer_; // as it was allocated: a pipe brings little at a time
  std::size_t capacity_ = 0;
  std::string_view view_;
  std::uint64_t offset_ = 0;
};

} // namespace tikc::data
