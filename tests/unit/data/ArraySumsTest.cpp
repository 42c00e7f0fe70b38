#include "data/arrays/ArraySums.h"

#include "data/bytes/Crc32.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace tikc::data {
namespace {

struct Cut {
  std::uint64_t begin = 0, size = 0;
};

Array arrayOf(std::string_view bytes) {
  Array out;
  out.bytes = bytes;
  out.checksum = {crc32Of(crc32Of(0, "header"), bytes), crc32Of(0, "header")};
  return out;
}

TEST(ArraySums, AreOfTheMemberWhateverPartsWereRead) {
  std::mt19937 draw(3);
  std::string bytes(1'000, '\0');
  for (char& each : bytes)
    each = static_cast<char>(draw());
  for (int i = 0; i < 200; ++i) {
    const std::vector<Array> arrays = {arrayOf(bytes), arrayOf(bytes)};
    ArraySums sums;
    std::vector<Cut> cuts;
    for (std::uint64_t at = 0; at < bytes.size();) {
      const std::uint64_t size = std::min<std::uint64_t>(bytes.size() - at, draw() % 300);
      cuts.push_back({at, size});
      at += size;
    }
    std::shuffle(cuts.begin(), cuts.end(), draw);
    cuts.resize(cuts.size() - draw() % cuts.size());  // some were not read
    cuts.push_back({draw() % 900, 1 + draw() % 100}); // and some are within others
    for (const Cut& each : cuts)
      for (const Array& array : arrays)
        sums.take(array, each.begin, each.size,
                  crc32Of(0, std::string_view(bytes).substr(each.begin, each.size)));
    EXPECT_EQ(sums.damaged(arrays), nullptr);
    EXPECT_EQ(sums.damaged(arrays), nullptr) << "for the second time";
  }
}

TEST(ArraySums, KnowADamagedMember) {
  const std::string bytes(100, 'a');
  for (std::uint64_t at = 0; at < bytes.size(); at += 7) {
    std::vector<Array> arrays = {arrayOf(bytes), arrayOf(bytes)};
    std::string other = bytes;
    other[at] = 'b';
    arrays[1].bytes = other;
    EXPECT_EQ(ArraySums().damaged(arrays), &arrays[1]) << "before any read";
    ArraySums sums;
    sums.take(arrays[1], 0, 40, crc32Of(0, std::string_view(other).substr(0, 40)));
    sums.take(arrays[1], 40, 60, crc32Of(0, std::string_view(other).substr(40)));
    EXPECT_EQ(sums.damaged(arrays), &arrays[1]) << at;
    arrays[1].checksum.reset();
    EXPECT_EQ(sums.damaged(arrays), nullptr) << "without a checksum";
  }
}

} // namespace
} // namespace tikc::data
