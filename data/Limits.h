#pragma once

#include <cstddef>
#include <cstdint>

namespace tikc::data {

/// The limits on recorded data, which bound the memory that a file can need, and the effort of
/// identifying them.
struct DataLimits {
  /// The text of a record: a line, or a value of a list.
  std::size_t recordBytes = std::size_t{256} << 20;
  std::size_t nestingDepth = 128;
  /// A packed array, which must be unpacked as a whole.
  std::uint64_t arrayBytes = std::uint64_t{4} << 30;
  std::size_t headerBytes = 100'000'000; // the maximum that safetensors allows
  std::size_t wordBytes = 4096;          // a text in an array
  std::size_t archiveFiles = 65'536;
  /// Kept responses of the side of a join that waits.
  std::uint64_t joinBytes = std::uint64_t{4} << 30;
  /// The size of a piece of a text of lines. Evidence names pieces, so this is part of a piece's
  /// identity.
  std::uint64_t pieceBytes = std::uint64_t{32} << 20;
  /// Whether ids of pieces depend on their bytes. Otherwise they depend only on the place in the
  /// file, which saves a third of the time that arrays take.
  bool digestsBytes = true;
  /// Reported faults of a piece; further faults are only counted.
  std::size_t faults = 10;
};

} // namespace tikc::data
