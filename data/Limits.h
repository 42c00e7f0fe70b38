#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc::data {

/// The bounds on recorded data, so that no file costs more memory than is said here.
struct DataLimits {
  /// Text of one record: a line, or a value of a list.
  std::size_t recordBytes = std::size_t{256} << 20;
  std::size_t nestingDepth = 128;
  /// Of an array that is packed, and so has to be unpacked whole.
  std::uint64_t arrayBytes = std::uint64_t{4} << 30;
  std::size_t headerBytes = 100'000'000; // what safetensors allows
  std::size_t wordBytes = 4096;          // a text in an array
  std::size_t archiveFiles = 65'536;
  /// What a join keeps of the side that waits.
  std::uint64_t joinBytes = std::uint64_t{4} << 30;
  /// A text of lines is read in pieces of so many bytes: evidence names them, so this is part of
  /// what a piece is.
  std::uint64_t pieceBytes = std::uint64_t{32} << 20;
  /// Faults that are told of a piece; the rest are counted.
  std::size_t faults = 10;
};

} // namespace tikc::data
