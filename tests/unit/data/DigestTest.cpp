#include "data/bytes/Digest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace tikc::data {
namespace {

PieceId hashed(std::string_view bytes) {
  llvm::BLAKE3 hash;
  hash.update({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  PieceId out;
  hash.final(out.digest);
  return out;
}

TEST(DigestTest, IsOfTheBytesHoweverTheyCome) {
  std::mt19937 draw(1);
  std::string bytes(1'000'000, '\0');
  for (char& each : bytes)
    each = static_cast<char>(draw());
  for (const std::size_t most : {1'000, 70'000, 300'000}) {
    Digest digest;
    for (std::size_t at = 0, size = 0; at < bytes.size(); at += size) {
      EXPECT_EQ(digest.id(), hashed(std::string_view(bytes).substr(0, at)));
      size = std::min<std::size_t>(draw() % most, bytes.size() - at);
      digest.add(std::string_view(bytes).substr(at, size));
    }
    EXPECT_EQ(digest.id(), hashed(bytes));
  }
  EXPECT_EQ(Digest().id(), hashed(""));
}

} // namespace
} // namespace tikc::data
