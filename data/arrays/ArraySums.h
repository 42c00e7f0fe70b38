#pragma once

#include "data/arrays/Array.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>

namespace tikc::data {

/// Checksums of parts of arrays, which readers take of the bytes that they read anyway.
class ArraySums {
public:
  /// Takes the CRC-32 of a part by itself. Any thread may call it.
  void take(const Array& array, std::uint64_t begin, std::uint64_t size, std::uint32_t sum);
  /// Returns the first array whose member of an archive has another checksum, or null. Reads the
  /// parts that no reader read. Call it when the readers are done.
  const Array* damaged(std::span<const Array> arrays);

private:
  struct Part {
    std::uint64_t size = 0;
    std::uint32_t sum = 0;
  };
  std::mutex mutex_;
  std::map<std::pair<const Array*, std::uint64_t>, Part> parts_; // by where they begin
};

} // namespace tikc::data
