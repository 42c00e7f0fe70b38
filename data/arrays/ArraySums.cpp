#include "data/arrays/ArraySums.h"

#include "data/bytes/Crc32.h"

namespace tikc::data {

void ArraySums::take(const Array& array, std::uint64_t begin, std::uint64_t size,
                     std::uint32_t sum) {
  if (size == 0)
    return;
  const std::lock_guard lock(mutex_);
  parts_[{&array, begin}] = {size, sum};
}

const Array* ArraySums::damaged(std::span<const Array> arrays) {
  for (const Array& array : arrays) {
    if (!array.checksum)
      continue;
    std::uint32_t sum = array.checksum->before;
    std::uint64_t at = 0;
    for (auto part = parts_.find({&array, at}); part != parts_.end();
         part = parts_.find({&array, at})) {
      sum = crc32Joined(sum, part->second.sum, part->second.size);
      at += part->second.size;
    }
    std::uint32_t rest = 0;
    eachStep(array.bytes.substr(at), array.mapped.get(),
             [&](std::string_view step) { rest = crc32Of(rest, step); });
    take(array, at, array.bytes.size() - at, rest); // for the next time
    if (crc32Joined(sum, rest, array.bytes.size() - at) != array.checksum->member)
      return &array;
  }
  return nullptr;
}

} // namespace tikc::data
