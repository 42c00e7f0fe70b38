#include "data/bytes/Crc32.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tikc::data {
namespace {

/// By the definition, a bit at a time.
std::uint32_t byBits(std::uint32_t sum, std::string_view bytes) {
  sum = ~sum;
  for (const char each : bytes) {
    sum ^= static_cast<unsigned char>(each);
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

TEST(Crc32, IsTheOneOfZip) { EXPECT_EQ(crc32Of(0, "123456789"), 0xcbf43926U); }

TEST(Crc32, IsOfTheBytesHoweverTheyCome) {
  std::mt19937 draw(1);
  std::string bytes(1'000, '\0');
  for (char& each : bytes)
    each = static_cast<char>(draw());
  for (std::size_t size = 0; size < 300; ++size) {
    const std::size_t begin = draw() % 64, first = draw() % (size + 1);
    const std::string_view part = std::string_view(bytes).substr(begin, size);
    const auto before = static_cast<std::uint32_t>(draw());
    EXPECT_EQ(crc32Of(before, part), byBits(before, part)) << size;
    EXPECT_EQ(crc32Of(crc32Of(before, part.substr(0, first)), part.substr(first)),
              byBits(before, part))
        << first << " of " << size;
    EXPECT_EQ(crc32Joined(crc32Of(before, part.substr(0, first)), crc32Of(0, part.substr(first)),
                          size - first),
              byBits(before, part))
        << first << " of " << size;
  }
}

} // namespace
} // namespace tikc::data
